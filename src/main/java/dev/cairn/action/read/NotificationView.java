package dev.cairn.action.read;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;

/**
 * A notification as callers see it; {@code docs/actions.md}, Notifications.
 *
 * @param commitId null if the caller may not read the repository that the run's commit is from
 * @param attempt the number of the run's last attempt
 * @param channel {@code inbox} or {@code webhook}
 * @param status {@code queued} or {@code delivered}
 * @param outcome {@code failed} or {@code succeeded}
 * @param errorMessage null if there is none, or if the caller may not see it
 * @param resolvedAt when a later retry of the failed run succeeded; null if none did
 * @param dispatch the state of the call if the channel is {@code webhook}, otherwise null
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NotificationView(
    String runId,
    String subscriptionName,
    String commitId,
    int attempt,
    String channel,
    String status,
    String outcome,
    String errorCode,
    String errorMessage,
    Instant createdAt,
    Instant resolvedAt,
    Dispatch dispatch) {

  /** For callers that may not read the repository that the run's commit is from. */
  NotificationView withoutSource() {
    return new NotificationView(
        runId,
        subscriptionName,
        null,
        attempt,
        channel,
        status,
        outcome,
        errorCode,
        null,
        createdAt,
        resolvedAt,
        dispatch);
  }

  /**
   * The call of the notification URL.
   *
   * @param status one of those of runs
   * @param errorCode why the last attempt failed; null if it did not
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Dispatch(String status, int attemptCount, String errorCode, String errorMessage) {}
}
