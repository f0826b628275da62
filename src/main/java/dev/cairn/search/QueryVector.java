package dev.cairn.search;

import java.util.Optional;

/**
 * The vector of a query.
 *
 * @param embedder whose vectors it can be compared with; empty if there is none
 * @param vector null without an embedder
 * @param isEmbedded false if no embedder answered
 */
public record QueryVector(Optional<String> embedder, StoredVector vector, boolean isEmbedded) {
  /** That of a search that needs none, or has nothing to compare it with. */
  public static final QueryVector NONE = new QueryVector(Optional.empty(), null, true);

  /** That of a query that no embedder could embed. */
  static final QueryVector FAILED = new QueryVector(Optional.empty(), null, false);

  static QueryVector of(String embedder, StoredVector vector) {
    return new QueryVector(Optional.of(embedder), vector, true);
  }
}
