package dev.cairn.action.webhook;

import dev.cairn.action.Attempt;
import dev.cairn.action.WebhookSecrets;
import dev.cairn.egress.EgressRequest;
import dev.cairn.platform.Body;
import dev.cairn.platform.secret.Hmac;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.crypto.Mac;

/**
 * The request of a webhook: the headers of Standard Webhooks, and whatever the bound credential set
 * adds. See {@code docs/actions.md}, Webhooks.
 */
final class WebhookCall {
  /** The headers that the service sets itself, which no credential may replace. */
  private static final Set<String> OURS = Set.of("content-type", "user-agent", "traceparent");

  private static final List<String> OUR_PREFIXES = List.of("webhook-", "x-cairn-");

  private WebhookCall() {}

  /**
   * The request of an attempt.
   *
   * @param secrets of the bound credential set; empty for none
   * @throws UnusableSecretException if one of them cannot be used
   */
  static EgressRequest of(Attempt attempt, String url, Map<String, String> secrets, Instant now)
      throws UnusableSecretException, InterruptedException {
    var timestamp = Long.toString(now.getEpochSecond());
    var request =
        EgressRequest.post("webhook", url, attempt.body())
            .onBehalfOf(attempt.tenantId())
            .header("Content-Type", "application/json")
            .header("webhook-id", attempt.runId().toString())
            .header("webhook-timestamp", timestamp)
            .header("X-Cairn-Attempt", Integer.toString(attempt.number()))
            .header("X-Cairn-Trace-Id", attempt.traceId().toString())
            .header("traceparent", attempt.traceparent());
    if (secrets.containsKey(WebhookSecrets.SIGNING_SECRET)) {
      var signed = attempt.runId() + "." + timestamp + ".";
      request =
          request.header(
              "webhook-signature",
              signatures(secrets.get(WebhookSecrets.SIGNING_SECRET), signed, attempt.body()));
    }
    return authenticated(request, secrets);
  }

  /** One for each secret, so that a receiver can change from one to the next. */
  private static String signatures(String secrets, String head, Body body)
      throws UnusableSecretException, InterruptedException {
    var codes = new ArrayList<Mac>();
    for (var secret : WebhookSecrets.signing(secrets)) {
      var code = Hmac.begin(key(secret));
      code.update(head.getBytes(StandardCharsets.US_ASCII));
      codes.add(code);
    }
    var pieces = body.read();
    for (var piece = pieces.next(); piece != null; piece = pieces.next()) {
      for (var code : codes) {
        code.update(piece);
      }
    }
    return codes.stream()
        .map(code -> "v1," + Base64.getEncoder().encodeToString(code.doFinal()))
        .collect(Collectors.joining(" "));
  }

  private static byte[] key(String secret) throws UnusableSecretException {
    try {
      var key = Base64.getDecoder().decode(WebhookSecrets.withoutPrefix(secret));
      if (key.length > 0) {
        return key;
      }
    } catch (IllegalArgumentException e) {
      // the same answer as for an empty one
    }
    throw new UnusableSecretException(
        WebhookSecrets.SIGNING_SECRET
            + " must be one or more base64 values, each optionally prefixed with `whsec_`.");
  }

  private static EgressRequest authenticated(EgressRequest request, Map<String, String> secrets)
      throws UnusableSecretException {
    var with = request;
    for (var header : WebhookSecrets.headers(secrets)) {
      requireName(header.name());
      requireValue(header.key(), header.value());
      with = with.header(header.name(), header.value());
    }
    return with;
  }

  private static void requireName(String name) throws UnusableSecretException {
    var lower = name.toLowerCase(Locale.ROOT);
    if (!EgressRequest.maySend(name)
        || OURS.contains(lower)
        || OUR_PREFIXES.stream().anyMatch(lower::startsWith)) {
      throw new UnusableSecretException(
          WebhookSecrets.API_KEY_HEADER + " is not a header name that may be set.");
    }
  }

  private static void requireValue(String key, String value) throws UnusableSecretException {
    if (!EgressRequest.maySendValue(value)) {
      throw new UnusableSecretException(key + " has characters that are not allowed in a header.");
    }
  }
}
