package dev.cairn.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.AssertionTargets;
import dev.cairn.content.EntityRow;
import dev.cairn.content.KeptCounts;
import dev.cairn.content.Moment;
import dev.cairn.content.NameRanges;
import dev.cairn.content.Predicates;
import dev.cairn.content.ShapeWalk;
import dev.cairn.content.Source;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.JsonPage;
import dev.cairn.platform.page.Pager;
import dev.cairn.query.EntitySelection.Selected;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Lists and counts entities, of HEAD or of a moment, by filter; ordered by shape name and name. */
@ApplicationScoped
public class EntityReads {
  /** The assumed number of entities of a shape, for choosing how to count at a moment. */
  private static final long ASSUMED_SHAPE_SIZE = 500;

  private static final String PAGE =
      "select " + EntityRow.PAGED + " from (%s) e" + Pager.inOrder("e.shape_name, e.name");

  private static final String IN_RANGES =
      """
      select x.* from %s
      cross join lateral (
        select e.* from %s e %s%s
          and e.name > case when r.shape_name = ? then ? else '' end
        order by e.shape_name, e.name limit ?) x
      where r.shape_name collate "C" >= ?
      order by x.shape_name, x.name limit ?
      """;

  private static final String OF_SHAPES =
      """
      select x.* from %s
      cross join lateral (
        select e.* from %s e %s%s
          and e.name > case when r.shape_name = ? then ? else '' end
        order by e.name limit ?) x
      order by r.shape_name, x.name limit ?
      """;

  private static final String OF_TARGETS =
      """
      select x.* from %s
      cross join lateral (
        select e.* from %s e %s%s
        order by e.shape_name, e.name limit ?) x
      order by x.shape_name, x.name limit ?
      """;

  private static final String COUNT_OF_EACH =
      "select count(*) from %s cross join lateral (select 1 from %s e %s%s) x";

  private final Database database;
  private final EntitySelection selections;
  private final KeptCounts counts;
  private final ReadBounds bounds;
  private final Cursors cursors;

  /** A statement with its parameters. */
  record Statement(String sql, Object[] parameters) {}

  EntityReads(
      Database database,
      EntitySelection selections,
      KeptCounts counts,
      ReadBounds bounds,
      Cursors cursors) {
    this.database = database;
    this.selections = selections;
    this.counts = counts;
    this.bounds = bounds;
    this.cursors = cursors;
  }

  /**
   * A page of entities, as {@code { items, nextCursor? }}.
   *
   * @param route the endpoint's name, which is part of its cursors
   * @param fields the part of the data to show
   */
  public JsonPage page(
      RepositoryAccess access,
      String route,
      EntityFilter filter,
      ShownFields fields,
      int limit,
      Optional<String> cursor) {
    return read(access, filter, () -> answer(access, route, filter, fields, limit, cursor));
  }

  private JsonPage answer(
      RepositoryAccess access,
      String route,
      EntityFilter filter,
      ShownFields fields,
      int limit,
      Optional<String> cursor) {
    var list = "%s %s %s".formatted(route, access.repoId(), filter.identity());
    var after = cursor.map(c -> cursors.read(list, c, PageKey::of));
    var selection = selections.of(access, filter);
    var out = new JsonOut().object().name("items").array();
    var pager = new Pager(cursors, list, limit);
    if (selection.where().isPresent()) {
      var statement = statement(access, selection, selection.where().get(), after, limit);
      items(statement, filter.includeInactive(), fields, pager, out);
    }
    out.endArray();
    if (cursor.isEmpty()) {
      out.warnings(selections.warnings(access, selection, pager.isEmpty()));
    }
    long seq = selection.moment().map(Moment::seq).orElseGet(access::seq);
    return out.endPage(cursor, seq, pager.next());
  }

