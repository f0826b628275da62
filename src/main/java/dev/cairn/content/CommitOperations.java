package dev.cairn.content;

/** SQL for the operations of a commit: the versions that it made, and its renames. */
public final class CommitOperations {
  private static final String OPERATIONS =
      """
      select v.op_index, v.entity_id, v.operation, v.version, v.active, v.data_hash, v.data,
             null as former_name
      from entity_version v where v.repo_id = %1$s and v.valid_from = %2$s
      union all
      select n.op_index, n.entity_id, 'rename', null, null, null, null, n.old_name
      from entity_rename n where n.repo_id = %1$s and n.seq = %2$s""";

  private CommitOperations() {}

  /**
   * The operations, without an order. A rename has no version, state or payload; only a rename has
   * a former name.
   *
   * @param repoId SQL for the repository; it occurs twice, before {@code seq} each time
   * @param seq SQL for the sequence number of the commit
   */
  public static String of(String repoId, String seq) {
    return OPERATIONS.formatted(repoId, seq);
  }
}
