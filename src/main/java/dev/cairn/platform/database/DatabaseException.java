package dev.cairn.platform.database;

import java.sql.SQLException;
import java.util.Optional;

/** A statement failed. Classifies failures as those of the caller, the database or the service. */
public final class DatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The failures that are not faults of the service: the caller may try again. */
  public enum Kind {
    CONTENDED("Too many others write the same at this moment.", false),
    LOCKED("Another change to the same is still being written; try again.", false),
    TOO_LONG("The database would have to work on this for too long.", false),
    POOL_IN_USE("Every connection to the database is in use; try again.", true),
    CROWDED("The database has no connection to spare.", true),
    EXHAUSTED("The database is short of memory or disk.", true),
    STOPPED("The database is being stopped or started.", true),
    UNREACHABLE("The database cannot be reached.", true),
    UNUSABLE("The database cannot be used at this moment.", true);

    private final String sentence;
    private final boolean forOperators;

    Kind(String sentence, boolean forOperators) {
      this.sentence = sentence;
      this.forOperators = forOperators;
    }

    /** The detail for the caller. */
    public String sentence() {
      return sentence;
    }

    /** Whether it is logged, because the operator may have to correct or enlarge something. */
    public boolean isForOperators() {
      return forOperators;
    }
  }

  DatabaseException(SQLException cause) {
    super(cause);
  }

  /** Whether the transaction was aborted in favour of another one, so that a retry may succeed. */
  static boolean isRetryable(Throwable failure) {
    return kind(failure).filter(kind -> kind == Kind.CONTENDED).isPresent();
  }

  /** Whether {@code failure} is a lock timeout: another transaction held the lock for too long. */
  public static boolean isLockTimeout(Throwable failure) {
    return kind(failure).filter(kind -> kind == Kind.LOCKED).isPresent();
  }

  /** Whether {@code failure} is a statement that took longer than its time limit. */
  public static boolean isTimeout(Throwable failure) {
    return kind(failure).filter(kind -> kind == Kind.TOO_LONG).isPresent();
  }

  /** Whether a database function of ours refused its input as too large. */
  public static boolean isLimit(Throwable failure) {
    return state(failure).filter("54000"::equals).isPresent();
  }

  /** Which kind of failure it is; empty for a fault of the service. */
  public static Optional<Kind> kind(Throwable failure) {
    return state(failure)
        .flatMap(state -> state.isEmpty() ? Optional.of(ofPool(failure)) : ofState(state));
  }

  private static Optional<Kind> ofState(String state) {
    return Optional.ofNullable(
        switch (state) {
          case "40001", "40P01" -> Kind.CONTENDED;
          case "55P03" -> Kind.LOCKED;
          case "57014" -> Kind.TOO_LONG;
          case "53300" -> Kind.CROWDED;
          default -> ofClass(state);
        });
  }

  private static Kind ofClass(String state) {
    if (state.startsWith("57P")) {
      return Kind.STOPPED;
    }
    if (state.startsWith("08")) {
      return Kind.UNREACHABLE;
    }
    return state.startsWith("53") ? Kind.EXHAUSTED : null;
  }

  /** Failures without an SQLSTATE come from the connection pool, and differ only in their text. */
  private static Kind ofPool(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (String.valueOf(cause.getMessage()).contains("Sorry, acquisition timeout")) {
        return Kind.POOL_IN_USE;
      }
    }
    return Kind.UNUSABLE;
  }

  /** The first SQLSTATE among the causes; an empty text if a failure of SQL has none. */
  private static Optional<String> state(Throwable failure) {
    Optional<String> found = Optional.empty();
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        if (sql.getSQLState() != null) {
          return Optional.of(sql.getSQLState());
        }
        found = Optional.of("");
      }
    }
    return found;
  }
}
