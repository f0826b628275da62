package dev.cairn.content;

/**
 * SQL for the names that entities had at an earlier moment: the old name of the first rename after
 * that moment, otherwise the current name.
 */
public final class FormerNames {
  private static final String NAME =
      """
      coalesce((
        select later.old_name from entity_rename later
        where later.repo_id = %1$s.repo_id and later.entity_id = %1$s.%2$s and %4$s
        order by later.seq, later.op_index limit 1), %1$s.%3$s)""";

  private FormerNames() {}

  /**
   * The name of an entity.
   *
   * @param entity the alias of a row of {@code entity}
   * @param after the condition that a rename {@code later} is after the moment
   */
  public static String ofEntity(String entity, String after) {
    return NAME.formatted(entity, "id", "name", after);
  }

  /** The name of an entity's shape; the parameters are those of {@link #ofEntity}. */
  public static String ofShape(String entity, String after) {
    return NAME.formatted(entity, "shape_id", "shape_name", after);
  }

  /**
   * Whether any entity was renamed after a commit.
   *
   * @param repoId SQL for the repository
   * @param seq SQL for the sequence number of the commit
   */
  public static String existAfter(String repoId, String seq) {
    return "exists (select from entity_rename later where later.repo_id = %s and later.seq > %s)"
        .formatted(repoId, seq);
  }
}
