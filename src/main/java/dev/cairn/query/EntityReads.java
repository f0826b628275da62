package dev.cairn.query;

import dev.cairn.access.ReadBounds;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.platform.Cursor;
import dev.cairn.platform.Database;
import dev.cairn.platform.JsonOut;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Lists and counts entities of HEAD by filter, in the order of shape name and name. */
@ApplicationScoped
public class EntityReads {
  private final Database database;
  private final Targets targets;
  private final ReadBounds bounds;

  EntityReads(Database database, Targets targets, ReadBounds bounds) {
    this.database = database;
    this.targets = targets;
    this.bounds = bounds;
  }

  /**
   * A page of entities, as {@code { items, nextCursor? }}.
   *
   * @param route the endpoint's name, to which cursors belong
   */
  public byte[] page(
      RepositoryAccess access,
      String route,
      EntityFilter filter,
      int limit,
      Optional<String> cursor) {
    return read(access, filter, () -> answer(access, route, filter, limit, cursor));
  }

  private byte[] answer(
      RepositoryAccess access,
      String route,
      EntityFilter filter,
      int limit,
      Optional<String> cursor) {
    var list = "%s %s %s".formatted(route, access.repoId(), filter.text());
    var after = cursor.map(c -> Cursor.keys(list, c));
    var where = where(access, filter);
    var out = new JsonOut().object().name("items").array();
    if (where.isPresent()) {
      after.ifPresent(
          keys -> where.get().and("(e.shape_name, e.name) > (?, ?)", keys.get(0), keys.get(1)));
      var next = items(where.get(), filter.includeInactive(), limit, list, out);
      out.endArray();
      next.ifPresent(c -> out.name("nextCursor").value(c));
    } else {
      out.endArray();
    }
    return out.end().toBytes();
  }

  private Optional<String> items(
      Predicates where, boolean withActive, int limit, String list, JsonOut out) {
    var pager = new Pager(limit);
    database.each(
        "select "
            + Items.PAGED
            + " from entity e "
            + where.sql()
            + Pager.inOrder("e.shape_name, e.name")
            + " limit ?",
        0,
        row ->
            pager.take(
                row.getBytes(Items.DATA),
                () -> {
                  Items.write(out, row, withActive);
                  return List.of(row.getString(1), row.getString(2));
                }),
        where.parameters(limit + 1));
    return pager.next(list);
  }

  /** How many entities the filter selects. */
  public long count(RepositoryAccess access, EntityFilter filter) {
    return read(access, filter, () -> where(access, filter).map(this::count).orElse(0L));
  }

  private long count(Predicates where) {
    return database
        .first(
            "select count(*) from entity e " + where.sql(),
            row -> row.getLong(1),
            where.parameters())
        .orElseThrow();
  }

  /** With a target there are several statements, which must see the same moment. */
  private <T> T read(RepositoryAccess access, EntityFilter filter, Supplier<T> read) {
    return bounds.within(access, filter.about().isEmpty() ? read : () -> database.snapshot(read));
  }

  /** The conditions of a filter; empty where its about target does not exist. */
  private Optional<Predicates> where(RepositoryAccess access, EntityFilter filter) {
    var where = filter.predicates(access);
    if (filter.about().isEmpty()) {
      return Optional.of(where);
    }
    var target = targets.find(access, filter.about().get());
    target.ifPresent(t -> targets.about(where, t, access.repoId(), filter.resolveCollections()));
    return target.map(_ -> where);
  }
}
