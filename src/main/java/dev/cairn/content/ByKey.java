package dev.cairn.content;

/**
 * SQL that looks up one row by its key, for use after {@code join lateral}. The arguments are SQL:
 * a column or {@code ?}. The planner cannot reorder such a subquery ({@code offset 0}): it is one
 * probe of an index for each row before it.
 */
public final class ByKey {
  private ByKey() {}

  /** The current row of the entity with this id. */
  public static String entity(String repoId, String id) {
    return "(select * from entity k where k.repo_id = %s and k.id = %s offset 0)"
        .formatted(repoId, id);
  }

  /** The current row of the entity with this name. */
  public static String entity(String repoId, String shapeName, String name) {
    return "(select * from entity k where k.repo_id = %s and k.shape_name = %s and k.name = %s offset 0)"
        .formatted(repoId, shapeName, name);
  }

  /**
   * The same by the index on names, whatever the planner knows of the table, in statements with a
   * generic plan ({@code Database.withGenericPlan}): only that index has the order of names, and
   * sorting is off. Otherwise the planner takes the index with the fewest pages for a table that
   * seems to have few rows, such as one from which a large transaction was rolled back, and reads
   * all entities of the repository for each name.
   *
   * @param name a column, not {@code ?}, because the SQL contains it twice
   */
  public static String entityInOrder(String repoId, String shapeName, String name) {
    return """
        (select * from entity k
         where k.repo_id = %1$s and k.shape_name = %2$s and k.name between %3$s and %3$s
         order by k.name offset 0)"""
        .formatted(repoId, shapeName, name);
  }

  /** The version of an entity with this number. */
  public static String version(String repoId, String entityId, String number) {
    return """
        (select * from entity_version k
         where k.repo_id = %s and k.entity_id = %s and k.version = %s offset 0)"""
        .formatted(repoId, entityId, number);
  }

  /** The commit with this sequence number. */
  public static String commit(String repoId, String seq) {
    return "(select * from commit_log k where k.repo_id = %s and k.seq = %s offset 0)"
        .formatted(repoId, seq);
  }
}
