package dev.cairn.subscription;

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
 * A message as Standard Webhooks has it: by its headers a receiver knows that a call is ours. See
 * {@code docs/actions.md}, Webhooks.
 *
 * @param id the same for each attempt to send it
 * @param sentAt when it is sent
 * @param payload what is signed besides the two
 */
public record WebhookMessage(String id, Instant sentAt, Body payload) {
  /** The headers that the service sets itself, which no credential may replace. */
  private static final Set<String> OURS = Set.of("content-type", "user-agent", "traceparent");

  private static final List<String> OUR_PREFIXES = List.of("webhook-", "x-cairn-");

  /**
   * A call that sends the message, signed and authenticated with the {@code WEBHOOK_…} keys of a
   * credential set.
   *
   * @param set the values by their keys' names; empty for a call with neither
   * @throws UnusableSecretException if one of them cannot be used
   */
  public EgressRequest authenticated(EgressRequest call, Map<String, String> set)
      throws UnusableSecretException, InterruptedException {
    var secrets = set.get(WebhookSecrets.SIGNING_SECRET);
    var with =
        secrets == null ? identified(call) : signed(call, WebhookSecrets.SIGNING_SECRET, secrets);
    for (var header : WebhookSecrets.headers(set)) {
      requireName(header.name());
      requireValue(header.key(), header.value());
      with = with.header(header.name(), header.value());
    }
    return with;
  }

  /**
   * A call that sends the message with its signatures: one for each secret, so that a receiver can
   * change from one to the next.
   *
   * @param key the key of the secrets in their set
   * @param secrets separated by white space
   * @throws UnusableSecretException if one of them is not base64
   */
  public EgressRequest signed(EgressRequest call, String key, String secrets)
      throws UnusableSecretException, InterruptedException {
    var head = (id + "." + timestamp() + ".").getBytes(StandardCharsets.US_ASCII);
    var codes = new ArrayList<Mac>();
    for (var secret : WebhookSecrets.signing(secrets)) {
      var code = Hmac.begin(bytes(key, secret));
      code.update(head);
      codes.add(code);
    }
    var pieces = payload.read();
    for (var piece = pieces.next(); piece != null; piece = pieces.next()) {
      for (var code : codes) {
        code.update(piece);
      }
    }
    return identified(call)
        .header(
            "webhook-signature",
            codes.stream()
                .map(code -> "v1," + Base64.getEncoder().encodeToString(code.doFinal()))
                .collect(Collectors.joining(" ")));
  }

  private EgressRequest identified(EgressRequest call) {
    return call.header("webhook-id", id).header("webhook-timestamp", timestamp());
  }

  private String timestamp() {
    return Long.toString(sentAt.getEpochSecond());
  }

  private static byte[] bytes(String key, String secret) throws UnusableSecretException {
    try {
      var bytes = Base64.getDecoder().decode(WebhookSecrets.withoutPrefix(secret));
      if (bytes.length > 0) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // the same answer as for an empty one
    }
    throw new UnusableSecretException(
        key + " must be one or more base64 values, each optionally prefixed with `whsec_`.");
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
