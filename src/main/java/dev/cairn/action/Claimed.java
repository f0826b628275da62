package dev.cairn.action;

import dev.cairn.platform.Body;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * A run that a worker has taken, with what it needs to carry it out.
 *
 * @param envelope the JSON to send, as {@link Envelope} or {@link Notices} made it, in UTF-8
 * @param sourceRepoId where the commit is; null for a schedule
 * @param matched the indexes of the operations that matched
 * @param subscriptionVersion {@code xmin} of the subscription's row; null if that is gone
 * @param baseUrl of the subscription; null where that is gone, or there is none
 * @param failing whether the target has failed lately
 * @param broughtBack how often the run was brought back after it had failed
 */
record Claimed(
    RunningAttempt running,
    Slots.Target target,
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
    boolean failing,
    int broughtBack) {

  /** Whether it tells of another run, for no subscription. */
  boolean isNotice() {
    return target.kind().equals(Notices.KIND);
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
        baseUrl,
        callbackToken,
        body);
  }

  /** What the lines of the log about it have. */
  Map<String, Object> logIds() {
    return Map.of(
        "repoId", running.repoId(), "runId", running.runId(), "attempt", running.number());
  }

  /** Only what may stand in a log. */
  @Override
  public String toString() {
    return "run %s, attempt %d".formatted(running.runId(), running.number());
  }
}
