package dev.cairn.action.webhook;

import dev.cairn.action.Attempt;
import dev.cairn.action.Codes;
import dev.cairn.action.Outcome;
import dev.cairn.egress.EgressClient;
import dev.cairn.egress.EgressRequest;
import dev.cairn.egress.EgressResult;
import dev.cairn.platform.CairnConfig;
import dev.cairn.subscription.UnusableSecretException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Calls webhooks; {@code docs/actions.md}, Webhooks, has the headers and what answers mean. */
@Singleton
class WebhookClient {
  private static final int ACCEPTED = 202;
  private static final int GONE = 410;

  private final EgressClient egress;
  private final Duration timeout;

  /**
   * The receiver of a call.
   *
   * @param secrets by their keys' names; empty if a set is bound that cannot be used
   */
  record Destination(String url, Optional<Map<String, String>> secrets) {}

  WebhookClient(EgressClient egress, CairnConfig config) {
    this.egress = egress;
    this.timeout = config.webhook().timeout();
  }

  /** Sends the body of an attempt. */
  Outcome call(Attempt attempt, Destination destination) throws InterruptedException {
    if (destination.secrets().isEmpty()) {
      return Outcome.Failed.terminal(
          Codes.CREDENTIALS_UNAVAILABLE,
          "The bound credential set is missing, revoked or cannot be read, or the subscription's"
              + " principal may no longer use it.");
    }
    try {
      return call(
          WebhookCall.of(attempt, destination.url(), destination.secrets().get(), Instant.now()));
    } catch (UnusableSecretException e) {
      return Outcome.Failed.terminal(Codes.CREDENTIALS_UNAVAILABLE, e.getMessage());
    }
  }

  private Outcome call(EgressRequest request) throws InterruptedException {
    var result = egress.call(request.within(timeout));
    if (Thread.interrupted()) {
      throw new InterruptedException("the call was cancelled");
    }
    return switch (result) {
      case EgressResult.Answer answer -> outcome(answer, Instant.now());
      case EgressResult.Forbidden forbidden ->
          Outcome.Failed.terminal(Codes.WEBHOOK_TARGET_FORBIDDEN, forbidden.sentence());
      case EgressResult.Unreachable unreachable ->
          Outcome.Failed.retryable(
              Codes.WEBHOOK_NETWORK_ERROR,
              "The receiver could not be reached: " + unreachable.fault() + ".");
    };
  }

  /** What an answer means. */
  static Outcome outcome(EgressResult.Answer answer, Instant now) {
    int status = answer.status();
    if (status == ACCEPTED) {
      return new Outcome.Accepted(status);
    }
    if (status >= 200 && status < 300) {
      return new Outcome.Succeeded(status);
    }
    boolean retryable = status >= 500 || status == 408 || status == 425 || status == 429;
    var retryAfter = retryable ? answer.retryAfter(now) : Optional.<Duration>empty();
    return new Outcome.Failed(
        "HTTP_" + status,
        "The receiver answered " + status + ".",
        status,
        retryable,
        retryAfter.orElse(null),
        status == GONE);
  }
}
