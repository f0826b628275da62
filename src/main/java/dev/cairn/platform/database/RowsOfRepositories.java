package dev.cairn.platform.database;

import java.util.List;
import java.util.UUID;

/**
 * Rows of repositories that may be too many for the transaction that deletes their repository: most
 * of them are deleted afterwards, in batches. No foreign key of these tables points to the
 * repository, and what answers a request or begins a run reads its row first. Each implementation
 * is a bean; {@code tenant.DeletedRepositories} deletes the rows.
 */
public interface RowsOfRepositories {
  /**
   * A table with a column {@code repo_id}, by which an index finds rows.
   *
   * @param bytes SQL for about how many bytes a row has besides a constant, so that few large ones
   *     are deleted at a time
   */
  record Rows(String table, String bytes) {
    /** A table whose rows are small. */
    public static Rows small(String table) {
      return new Rows(table, "0");
    }

    /** A table with one column that may be large. */
    public static Rows with(String table, String column) {
      return new Rows(table, "pg_column_size(" + column + ")");
    }
  }

  /** The tables whose rows are deleted, besides those of jobs of their own. */
  List<Rows> rowsOfRepositories();

  /**
   * Locks what others lock before they write such rows, in the transaction that deletes the
   * repository, before its first rows are deleted.
   */
  default void beforeDeletion(UUID repoId) {}

  /**
   * Runs after the transaction that deleted a repository: for example, makes a chore due that
   * deletes the rest.
   */
  default void afterDeletion() {}
}
