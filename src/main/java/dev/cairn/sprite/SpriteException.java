package dev.cairn.sprite;

import java.util.Set;

/** A command could not be begun, or was ended before it exited. */
final class SpriteException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The statuses below 500 that another attempt may not get again. */
  private static final Set<Integer> TRANSIENT = Set.of(408, 425, 429);

  private static final int SERVER_ERROR = 500;

  private final SpriteError error;
  private final Integer httpStatus;
  private final boolean retryable;
  private final String output;

  private SpriteException(
      SpriteError error, String message, Integer httpStatus, boolean retryable, String output) {
    super(message);
    this.error = error;
    this.httpStatus = httpStatus;
    this.retryable = retryable;
    this.output = output;
  }

  /** A failure that may not happen again in another attempt. */
  static SpriteException retryable(SpriteError error, String message) {
    return new SpriteException(error, message, null, true, "");
  }

  /** A failure that would happen again in another attempt. */
  static SpriteException terminal(SpriteError error, String message) {
    return new SpriteException(error, message, null, false, "");
  }

  /** The backend answered with an error status. */
  static SpriteException http(int status, String what) {
    return new SpriteException(
        SpriteError.SPRITE_EXEC_HTTP_ERROR,
        "The backend answered %d to %s.".formatted(status, what),
        status,
        status >= SERVER_ERROR || TRANSIENT.contains(status),
        "");
  }

  /** The backend did not answer. */
  static SpriteException noAnswer(String what) {
    return retryable(
        SpriteError.SPRITE_EXEC_HTTP_ERROR, "The backend gave no answer to " + what + ".");
  }

  /** The backend did not answer until the end of the attempt's time. */
  static SpriteException outOfTime(String what) {
    return retryable(
        SpriteError.SPRITE_EXECUTION_FAILED,
        "The time of the run is over, and the backend gave no answer to " + what + ".");
  }

  /** The backend answered with success, but with an unreadable body. */
  static SpriteException noJson(String what) {
    return retryable(
        SpriteError.SPRITE_EXEC_HTTP_ERROR,
        "The backend's answer to " + what + " is not the JSON that was expected.");
  }

  /** The backend answered with a body beyond the maximum. */
  static SpriteException tooLong(int status, String what) {
    return new SpriteException(
        SpriteError.SPRITE_EXEC_HTTP_ERROR,
        "The backend's answer to %s has more than 1 MiB.".formatted(what),
        status,
        true,
        "");
  }

  /** The same exception with the output of the command until then. */
  SpriteException with(String written) {
    return new SpriteException(error, getMessage(), httpStatus, retryable, written);
  }

  SpriteError error() {
    return error;
  }

  /** Null if there was no HTTP answer. */
  Integer httpStatus() {
    return httpStatus;
  }

  /** Whether the backend did not answer or answered with 5xx, so that the call can be retried. */
  boolean isBackendFailure() {
    return error == SpriteError.SPRITE_EXEC_HTTP_ERROR
        && (httpStatus == null || httpStatus >= SERVER_ERROR);
  }

  boolean isRetryable() {
    return retryable;
  }

  /** The output of the command, which may contain secrets. */
  String output() {
    return output;
  }
}
