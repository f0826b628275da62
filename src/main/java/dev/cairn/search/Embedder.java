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
   * The text of an entity.
   *
   * @param title the name of the entity
   * @param body the rest
   */
  record Passage(String title, String body) {}

  /** What the vectors depend on: those of two versions cannot be compared. Never empty. */
  String version();

  /** Maximum passages of one call. */
  int maxPassages();

  /**
   * The vectors of texts, in their order: all of the same number of dimensions and of any length;
   * all zeros for a text without words or one that cannot be embedded.
   *
   * @param failures how many attempts to index the repository have failed in a row
   * @throws EmbedderException if they cannot be computed at this moment
   */
  List<float[]> embed(List<Passage> passages, int failures) throws InterruptedException;

  /**
   * The vector of a query, which a search waits for.
   *
   * @throws EmbedderException if it cannot be computed at this moment
   */
  float[] embedQuery(String query) throws InterruptedException;

  /** Whether it may take long, because another server is called. */
  boolean isRemote();
}
