package dev.cairn.action;

import java.time.Duration;

/** How an attempt ended; what follows from it is in {@code docs/actions.md}, Answers. */
public sealed interface Outcome {
  /**
   * The action is done.
   *
   * @param httpStatus null if there was no HTTP response
   * @param output the beginning of what a command wrote; holds no secret, and is null if there is
   *     none
   */
  record Succeeded(Integer httpStatus, String output) implements Outcome {
    /** The success of an action without output. */
    public Succeeded(Integer httpStatus) {
      this(httpStatus, null);
    }
  }

  /** The action was accepted and will be reported by a callback; the attempt stays open. */
  record Accepted(int httpStatus) implements Outcome {}

  /**
   * The attempt failed.
   *
   * @param code one of those in {@code docs/actions.md}, Codes
   * @param message for people; holds no secret
   * @param httpStatus null if there was no HTTP response
   * @param isRetryable whether another attempt may go better
   * @param retryAfter the shortest wait that the target requires; null if it requires none
   * @param mustPause whether the subscription is to be paused, because its target no longer exists
   */
  record Failed(
      String code,
      String message,
      Integer httpStatus,
      boolean isRetryable,
      Duration retryAfter,
      boolean mustPause)
      implements Outcome {

    /** A failure that another attempt would not change. */
    public static Failed terminal(String code, String message) {
      return new Failed(code, message, null, false, null, false);
    }

    /** A failure that may pass. */
    public static Failed retryable(String code, String message) {
      return new Failed(code, message, null, true, null, false);
    }
  }
}
