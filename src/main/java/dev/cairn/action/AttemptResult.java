package dev.cairn.action;

import java.time.Duration;
import java.util.UUID;

/**
 * What is written of an attempt and its run at the end of the attempt.
 *
 * @param attempt the number of the attempt; the run must still be in it
 * @param lease of the worker that had it; null if it waited for a callback
 * @param status what the run changes to
 * @param delay until the next attempt or the deadline of the callback; null if the run ended
 * @param failure why the attempt failed; null if it did not
 * @param httpStatus null if there was no HTTP response
 * @param output the beginning of the output of a command that succeeded; null if there is none
 * @param moreAttempts how many more than so far the run may have from now on
 * @param isUntried whether the attempt does not count, so that an urgent run stays urgent
 */
record AttemptResult(
    UUID repoId,
    UUID runId,
    int attempt,
    UUID lease,
    RunStatus status,
    Duration delay,
    Failure failure,
    Integer httpStatus,
    String output,
    int moreAttempts,
    boolean isUntried) {

  /** The code and the message of a failed attempt. */
  record Failure(String code, String message) {}

  /** The same with the beginning of the command's output. */
  AttemptResult withOutput(String beginning) {
    return new AttemptResult(
        repoId,
        runId,
        attempt,
        lease,
        status,
        delay,
        failure,
        httpStatus,
        beginning,
        moreAttempts,
        isUntried);
  }

  /** The status that the attempt gets. */
  String attemptStatus() {
    return switch (status) {
      case RUNNING -> "started";
      case SUCCEEDED -> "succeeded";
      default -> "failed";
    };
  }
}
