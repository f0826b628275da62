package dev.cairn.client;

/**
 * A notification that a run has ended.
 *
 * @param runId a run; a UUID of version 7
 * @param subscriptionName the subscription's name
 * @param commitId the commit, or an id in place of one for a tick; null for callers that may not
 *     read the repository that it is from
 * @param attempt the number of the last attempt; 0 if there was none
 * @param channel the inbox, or the repository's notification URL ({@code inbox}, {@code webhook})
 * @param status whether it was delivered ({@code queued}, {@code delivered})
 * @param outcome how the run ended ({@code failed}, {@code succeeded})
 * @param errorCode the code of the error of an attempt, see {@code docs/actions.md}, Codes; null if
 *     absent
 * @param errorMessage the error message; null for callers that may not see it, see {@code
 *     docs/actions.md}, What callers see
 * @param createdAt milliseconds since 1970-01-01 UTC
 * @param resolvedAt when a later retry of the failed run succeeded, in milliseconds since
 *     1970-01-01 UTC; null if none did
 * @param dispatch the state of the call, if the channel is {@code webhook}; null if absent
 */
public record Notification(
    String runId,
    String subscriptionName,
    @Nullable String commitId,
    int attempt,
    @Values({"inbox", "webhook"}) String channel,
    @Values({"queued", "delivered"}) String status,
    @Values({"failed", "succeeded"}) String outcome,
    @Nullable String errorCode,
    @Nullable String errorMessage,
    long createdAt,
    @Nullable Long resolvedAt,
    @Nullable Dispatch dispatch) {

  /**
   * The state of the call, if the channel is {@code webhook}.
   *
   * @param status the state of a run ({@code pending}, {@code running}, {@code retry_wait}, {@code
   *     succeeded}, {@code failed_terminal}, {@code dead_letter})
   * @param attemptCount the number of attempts so far
   * @param errorCode the code of the error of an attempt, see {@code docs/actions.md}, Codes; null
   *     if absent
   * @param errorMessage the error message; null if absent
   */
  public record Dispatch(
      @Values({"pending", "running", "retry_wait", "succeeded", "failed_terminal", "dead_letter"})
          String status,
      int attemptCount,
      @Nullable String errorCode,
      @Nullable String errorMessage) {}
}
