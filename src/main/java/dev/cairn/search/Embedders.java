package dev.cairn.search;

import dev.cairn.platform.CairnConfig;
import dev.cairn.search.EmbeddingService.Model;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/** The embedders of this program: the built-in one, and the models of the embedding service. */
@Singleton
class Embedders {
  private final Embedder builtIn = new HashingEmbedder();
  private final EmbeddingService service;
  private final CairnConfig.Embedding config;

  Embedders(EmbeddingService service, CairnConfig config) {
    this.service = service;
    this.config = config.embedding();
  }

  /** The embedder of new vectors. */
  Embedder current() {
    return config.url().isPresent()
        ? ofService(
            new Model(config.model().orElseThrow(), config.dimensions().orElseThrow()),
            config.timeout())
        : builtIn;
  }

  /** Whether this program has the embedder of vectors that are stored. */
  boolean isKnown(String version) {
    return find(version, config.timeout()).isPresent();
  }

  /** The embedder of vectors that are stored; empty if this program does not have it. */
  Optional<Embedder> find(String version) {
    return find(version, config.timeout());
  }

  /**
   * The same with another time limit. The service may still have the model that was configured
   * before.
   */
  Optional<Embedder> find(String version, Duration timeout) {
    if (version.equals(builtIn.version())) {
      return Optional.of(builtIn);
    }
    return ServiceEmbedder.model(version)
        .filter(_ -> config.url().isPresent())
        .map(model -> ofService(model, timeout));
  }

  private Embedder ofService(Model model, Duration timeout) {
    return new ServiceEmbedder(service, model, config.batch(), timeout);
  }
}
