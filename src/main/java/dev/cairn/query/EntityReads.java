package dev.cairn.query;

import dev.cairn.access.ReadBounds;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.platform.Cursor;
import dev.cairn.platform.Database;
import dev.cairn.platform.JsonOut;
import dev.cairn.platform.JsonPage;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Lists and counts entities, of HEAD or of a moment, by filter; ordered by shape name and name. */
@ApplicationScoped
public class EntityReads {
  /** How many entities a shape is taken to have when they are to be counted at a moment. */
  private static final long FEW = 500;

  private final Database database;
  private final Targets targets;
  private final Moments moments;
  private final ReadBounds bounds;

  EntityReads(Database database, Targets targets, Moments moments, ReadBounds bounds) {
    this.database = database;
    this.targets = targets;
    this.moments = moments;
    this.bounds = bounds;
  }

  /**
   * A page of entities, as {@code { items, nextCursor? }}.
   *
   * @param route the endpoint's name, to which cursors belong
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
    var list = "%s %s %s".formatted(route, access.repoId(), filter.text());
    var after = cursor.map(c -> Cursor.keys(list, c));
    var moment = moment(access, filter);
    var where = where(access, filter, moment);
    var out = new JsonOut().object().name("items").array();
    var next = Optional.<String>empty();
    if (where.isPresent()) {
      after.ifPresent(keys -> where.get().after(keys.get(0), keys.get(1)));
      var from = source(filter, moment, limit);
      Supplier<Optional<String>> rows =
          () -> items(from, where.get(), filter.includeInactive(), limit, list, out);
      // Several ranges of names, or a target, are served better by other indexes than that of
      // names.
      boolean byName = access.narrowing().isNone() && filter.about().isEmpty();
      next = byName ? Database.inOrder(rows) : rows.get();
    }
    return out.endArray().endPage(next);
  }

  private Optional<String> items(
      Source from, Predicates where, boolean withActive, int limit, String list, JsonOut out) {
    var pager = new Pager(limit);
    database.each(
        page(from, where),
        0,
        row ->
            pager.take(
                row.getBytes(Items.DATA),
                () -> {
                  Items.write(out, row, withActive);
                  return List.of(row.getString(1), row.getString(2));
                }),
        where.parameters(from.parameters(), limit + 1));
    return pager.next(list);
  }

  /** The statement of a page, which takes one row more than the page has. */
  static String page(Source from, Predicates where) {
    return "select "
        + Items.PAGED
        + " from "
        + from.sql()
        + " e "
        + where.sql()
        + Pager.inOrder("e.shape_name, e.name")
        + " limit ?";
  }

  /** How many entities the filter selects. */
  public long count(RepositoryAccess access, EntityFilter filter) {
    return read(
        access,
        filter,
        () -> {
          var moment = moment(access, filter);
          var from = source(filter, moment, filter.shape().isPresent() ? FEW : Long.MAX_VALUE);
          return where(access, filter, moment).map(where -> count(from, where)).orElse(0L);
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

  /** Assertions about a target are found by their own index, anything else by the cheaper way. */
  private static Source source(EntityFilter filter, Optional<Moment> moment, long wanted) {
    return moment
        .map(m -> filter.about().isPresent() ? m.byName() : m.forPage(wanted))
        .orElse(Source.HEAD);
  }

  /** With a target there are several statements, which must see the same moment. */
  private <T> T read(RepositoryAccess access, EntityFilter filter, Supplier<T> read) {
    return bounds.within(access, filter.about().isEmpty() ? read : () -> database.snapshot(read));
  }

  /**
   * The conditions of a filter; empty where its about target, or the shape of its fields, is not.
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
