package dev.cairn.search;

import jakarta.inject.Singleton;
import java.util.Optional;

/** The embedders of this program. */
@Singleton
class Embedders {
  private final Embedder builtIn = new HashingEmbedder();

  /** The embedder of new vectors. */
  Embedder current() {
    return builtIn;
  }

  /** Whether this program has the embedder of vectors that are stored. */
  boolean isKnown(String version) {
    return find(version).isPresent();
  }

  /** The embedder of vectors that are stored; empty if this program does not have it. */
  Optional<Embedder> find(String version) {
    return Optional.of(builtIn).filter(embedder -> embedder.version().equals(version));
  }
}
