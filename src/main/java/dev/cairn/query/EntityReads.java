package dev.cairn.query;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.platform.Cursor;
import dev.cairn.platform.Database;
import dev.cairn.platform.JsonOut;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/** Lists and counts entities of HEAD by filter, in the order of shape name and name. */
@ApplicationScoped
public class EntityReads {
  private final Database database;
  private final Targets targets;

  EntityReads(Database database, Targets targets) {
    this.database = database;
    this.targets = targets;
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
    var pager = new Pager(limit, out::size);
    database.each(
        "select "
            + Items.COLUMNS
            + " from entity e "
            + where.sql()
            + " order by e.shape_name, e.name limit ?",
        Pager.fetchSize(limit),
        row ->
            pager.take(
                () -> {
                  Items.write(out, row, withActive);
                  return List.of(row.getString(1), row.getString(2));
                }),
        where.parameters(limit + 1));
    return pager.next(list);
  }

  /** How many entities the filter selects. */
  public long count(RepositoryAccess access, EntityFilter filter) {
    return where(access, filter)
        .map(
            where ->
                database
                    .first(
                        "select count(*) from entity e " + where.sql(),
                        row -> row.getLong(1),
                        where.parameters())
                    .orElseThrow())
        .orElse(0L);
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
