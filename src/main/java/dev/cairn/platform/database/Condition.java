package dev.cairn.platform.database;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A condition that what a piece of work was told before must still meet. It is asked for in the
 * round trip of the first query, or by {@link Database#confirm}.
 */
public abstract class Condition {
  final String sql;
  final Object[] parameters;
  private boolean isMet;

  /** Thrown if a condition is not met: the work is done anew without what it was told. */
  public abstract static class UnmetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected UnmetException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * @param sql a query of one row
   */
  protected Condition(String sql, Object... parameters) {
    this.sql = sql;
    this.parameters = parameters.clone();
  }

  /**
   * Looks at the row.
   *
   * @throws UnmetException if the condition is not met, which ends the work
   */
  protected abstract void check(ResultSet row) throws SQLException;

  /** Takes the row of the query. */
  void answer(ResultSet rows) throws SQLException {
    rows.next();
    check(rows);
    isMet = true;
  }

  /** Whether the row was looked at, and met it. */
  boolean isMet() {
    return isMet;
  }
}
