package dev.cairn.content;

import dev.cairn.platform.database.Database;

/** Measures by how many bytes a statement of a commit increases the stored content. */
final class Growth {
  private Growth() {}

  /**
   * Runs an insert or update, and returns the sum of the bytes that its rows add.
   *
   * @param change the statement, without {@code returning}
   * @param bytes an SQL expression for the bytes that a row adds
   */
  static long of(Database database, String change, String bytes, Object... parameters) {
    var sql =
        "with written as ("
            + change
            + " returning "
            + bytes
            + " as bytes) select coalesce(sum(bytes), 0)::bigint from written";
    return database.first(sql, row -> row.getLong(1), parameters).orElseThrow();
  }
}
