package dev.cairn.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.EntityRow;
import dev.cairn.content.Moment;
import dev.cairn.content.Moments;
import dev.cairn.content.NameRanges;
import dev.cairn.content.Predicates;
import dev.cairn.content.Source;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Cursor;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.JsonPage;
import dev.cairn.platform.page.Pager;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
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

  private final Database database;
  private final Targets targets;
  private final Moments moments;
  private final ReadBounds bounds;

  /** A statement with its parameters. */
  record Statement(String sql, Object[] parameters) {}

  EntityReads(Database database, Targets targets, Moments moments, ReadBounds bounds) {
    this.database = database;
    this.targets = targets;
    this.moments = moments;
    this.bounds = bounds;
  }

  /**
   * A page of entities, as {@code { items, nextCursor? }}.
   *
   * @param route the endpoint's name, which is part of its cursors
   */
  public JsonPage page(
      RepositoryAccess access,
      String route,
      EntityFilter filter,
      int limit,
      Optional<String> cursor) {
    return read(access, filter, () -> answer(access, route, filter, limit, cursor));
  }

  private JsonPage answer(
      RepositoryAccess access,
      String route,
      EntityFilter filter,
      int limit,
      Optional<String> cursor) {
    var list = "%s %s %s".formatted(route, access.repoId(), filter.identity());
    var after = cursor.map(c -> PageKey.of(Cursor.keys(list, c)));
    var moment = moment(access, filter);
    var where = where(access, filter, moment);
    var out = new JsonOut().object().name("items").array();
    var pager = new Pager(limit);
    if (where.isPresent()) {
      var statement = statement(access, filter, moment, where.get(), after, limit);
      // With collections there are several targets, each with its own order.
      var inOrder = filter.resolveCollections() ? database : database.inIndexOrder();
      items(inOrder, statement, filter.includeInactive(), pager, out);
    }
    out.endArray();
    if (pager.isEmpty() && cursor.isEmpty()) {
      out.warnings(warnings(access, filter, moment));
    }
    return out.endPage(pager.next(list));
  }

  private List<String> warnings(
      RepositoryAccess access, EntityFilter filter, Optional<Moment> moment) {
    return targets.warnings(access, filter.shape(), filter.about(), moment);
  }

  private static Statement statement(
      RepositoryAccess access,
      EntityFilter filter,
      Optional<Moment> moment,
      Predicates where,
      Optional<PageKey> after,
      int limit) {
    if (filter.about().isEmpty()) {
      var ranges = NameRanges.of(access.narrowing().patterns());
      if (ranges.isPresent()) {
        return ofRanges(ranges.get(), byName(moment), where, after, limit);
      }
    }
    after.ifPresent(key -> where.after(key.shapeName(), key.name()));
    return page(source(filter, moment, limit), where, limit);
  }

  private static void items(
      Database database, Statement statement, boolean withActive, Pager pager, JsonOut out) {
    database.each(
        statement.sql(),
        0,
        row -> {
          var entity = EntityRow.read(row);
          return pager.take(
              entity.data(),
              () -> {
                Items.write(out, entity, withActive);
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

  private static List<Object> before(List<Object> first, List<Object> second) {
    return Stream.of(List.<Object>of(PageBytes.max()), first, second)
        .flatMap(List::stream)
        .toList();
  }

  /**
   * How many entities a filter selects.
   *
   * @param warnings why none, if it names something that does not exist
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
          var moment = moment(access, filter);
          var from =
              source(
                  filter, moment, filter.shape().isPresent() ? ASSUMED_SHAPE_SIZE : Long.MAX_VALUE);
          long count = where(access, filter, moment).map(where -> count(from, where)).orElse(0L);
          return new Count(count, count > 0 ? List.of() : warnings(access, filter, moment));
        });
  }

  private long count(Source from, Predicates where) {
    return database
        .first(
            "select count(*) from " + from.sql() + " e " + where.sql(),
            row -> row.getLong(1),
            where.parameters(from.parameters()))
        .orElseThrow();
  }

  private Optional<Moment> moment(RepositoryAccess access, EntityFilter filter) {
    return filter.at().map(at -> moments.find(access, at));
  }

  private static Source byName(Optional<Moment> moment) {
    return moment.map(Moment::byName).orElse(Source.HEAD);
  }

  /**
   * Assertions about a target have an index of their own; for others the cheaper source is used.
   */
  private static Source source(EntityFilter filter, Optional<Moment> moment, long wanted) {
    return moment
        .map(m -> filter.about().isPresent() ? m.byName() : m.forPage(wanted))
        .orElse(Source.HEAD);
  }

  /** With a target there are several statements, which must run in the same snapshot. */
  private <T> T read(RepositoryAccess access, EntityFilter filter, Supplier<T> read) {
    return bounds.within(access, filter.about().isEmpty() ? read : () -> database.snapshot(read));
  }

  /**
   * The conditions of a filter; empty if its about target, or the shape of its fields, does not
   * exist.
   */
  private Optional<Predicates> where(
      RepositoryAccess access, EntityFilter filter, Optional<Moment> moment) {
    var where = filter.predicates(access);
    if (!filter.where().isEmpty()) {
      var shape = targets.shape(access, filter.shape().orElseThrow());
      if (shape.isEmpty()) {
        return Optional.empty();
      }
      FieldConditions.narrow(where, access, shape.get(), filter.where());
    }
    if (filter.about().isEmpty()) {
      return Optional.of(where);
    }
    var target = targets.find(access, filter.about().get(), moment);
    target.ifPresent(t -> targets.about(where, t, access, filter.resolveCollections(), moment));
    return target.map(_ -> where);
  }
}
