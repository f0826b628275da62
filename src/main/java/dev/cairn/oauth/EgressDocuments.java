package dev.cairn.oauth;

import dev.cairn.egress.EgressClient;
import dev.cairn.egress.EgressRequest;
import dev.cairn.egress.EgressResult;
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
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 16 * 1024;
  private static final Duration UNLESS_SAID = Duration.ofMinutes(5);
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
    return client.call(request) instanceof EgressResult.Answer answer
            && answer.status() == 200
            && !answer.truncated()
        ? Optional.of(
            new Document(new String(answer.body(), StandardCharsets.UTF_8), freshFor(answer)))
        : Optional.empty();
  }

  private static Duration freshFor(EgressResult.Answer answer) {
    var rules = answer.header("cache-control").orElse("");
    if (NOT_KEPT.matcher(rules).find()) {
      return Duration.ZERO;
    }
    var age = MAX_AGE.matcher(rules);
    return age.find() ? Duration.ofSeconds(Long.parseLong(age.group(1))) : UNLESS_SAID;
  }
}
