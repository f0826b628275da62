package dev.cairn.oauth;

import dev.cairn.egress.EgressClient;
import dev.cairn.egress.EgressRequest;
import dev.cairn.egress.EgressResult;
import dev.cairn.egress.NetworkFault;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Fetches documents with the egress client: short ones, from public servers, with a short timeout.
 */
@ApplicationScoped
class EgressDocuments implements DocumentSource {
  static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 16 * 1024;

  /** How long a document without {@code max-age} is used. */
  private static final Duration DEFAULT_LIFETIME = Duration.ofMinutes(5);

  private static final Pattern MAX_AGE =
      Pattern.compile("(?:^|[,\\s])max-age=\"?([0-9]{1,9})", Pattern.CASE_INSENSITIVE);
  private static final Pattern NOT_KEPT =
      Pattern.compile("(?:^|[,\\s])no-(?:store|cache)", Pattern.CASE_INSENSITIVE);

  private final EgressClient client;

  EgressDocuments(EgressClient client) {
    this.client = client;
  }

  @Override
  public Optional<Document> fetch(URI url) {
    var request =
        EgressRequest.get("client-document", url.toString())
            .header("Accept", "application/json")
            .within(TIMEOUT)
            .withResponseLimits(MAX_BYTES, MAX_BYTES);
    return switch (client.call(request)) {
      case EgressResult.Answer answer when answer.status() == 200 && !answer.isTruncated() ->
          Optional.of(
              new Document(new String(answer.body(), StandardCharsets.UTF_8), freshFor(answer)));
      case EgressResult.Unreachable(NetworkFault fault) -> unreachable(fault);
      default -> Optional.empty();
    };
  }

  /** What says nothing about the document is not the client's fault. */
  private static Optional<Document> unreachable(NetworkFault fault) {
    return switch (fault) {
      case TIMEOUT ->
          throw Problem.of(
              ErrorCode.UNAVAILABLE,
              "The server of the client_id did not send its document within 5 seconds: check that"
                  + " it answers, and try again.");
      case BUSY -> throw ClientDocuments.busy();
      case CLOSED ->
          throw Problem.of(
              ErrorCode.UNAVAILABLE, "This replica of the service is stopping; try again.");
      default -> Optional.empty();
    };
  }

  private static Duration freshFor(EgressResult.Answer answer) {
    var rules = answer.header("cache-control").orElse("");
    if (NOT_KEPT.matcher(rules).find()) {
      return Duration.ZERO;
    }
    var age = MAX_AGE.matcher(rules);
    return age.find() ? Duration.ofSeconds(Long.parseLong(age.group(1))) : DEFAULT_LIFETIME;
  }
}