  private static Statement statement(
      RepositoryAccess access,
      Selected selection,
      Predicates where,
      Optional<PageKey> after,
      int limit) {
    var moment = selection.moment();
    if (selection.found().isPresent()) {
      after.ifPresent(key -> where.after(key.shapeName(), key.name()));
      return page(selection.found().get(), where, limit);
    }
    if (selection.about().isPresent()) {
      after.ifPresent(key -> where.after(key.shapeName(), key.name()));
      var about = selection.about().get().targets();
      if (about.areListed()) {
        return ofTargets(about, byName(moment), where, limit);
      }
      about.narrow(where);
      return page(byName(moment), where, limit);
    }
    var ranges = NameRanges.of(access.narrowing().patterns());
    if (ranges.isPresent()) {
      return ofRanges(ranges.get(), byName(moment), where, after, limit);
    }
    if (isByShape(selection, limit)) {
      var shape = selection.filter().onlyShape();
      return ofShapes(access.repoId(), shape, moment, where, after, limit);
    }
    after.ifPresent(key -> where.after(key.shapeName(), key.name()));
    return page(source(moment, limit), where, limit);
  }

  private void items(
      Statement statement, boolean withActive, ShownFields fields, Pager pager, JsonOut out) {
    database
        .inIndexOrder()
        .each(
            statement.sql(),
            0,
            row -> {
              var entity = EntityRow.read(row);
              return pager.take(
                  entity.data(),
                  () -> {
                    Items.write(out, fields.of(entity), withActive);
                    return List.of(entity.shapeName(), entity.name());
                  });
            },
            statement.parameters());
  }

  /**
   * A statement for a page and one more row. The inner query sorts and limits the rows, so that
   * their sizes are summed up only for those of the page.
   */
  static Statement page(Source from, Predicates where, int limit) {
    return new Statement(
        PAGE.formatted(
            "select e.* from "
                + from.sql()
                + " e "
                + where.sql()
                + " order by e.shape_name, e.name limit ?"),
        where.parameters(before(List.of(), from.parameters()), limit + 1));
  }

  /**
   * A statement for a page of entities in given ranges of names: the first rows of each range, of
   * which the first ones are taken.
   */
  static Statement ofRanges(
      NameRanges ranges, Source from, Predicates where, Optional<PageKey> after, int limit) {
    var shapeName = after.map(PageKey::shapeName).orElse("");
    var name = after.map(PageKey::name).orElse("");
    return new Statement(
        PAGE.formatted(
            IN_RANGES.formatted(NameRanges.SQL, from.sql(), where.sql(), NameRanges.WITHIN)),
        where.parameters(
            before(ranges.parameters(), from.parameters()),
            shapeName,
            name,
            limit + 1,
            shapeName,
            limit + 1));
  }

  /**
   * Whether the entities are looked for in one shape after another: those of a pattern whose shape
   * varies, but not the beginning of the name; and those of a moment, at which many shapes may have
   * had none.
   */
  private static boolean isByShape(Selected selection, long limit) {
    return selection.moment().isPresent()
        ? !selection.moment().get().isEarly(limit)
        : selection.filter().match().filter(ShapeWalk::suits).isPresent();
  }

  /**
   * A statement for a page that looks into one shape after another, in their order, until the page
   * is full.
   *
   * @param shape the only shape to look at; empty for all
   */
  static Statement ofShapes(
      UUID repoId,
      Optional<String> shape,
      Optional<Moment> moment,
      Predicates where,
      Optional<PageKey> after,
      int limit) {
    var shapeName = after.map(PageKey::shapeName).orElse("");
    var name = after.map(PageKey::name).orElse("");
    var shapes = ShapeWalk.of(repoId, shape, moment, shapeName);
    var from = byName(moment);
    return new Statement(
        PAGE.formatted(
            OF_SHAPES.formatted(shapes.sql(), from.sql(), where.sql(), ShapeWalk.WITHIN)),
        where.parameters(
            before(shapes.parameters(), from.parameters()), shapeName, name, limit + 1, limit + 1));
  }

  /**
   * A statement for a page of assertions about listed targets: the first ones about each target, of
   * which the first ones are taken.
   */
  static Statement ofTargets(AssertionTargets about, Source from, Predicates where, int limit) {
    return new Statement(
        PAGE.formatted(
            OF_TARGETS.formatted(
                AssertionTargets.SQL, from.sql(), where.sql(), AssertionTargets.ABOUT)),
        where.parameters(before(about.parameters(), from.parameters()), limit + 1, limit + 1));
  }

  private static List<Object> before(List<Object> first, List<Object> second) {
    return joined(List.of(PageBytes.max()), joined(first, second));
  }

