package dev.cairn.content;

import dev.cairn.platform.Database;

/** Measures the statements that write a commit: how many bytes more the repository stores. */
final class Growth {
  private Growth() {}

  /**
   * Runs an insert or update, and adds up what it says of each row.
   *
   * @param change the statement, without {@code returning}
   * @param bytes what each row adds, as an expression of SQL
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
