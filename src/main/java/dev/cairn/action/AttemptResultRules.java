package dev.cairn.action;

import dev.cairn.action.AttemptResult.Failure;
import dev.cairn.platform.CairnConfig;
import dev.cairn.work.RetrySchedule;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Decides the new status of a run at the end of an attempt; {@code docs/actions.md}, Runs.
 *
 * <p>Which retries happen when: {@code docs/actions.md}, Retries.
 */
@Singleton
class AttemptResultRules {
  private final RetrySchedule schedule;
  private final Duration callbackDeadline;

  AttemptResultRules(RetrySchedule schedule, CairnConfig config) {
    this.schedule = schedule;
    this.callbackDeadline = config.callback().deadline();
  }

  /** The result of an attempt that ended with an outcome. */
  AttemptResult of(RunningAttempt at, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded succeeded -> at.succeeded(succeeded);
      case Outcome.Accepted(var http) -> at.to(RunStatus.RUNNING, callbackDeadline, null, http);
      case Outcome.Failed failed when failed.isRetryable() ->
          retried(at, failure(failed), failed.httpStatus(), failed.retryAfter());
      case Outcome.Failed failed ->
          at.to(RunStatus.FAILED_TERMINAL, null, failure(failed), failed.httpStatus());
    };
  }

  private static Failure failure(Outcome.Failed failed) {
    return new Failure(failed.code(), failed.message());
  }

  /** The result of a failure that may pass: another attempt, if one is left. */
  AttemptResult retried(RunningAttempt at, Failure failure, Integer http, Duration retryAfter) {
    return at.number() >= at.maxAttempts()
        ? at.to(RunStatus.DEAD_LETTER, null, failure, http)
        : at.to(RunStatus.RETRY_WAIT, schedule.after(at.number(), retryAfter), failure, http);
  }

  /** The result of an attempt whose lease, or the deadline of its callback, has ended. */
  AttemptResult overdue(RunningAttempt at) {
    var failure =
        at.lease() == null
            ? new Failure(Codes.CALLBACK_TIMEOUT, "No callback came before the deadline.")
            : new Failure(Codes.WORKER_LOST, "The service ended in the middle of the attempt.");
    return retried(at, failure, null, null);
  }

  /** The result of an attempt that was cancelled because its worker stops: it does not count. */
  AttemptResult givenBack(RunningAttempt at) {
    var failure =
        new Failure(Codes.WORKER_STOPPED, "The service stopped; the attempt is repeated.");
    return new AttemptResult(
        at.repoId(),
        at.runId(),
        at.number(),
        at.lease(),
        RunStatus.RETRY_WAIT,
        Duration.ZERO,
        failure,
        null,
        null,
        at.number() >= at.maxAttempts() ? 1 : 0,
        true);
  }
}
