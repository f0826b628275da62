package dev.cairn.search;

import java.util.List;

/**
 * Turns texts into vectors, so that similar texts have a small angle between theirs; see {@code
 * docs/search.md}, Vectors.
 */
interface Embedder {
  /** The characters of a title or body that are embedded. */
  int MAX_CHARACTERS = 8_000;

  /**
   * A text to embed.
   *
   * @param title the name of an entity; empty for a query
   * @param body the rest
   */
  record Passage(String title, String body) {}

  /** What the vectors depend on: those of two versions cannot be compared. Never empty. */
  String version();

  /**
   * The vectors of texts, in their order: each of {@link StoredVector#DIMENSIONS} numbers and of
   * length 1, or all zeros for a text without words.
   */
  List<float[]> embed(List<Passage> passages);

  /** The vector of a query. */
  default float[] embed(String query) {
    return embed(List.of(new Passage("", query))).getFirst();
  }
}
