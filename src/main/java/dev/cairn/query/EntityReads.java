package dev.cairn.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.EntityRow;
import dev.cairn.content.KeptCounts;
import dev.cairn.content.Moment;
import dev.cairn.content.NameRanges;
import dev.cairn.content.Predicates;
import dev.cairn.content.Source;
import dev.cairn.content.Statement;
import dev.cairn.content.read.EntityPages;
import dev.cairn.content.read.PageKey;
import dev.cairn.content.read.ShapeWalk;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.database.Database;
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

/** Lists and counts entities, of HEAD or of a moment, by filter; ordered by shape name and name. */
@ApplicationScoped
public class EntityReads {
  /** The assumed number of entities of a shape, for choosing how to count at a moment. */
  private static final long ASSUMED_SHAPE_SIZE = 500;

  private final Database database;
  private final EntitySelection selections;
  private final KeptCounts counts;
  private final ReadBounds bounds;
  private final Cursors cursors;

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
    var byName = Source.byName(moment);
    if (selection.found().isPresent()) {
      after.ifPresent(key -> where.after(key.shapeName(), key.name()));
      return EntityPages.page(selection.found().get(), where, limit);
    }
    if (selection.about().isPresent()) {
      after.ifPresent(key -> where.after(key.shapeName(), key.name()));
      var about = selection.about().get().targets();
      if (about.areListed()) {
        return EntityPages.ofTargets(about, byName, where, limit);
      }
      about.narrow(where);
      return EntityPages.page(byName, where, limit);
    }
    var ranges = NameRanges.of(access.narrowing().patterns());
    if (ranges.isPresent()) {
      return EntityPages.ofRanges(ranges.get(), byName, where, after, limit);
    }
    if (isByShape(selection, limit)) {
      var shape = selection.filter().onlyShape();
      return EntityPages.ofShapes(access.repoId(), shape, moment, where, after, limit);
    }
    after.ifPresent(key -> where.after(key.shapeName(), key.name()));
    return EntityPages.page(source(moment, limit), where, limit);
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
    var statement = count(access.repoId(), selection, where);
    // The look-ups of what is missing are in the order of an index.
    var database =
        selection.filter().missing().isPresent() ? this.database.inIndexOrder() : this.database;
    return database
        .first(statement.sql(), row -> row.getLong(1), statement.parameters())
        .orElseThrow();
  }

  private static Statement count(UUID repoId, Selected selection, Predicates where) {
    if (selection.about().isPresent()) {
      var about = selection.about().get().targets();
      if (about.areListed()) {
        return EntityPages.countOfTargets(about, Source.byName(selection.moment()), where);
      }
      about.narrow(where);
    }
    if (selection.about().isEmpty()
        && selection.found().isEmpty()
        && selection.moment().isEmpty()
        && isByShape(selection, 0)) {
      return EntityPages.countOfShapes(repoId, selection.filter().onlyShape(), where);
    }
    return EntityPages.count(selection.found().orElseGet(() -> countedFrom(selection)), where);
  }

  private static Source countedFrom(Selected selection) {
    if (selection.about().isPresent()) {
      return Source.byName(selection.moment());
    }
    return source(
        selection.moment(),
        selection.filter().shape().isPresent() ? ASSUMED_SHAPE_SIZE : Long.MAX_VALUE);
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
