package dev.cairn.content.write;

import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;
import java.util.function.LongConsumer;

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
   * Adds an insert or update of rows whose number is known.
   *
   * @param rows how many rows it writes; if it writes others, sending fails with an {@link
   *     IllegalStateException}, and the transaction must be rolled back
   * @param change the statement, without {@code returning}
   * @param bytes an SQL expression for the bytes that a row adds
   */
  void addRows(int rows, String change, String bytes, Object... parameters) {
    add(
        change,
        bytes,
        written -> {
          if (written != rows) {
            throw new IllegalStateException(
                "a commit wrote %d rows instead of %d".formatted(written, rows));
          }
        },
        parameters);
  }

  /**
   * Adds an insert or update of as many rows as the statement finds.
   *
   * @param change the statement, without {@code returning}
   * @param bytes an SQL expression for the bytes that a row adds
   */
  void add(String change, String bytes, Object... parameters) {
    add(change, bytes, _ -> {}, parameters);
  }

  private void add(String change, String bytes, LongConsumer onWritten, Object... parameters) {
    batch.add(
        "with written as ("
            + change
            + " returning "
            + bytes
            + " as bytes) select count(*), coalesce(sum(bytes), 0)::bigint from written",
        row -> {
          onWritten.accept(row.getLong(1));
          this.bytes += row.getLong(2);
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
