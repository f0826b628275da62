package dev.cairn.search;

import dev.cairn.egress.EgressRequest;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.StartupCheck;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Checks the settings of the embedding service at the start. */
@Singleton
final class EmbeddingSettings implements StartupCheck {
  private static final Set<String> SCHEMES = Set.of("http", "https");
  private static final int MAX_DIMENSIONS = 4_096;
  private static final int MAX_MODEL = 200;
  private static final int MAX_BATCH = 256;
  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(5);

  private final CairnConfig.Embedding config;

  EmbeddingSettings(CairnConfig config) {
    this.config = config.embedding();
  }

  @Override
  public List<String> faults() {
    if (config.url().isEmpty()) {
      return List.of();
    }
    var faults = new ArrayList<String>();
    if (!isBase(config.url().get())) {
      faults.add(
          "cairn.embedding.url (CAIRN_EMBEDDING_URL) must be the http or https URL of an"
              + " OpenAI-compatible API, without a query.");
    }
    if (config.model().filter(EmbeddingSettings::isModel).isEmpty()) {
      faults.add(
          "cairn.embedding.model (CAIRN_EMBEDDING_MODEL) must be the name of a model, of at most "
              + MAX_MODEL
              + " printable ASCII characters.");
    }
    if (config.key().filter(key -> !EgressRequest.maySendValue(key)).isPresent()) {
      faults.add("cairn.embedding.key (CAIRN_EMBEDDING_KEY) must be printable ASCII.");
    }
    if (!isBetween(config.dimensions().orElse(0), MAX_DIMENSIONS)) {
      faults.add(
          "cairn.embedding.dimensions (CAIRN_EMBEDDING_DIMENSIONS) must be the number of dimensions"
              + " of the model's vectors, 1 to "
              + MAX_DIMENSIONS
              + ".");
    }
    if (!isBetween(config.batch(), MAX_BATCH)) {
      faults.add(
          "cairn.embedding.batch (CAIRN_EMBEDDING_BATCH) must be 1 to %d.".formatted(MAX_BATCH));
    }
    if (config.timeout().toSeconds() < 1 || config.timeout().compareTo(MAX_TIMEOUT) > 0) {
      faults.add("cairn.embedding.timeout (CAIRN_EMBEDDING_TIMEOUT) must be PT1S to PT5M.");
    }
    return faults;
  }

  private static boolean isModel(String name) {
    return !name.isBlank() && name.length() <= MAX_MODEL && EgressRequest.maySendValue(name);
  }

  private static boolean isBase(URI url) {
    return SCHEMES.contains(String.valueOf(url.getScheme()))
        && url.getHost() != null
        && url.getUserInfo() == null
        && url.getQuery() == null
        && url.getFragment() == null;
  }

  private static boolean isBetween(int number, int max) {
    return number >= 1 && number <= max;
  }
}
