package dev.cairn.search;

import java.time.Duration;
import java.util.Optional;

/** Thrown if an embedder cannot compute vectors at this moment. */
final class EmbedderException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The delay that the embedder requires; null if it requires none. */
  private final transient Duration retryAfter;

  /**
   * @param retryAfter null if the embedder requires no delay
   */
  EmbedderException(String message, Duration retryAfter) {
    super(message, null, false, false);
    this.retryAfter = retryAfter;
  }

  Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
