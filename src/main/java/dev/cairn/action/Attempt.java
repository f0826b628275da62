package dev.cairn.action;

import dev.cairn.platform.Body;
import dev.cairn.work.WorkTarget;
import java.util.UUID;

/**
 * One attempt at a run, as an executor gets it; {@code docs/actions.md} has the rules.
 *
 * @param tenantId whose shares it uses: {@link WorkTarget#tenantId}
 * @param repoId the repository of the subscription
 * @param org the name of its organization, as of now
 * @param repo its own name, as of now
 * @param runId what every attempt at the run has in common
 * @param subscriptionName as of now
 * @param number counts from 1
 * @param traceId of the trace that its run belongs to
 * @param traceparent this attempt's own span in that trace, as W3C has it
 * @param callbackToken the token in the callback URL, a secret; null if it is of no subscription
 * @param body the JSON to hand over, the same bytes in every attempt but for the token
 */
public record Attempt(
    UUID tenantId,
    UUID repoId,
    String org,
    String repo,
    UUID runId,
    UUID subscriptionId,
    String subscriptionName,
    int number,
    UUID traceId,
    String traceparent,
    String callbackToken,
    Body body) {

  /** The repository as {@code org/repo}. */
  public String repository() {
    return org + "/" + repo;
  }

  /** Only what may be logged. */
  @Override
  public String toString() {
    return "run %s, attempt %d".formatted(runId, number);
  }
}
