package dev.cairn.platform;

import java.sql.SQLException;
import java.util.Optional;

/** A statement failed. Which failures are the caller's, the database's or ours is decided here. */
public final class DatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DatabaseException(SQLException cause) {
    super(cause);
  }

  /**
   * Whether {@code failure} is a transaction given up for another's sake: the same again may do.
   */
  static boolean isRetryable(Throwable failure) {
    return state(failure).filter(s -> s.equals("40001") || s.equals("40P01")).isPresent();
  }

  /** Whether {@code failure} is a statement that ran into the statement time-out. */
  static boolean isTimeout(Throwable failure) {
    return state(failure).filter(s -> s.equals("57014")).isPresent();
  }

  /**
   * Whether {@code failure} says that the database cannot be reached or used now: class 08 and 57
   * (connection, operator intervention), 53 (resources), or no connection free in the pool.
   */
  static boolean isUnavailable(Throwable failure) {
    return state(failure)
        .filter(s -> s.startsWith("08") || s.startsWith("57") || s.startsWith("53") || s.isEmpty())
        .isPresent();
  }

  /** The SQLSTATE of the nearest SQL failure among the causes; empty text where it has none. */
  private static Optional<String> state(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return Optional.of(sql.getSQLState() == null ? "" : sql.getSQLState());
      }
    }
    return Optional.empty();
  }
}
