package dev.cairn.search;

/** What a search by vectors compares entities with. */
public sealed interface QueryVector {
  /** That of a search that needs none, or that has no vectors to compare it with. */
  QueryVector NONE = new None();

  /** Nothing. */
  record None() implements QueryVector {}

  /** A query that no embedder could embed. */
  record Failed() implements QueryVector {}

  /**
   * A vector.
   *
   * @param embedder whose vectors it can be compared with
   * @param entityId the entity whose vector it is, which is no hit; 0 for a query
   */
  record Known(String embedder, StoredVector vector, long entityId) implements QueryVector {}
}
