package dev.cairn.client;

import java.util.List;

/**
 * A collection with these members, of which exactly one list is not null.
 *
 * @param pair two wrefs in order
 * @param triple three wrefs in order
 * @param set wrefs without order, each once
 * @param list wrefs in order
 */
public record InlineCollection(
    @Nullable List<String> pair,
    @Nullable List<String> triple,
    @Nullable List<String> set,
    @Nullable List<String> list)
    implements About {
  /** Two entities in order. */
  public static InlineCollection pairOf(String first, String second) {
    return new InlineCollection(List.of(first, second), null, null, null);
  }

  /** Three entities in order. */
  public static InlineCollection tripleOf(String first, String second, String third) {
    return new InlineCollection(null, List.of(first, second, third), null, null);
  }

  /** Entities without order, each once. */
  public static InlineCollection setOf(List<String> wrefs) {
    return new InlineCollection(null, null, wrefs, null);
  }

  /** Entities in order. */
  public static InlineCollection listOf(List<String> wrefs) {
    return new InlineCollection(null, null, null, wrefs);
  }
}
