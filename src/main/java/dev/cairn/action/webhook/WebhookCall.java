package dev.cairn.action.webhook;

import dev.cairn.action.Attempt;
import dev.cairn.egress.EgressRequest;
import dev.cairn.subscription.UnusableSecretException;
import dev.cairn.subscription.WebhookMessage;
import java.time.Instant;
import java.util.Map;

/**
 * The request of a webhook: the headers of Standard Webhooks, those of the attempt, and whatever
 * the bound credential set adds. See {@code docs/actions.md}, Webhooks.
 */
final class WebhookCall {
  private WebhookCall() {}

  /**
   * The request of an attempt.
   *
   * @param secrets of the bound credential set; empty for none
   * @throws UnusableSecretException if one of them cannot be used
   */
  static EgressRequest of(Attempt attempt, String url, Map<String, String> secrets, Instant now)
      throws UnusableSecretException, InterruptedException {
    var call =
        EgressRequest.post("webhook", url, attempt.body())
            .onBehalfOf(attempt.tenantId())
            .header("Content-Type", "application/json")
            .header("X-Cairn-Attempt", Integer.toString(attempt.number()))
            .header("X-Cairn-Trace-Id", attempt.traceId().toString())
            .header("traceparent", attempt.traceparent());
    return new WebhookMessage(attempt.runId().toString(), now, attempt.body())
        .authenticated(call, secrets);
  }
}
