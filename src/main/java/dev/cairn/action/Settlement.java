package dev.cairn.action;

import java.time.Duration;
import java.util.UUID;

/**
 * What becomes of a run at the end of an attempt.
 *
 * @param attempt the attempt that it is about; the run must still be in it
 * @param lease of the worker that had it; null where it waited for a callback
 * @param status what the run changes to
 * @param delay until somebody looks at it again; null where it ended
 * @param failure why the attempt failed; null where it did not
 * @param httpStatus null where there was no HTTP answer
 * @param moreAttempts how many more than so far the run may have from now on
 * @param isUntried whether the attempt does not count, so that an urgent run stays urgent
 */
record Settlement(
    UUID repoId,
    UUID runId,
    int attempt,
    UUID lease,
    RunStatus status,
    Duration delay,
    Failure failure,
    Integer httpStatus,
    int moreAttempts,
    boolean isUntried) {

  /** The code and sentence of a failed attempt. */
  record Failure(String code, String message) {}

  /** The status that the attempt gets. */
  String attemptStatus() {
    return switch (status) {
      case RUNNING -> "started";
      case SUCCEEDED -> "succeeded";
      default -> "failed";
    };
  }
}
