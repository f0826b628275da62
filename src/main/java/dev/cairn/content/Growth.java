package dev.cairn.content;

import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;

/**
 * The changes of commits that are sent together, and by how many bytes they increase the stored
 * content.
 */
public final class Growth {
  private final Database database;
  private StatementBatch batch = new StatementBatch();
  private long bytes;

  /** No change so far. */
  public Growth(Database database) {
    this.database = database;
  }

  /**
   * Adds an insert or update.
   *
   * @param change the statement, without {@code returning}
   * @param bytes an SQL expression for the bytes that a row adds
   */
  void add(String change, String bytes, Object... parameters) {
    batch.add(
        "with written as ("
            + change
            + " returning "
            + bytes
            + " as bytes) select coalesce(sum(bytes), 0)::bigint from written",
        row -> {
          this.bytes += row.getLong(1);
          return false;
        },
        parameters);
  }

  /** Adds a change that stores as many bytes as before. */
  void addNeutral(String change, Object... parameters) {
    batch.add(change, parameters);
  }

  /** Sends what was added since the last time. */
  public void send() {
    var sent = batch;
    batch = new StatementBatch();
    database.send(sent);
  }

  /** The bytes that everything sent so far has added. */
  public long bytes() {
    return bytes;
  }
}
