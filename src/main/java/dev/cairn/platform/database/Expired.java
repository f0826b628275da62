package dev.cairn.platform.database;

import java.time.Instant;

/**
 * The rows of a table that are useless some time after a moment that each of them has.
 *
 * @param table a constant of the code
 * @param time the column with the moment, which has an index; a constant of the code
 */
public record Expired(String table, String time) {
  /** In one statement, so that none runs long or holds many locks. */
  private static final int AT_ONCE = 1_000;

  /**
   * Deletes some of the rows whose moment is before this one, the oldest first. What another
   * replica has locked is passed over.
   *
   * @return whether there may be more
   */
  public boolean deleteSome(Database database, Instant before) {
    var sql =
        """
        delete from %1$s where ctid in (
          select ctid from %1$s where %2$s < ? order by %2$s limit ? for update skip locked)
        """
            .formatted(table, time);
    return database.update(sql, before, AT_ONCE) == AT_ONCE;
  }
}
