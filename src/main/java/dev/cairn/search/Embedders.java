package dev.cairn.search;

import dev.cairn.platform.CairnConfig;
import dev.cairn.search.EmbeddingService.Model;
import jakarta.inject.Singleton;
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
        ? ofService(new Model(config.model().orElseThrow(), config.dimensions().orElseThrow()))
        : builtIn;
  }

  /**
   * Whether vectors that are stored follow their entities: those of a former model do not, since
   * the service may no longer have it.
   */
  boolean areWritten(String version) {
    return version.equals(builtIn.version()) || version.equals(current().version());
  }

  /**
   * The embedder of vectors that are stored; empty if this program does not have it. The service
   * may still have a model that was configured before.
   */
  Optional<Embedder> find(String version) {
    if (version.equals(builtIn.version())) {
      return Optional.of(builtIn);
    }
    return ServiceEmbedder.model(version)
        .filter(_ -> config.url().isPresent())
        .map(this::ofService);
  }

  private Embedder ofService(Model model) {
    return new ServiceEmbedder(service, model, config.batch(), config.timeout());
  }
}
