package dev.cairn.access;

/**
 * SQL for the sequence number of a repository's newest commit. The head of a repository belongs to
 * the package {@code content}, which this package may not call.
 */
public final class NewestSeq {
  private NewestSeq() {}

  /**
   * The number; null if there is no such repository.
   *
   * @param repoId SQL for the repository: a column or {@code ?}
   */
  public static String of(String repoId) {
    return "(select h.seq from repository_head h where h.repo_id = " + repoId + ")";
  }
}
