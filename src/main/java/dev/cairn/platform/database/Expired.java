package dev.cairn.platform.database;

import java.time.Instant;

/**
 * Rows of a table that expire: they are useless some time after a moment that each of them has.
 *
 * @param table a constant of the code
 * @param time the column with the moment, which has an index; a constant of the code
 * @param condition a further condition on these rows, in SQL; a constant of the code
 */
public record Expired(String table, String time, String condition) {
  /** The maximum of one statement, so that none runs long or holds many locks. */
  private static final int MAX_DELETED_ROWS = 1_000;

  /** All rows of a table. */
  public Expired(String table, String time) {
    this(table, time, "true");
  }

  /**
   * Deletes some of the rows whose moment is before this one, the oldest first. What another
   * replica has locked is passed over.
   *
   * @return whether there may be more
   */
  public boolean deleteSome(Database database, Instant before) {
    return delete(database, before, MAX_DELETED_ROWS) == MAX_DELETED_ROWS;
  }

  /**
   * Deletes rows in the same way.
   *
   * @param atMost the maximum number of rows
   * @return how many rows were deleted
   */
  public int delete(Database database, Instant before, long atMost) {
    var sql =
        """
        delete from %1$s where ctid in (
          select ctid from %1$s where %3$s and %2$s < ? order by %2$s limit ?
          for update skip locked)
        """
            .formatted(table, time, condition);
    return database.update(sql, before, atMost);
  }

  /** How many rows there are, expired or not. */
  public long count(Database database) {
    return database
        .first(
            "select count(*) from %s where %s".formatted(table, condition), row -> row.getLong(1))
        .orElseThrow();
  }
}
