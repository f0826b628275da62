package dev.cairn.client;

import java.util.List;

/**
 * A repository's content and how to add to it.
 *
 * @param orgName the organization
 * @param name the repository
 * @param description the repository's description; null if absent
 * @param repoSeq the repository's sequence number; the first commit makes it 1
 * @param counts the numbers of active entities
 * @param shapes a page of its shapes, by name
 * @param builtInShapes the built-in shapes that clients may write
 * @param nextCursor an opaque cursor for the next page; null on the last page
 */
public record Description(
    String orgName,
    String name,
    @Nullable String description,
    long repoSeq,
    Counts counts,
    List<DescribedShape> shapes,
    List<DescribedShape> builtInShapes,
    @Nullable String nextCursor) {
  /**
   * The numbers of active entities.
   *
   * @param total all of them
   * @param byKind by kind; a collection also counts as a thing
   */
  public record Counts(long total, ByKind byKind) {
    /**
     * By kind; a collection also counts as a thing.
     *
     * @param shape shapes
     * @param thing things
     * @param assertion assertions
     * @param collection collections
     */
    public record ByKind(long shape, long thing, long assertion, long collection) {}
  }
}
