package dev.cairn.content;

import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The numbers of entities that each commit keeps up to date, so that counting reads a row for each
 * shape instead of one for each entity. Built-in shapes are not counted.
 */
@ApplicationScoped
public class KeptCounts {
  /** The active entities of a repository, which is the parameter, by shape. */
  public static final String BY_SHAPE =
      """
      select s.name as shape_name,
             coalesce(sum(c.count) filter (where c.kind = 'shape'), 0) as shapes,
             coalesce(sum(c.count) filter (where c.kind = 'thing'), 0) as things,
             coalesce(sum(c.count) filter (where c.kind = 'assertion'), 0) as assertions
      from entity_count c
      cross join lateral %s s
      where c.repo_id = ? and c.active
      group by s.name
      """
          .formatted(ByKey.entity("c.repo_id", "c.shape_id"));

  private final Database database;

  KeptCounts(Database database) {
    this.database = database;
  }

  /**
   * The number of entities.
   *
   * @param shape the name of their shape; empty for any
   * @param kind a kind of the read API; empty for any
   */
  public long count(
      UUID repoId, Optional<String> shape, Optional<String> kind, boolean includeInactive) {
    var where = new Predicates("c.repo_id = ?", repoId);
    shape.ifPresent(
        name ->
            where.and(
                "c.shape_id = (select s.id from entity s where s.repo_id = ? and "
                    + StoredShapes.any("s")
                    + " and s.name = ?)",
                repoId,
                name));
    kind.ifPresent(wanted -> kind(where, wanted));
    if (!includeInactive) {
      where.and("c.active");
    }
    return database
        .first(
            "select coalesce(sum(c.count), 0)::bigint from entity_count c " + where.sql(),
            row -> row.getLong(1),
            where.parameters())
        .orElseThrow();
  }

  /** The repositories with at least a number of active entities, and how many they have. */
  public Map<UUID, Long> large(int atLeast) {
    var large = new HashMap<UUID, Long>();
    database.each(
        """
        select c.repo_id, sum(c.count)::bigint from entity_count c where c.active
        group by c.repo_id having sum(c.count) >= ?
        """,
        0,
        row -> {
          large.put(row.getObject(1, UUID.class), row.getLong(2));
          return true;
        },
        atLeast);
    return large;
  }

  private static void kind(Predicates where, String kind) {
    if (kind.equals("collection")) {
      where.and("c.kind = 'thing' and c.shape_id = any (?)", (Object) CollectionShapes.ids());
    } else {
      where.and("c.kind = ?", kind);
    }
  }
}
