package dev.cairn.action;

import dev.cairn.platform.Body;
import dev.cairn.work.WorkTarget;
import java.time.Instant;
import java.util.UUID;

/**
 * A run that a worker has taken, with what it needs to carry it out.
 *
 * @param envelope the JSON to send, as {@link Envelope} or {@link Notices} made it, in UTF-8
 * @param sourceRepoId the repository of the commit; null for a schedule
 * @param matched the indexes of the operations that matched
 * @param subscriptionVersion {@code xmin} of the subscription's row; null if that was deleted
 * @param baseUrl of the subscription; null if that was deleted, or there is none
 * @param isFailing whether the latest attempts of the target failed
 * @param callback for which time the token of its callback is valid
 */
record ClaimedRun(
    RunningAttempt running,
    WorkTarget target,
    UUID subscriptionId,
    UUID traceId,
    byte[] envelope,
    UUID sourceRepoId,
    long sourceSeq,
    int[] matched,
    Instant createdAt,
    String org,
    String repo,
    String subscriptionName,
    String subscriptionVersion,
    String baseUrl,
    boolean isFailing,
    CallbackTokens.Validity callback) {

  /** Whether it is the call of a notification URL, which belongs to no subscription. */
  boolean isNotice() {
    return target.executor().equals(Notices.KIND);
  }

  /**
   * The attempt, as its executor gets it.
   *
   * @param callbackToken null if the run has no callback
   */
  Attempt attempt(Body body, String callbackToken, String traceparent) {
    return new Attempt(
        target.tenantId(),
        running.repoId(),
        org,
        repo,
        running.runId(),
        subscriptionId,
        subscriptionName,
        running.number(),
        traceId,
        traceparent,
        callbackToken,
        body);
  }

  /** Only what may be logged. */
  @Override
  public String toString() {
    return "run %s, attempt %d".formatted(running.runId(), running.number());
  }
}
