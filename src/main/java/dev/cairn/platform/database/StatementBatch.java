package dev.cairn.platform.database;

import java.util.ArrayList;
import java.util.List;

/** Statements that are sent together, in one round trip; they are carried out in order. */
public final class StatementBatch {
  private final List<Sent> statements = new ArrayList<>();

  /**
   * A statement of a batch.
   *
   * @param rows the consumer of its rows; not called if it has none
   */
  record Sent(String sql, Database.RowConsumer rows, Object... parameters) {}

  /**
   * Adds a query, or a change that returns rows.
   *
   * @param rows the consumer of the rows
   */
  public StatementBatch add(String sql, Database.RowConsumer rows, Object... parameters) {
    statements.add(new Sent(sql, rows, parameters));
    return this;
  }

  /** Adds a change that returns no rows. */
  public StatementBatch add(String sql, Object... parameters) {
    return add(sql, _ -> false, parameters);
  }

  /** Adds the statements of another batch. */
  public StatementBatch add(StatementBatch other) {
    statements.addAll(other.statements);
    return this;
  }

  public boolean isEmpty() {
    return statements.isEmpty();
  }

  List<Sent> statements() {
    return statements;
  }
}
