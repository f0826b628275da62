package dev.cairn.platform.database;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A condition under which a piece of work may use cached data. It is checked in the round trip of
 * the first query, or by {@link Database#confirm}.
 */
public abstract class Condition {
  final String sql;
  final Object[] parameters;
  private boolean isMet;

  /** Thrown if a condition is not met: the work is repeated without cached data. */
  public abstract static class UnmetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected UnmetException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * @param sql a query that returns one row
   */
  protected Condition(String sql, Object... parameters) {
    this.sql = sql;
    this.parameters = parameters.clone();
  }

  /**
   * Checks the row.
   *
   * @throws UnmetException if the condition is not met, which ends the work
   */
  protected abstract void check(ResultSet row) throws SQLException;

  /** Reads the row of the query. */
  void answer(ResultSet rows) throws SQLException {
    rows.next();
    check(rows);
    isMet = true;
  }

  /** Whether the row was checked and the condition is met. */
  public boolean isMet() {
    return isMet;
  }
}
