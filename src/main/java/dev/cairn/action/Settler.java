package dev.cairn.action;

import dev.cairn.action.Settlement.Failure;
import dev.cairn.platform.CairnConfig;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Decides what an attempt's end makes of its run; {@code docs/actions.md}, Runs.
 *
 * <p>Which retries happen when: {@code docs/actions.md}, Retries.
 */
@Singleton
class Settler {
  private final Ladder ladder;
  private final Duration callbackDeadline;

  Settler(Ladder ladder, CairnConfig config) {
    this.ladder = ladder;
    this.callbackDeadline = config.callback().deadline();
  }

  /** The end of an attempt whose executor has answered. */
  Settlement settle(RunningAttempt at, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded(var http) -> at.to(RunStatus.SUCCEEDED, null, null, http);
      case Outcome.Accepted(var http) -> at.to(RunStatus.RUNNING, callbackDeadline, null, http);
      case Outcome.Failed failed when failed.retryable() ->
          again(at, failure(failed), failed.httpStatus(), failed.retryAfter());
      case Outcome.Failed failed ->
          at.to(RunStatus.FAILED_TERMINAL, null, failure(failed), failed.httpStatus());
    };
  }

  private static Failure failure(Outcome.Failed failed) {
    return new Failure(failed.code(), failed.message());
  }

  /** A failure that may pass: another attempt, if one is left. */
  Settlement again(RunningAttempt at, Failure failure, Integer http, Duration retryAfter) {
    return at.number() >= at.maxAttempts()
        ? at.to(RunStatus.DEAD_LETTER, null, failure, http)
        : at.to(RunStatus.RETRY_WAIT, ladder.after(at.number(), retryAfter), failure, http);
  }

  /** The end of an attempt of which nothing was heard in time: of its worker, or by a callback. */
  Settlement overdue(RunningAttempt at) {
    var failure =
        at.lease() == null
            ? new Failure(Codes.CALLBACK_TIMEOUT, "No callback came before the deadline.")
            : new Failure(Codes.WORKER_LOST, "The service ended in the middle of the attempt.");
    return again(at, failure, null, null);
  }

  /** An attempt that its worker breaks off for its own sake: the run does not pay for it. */
  Settlement giveBack(RunningAttempt at) {
    var failure =
        new Failure(Codes.WORKER_STOPPED, "The service stopped; the attempt is repeated.");
    return new Settlement(
        at.repoId(),
        at.runId(),
        at.number(),
        at.lease(),
        RunStatus.RETRY_WAIT,
        Duration.ZERO,
        failure,
        null,
        at.number() >= at.maxAttempts() ? 1 : 0,
        true);
  }
}