  private static List<Object> joined(List<Object> first, List<Object> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  /**
   * How many entities a filter selects.
   *
   * @param warnings why none, if it names something that does not exist; also if {@code missing}
   *     does
   */
  @RegisterForReflection
  public record Count(
      long count, @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> warnings) {}

  /** The number of entities that the filter selects. */
  public Count count(RepositoryAccess access, EntityFilter filter) {
    return read(
        access,
        filter,
        () -> {
          var selection = selections.of(access, filter);
          long count =
              isKept(access, filter)
                  ? kept(access, filter)
                  : selection.where().map(where -> count(access, selection, where)).orElse(0L);
          return new Count(count, selections.warnings(access, selection, count == 0));
        });
  }

  /** Whether the number is among those that commits keep. */
  private static boolean isKept(RepositoryAccess access, EntityFilter filter) {
    return access.narrowing().isUnrestricted()
        && filter.about().isEmpty()
        && filter.where().isEmpty()
        && filter.missing().isEmpty()
        && filter.at().isEmpty()
        && filter.match().map(g -> g.isWholeShape() || g.isEverything()).orElse(true);
  }

  private long kept(RepositoryAccess access, EntityFilter filter) {
    var matching = filter.match().flatMap(Glob::shapeName);
    return filter.shape().isPresent() && matching.isPresent() && !filter.shape().equals(matching)
        ? 0
        : counts.count(
            access.repoId(), filter.onlyShape(), filter.kind(), filter.includeInactive());
  }

  private long count(RepositoryAccess access, Selected selection, Predicates where) {
    var moment = selection.moment();
    // The look-ups of what is missing are in the order of an index.
    var database =
        selection.filter().missing().isPresent() ? this.database.inIndexOrder() : this.database;
    if (selection.about().isPresent()) {
      var about = selection.about().get().targets();
      if (about.areListed()) {
        var from = byName(moment);
        return count(
            database,
            COUNT_OF_EACH.formatted(
                AssertionTargets.SQL, from.sql(), where.sql(), AssertionTargets.ABOUT),
            where.parameters(joined(about.parameters(), from.parameters())));
      }
      about.narrow(where);
    }
    if (selection.about().isEmpty()
        && selection.found().isEmpty()
        && moment.isEmpty()
        && isByShape(selection, 0)) {
      var shapes = ShapeWalk.of(access.repoId(), selection.filter().onlyShape(), moment, "");
      return count(
          database,
          COUNT_OF_EACH.formatted(shapes.sql(), Source.HEAD.sql(), where.sql(), ShapeWalk.WITHIN),
          where.parameters(shapes.parameters()));
    }
    var from = selection.found().orElseGet(() -> countedFrom(selection));
    return count(
        database,
        "select count(*) from " + from.sql() + " e " + where.sql(),
        where.parameters(from.parameters()));
  }

  private static Source countedFrom(Selected selection) {
    if (selection.about().isPresent()) {
      return byName(selection.moment());
    }
    return source(
        selection.moment(),
        selection.filter().shape().isPresent() ? ASSUMED_SHAPE_SIZE : Long.MAX_VALUE);
  }

  private static long count(Database database, String sql, Object... parameters) {
    return database.first(sql, row -> row.getLong(1), parameters).orElseThrow();
  }

  /** The state of a moment, or HEAD, for reads in the order of names. */
  static Source byName(Optional<Moment> moment) {
    return moment.map(Moment::byName).orElse(Source.HEAD);
  }

  /** The cheaper source of a moment. */
  private static Source source(Optional<Moment> moment, long wanted) {
    return moment.map(m -> m.forPage(wanted)).orElse(Source.HEAD);
  }

  /**
   * With targets or conditions on fields there are several statements, which must run in the same
   * snapshot. Such conditions may examine all that the other filters select, as a search may.
   */
  private <T> T read(RepositoryAccess access, EntityFilter filter, Supplier<T> read) {
    Supplier<T> whole =
        filter.about().isEmpty() && filter.where().isEmpty() ? read : () -> database.snapshot(read);
    return filter.where().isEmpty()
        ? bounds.within(access, whole)
        : bounds.searching(access, whole);
  }
}
