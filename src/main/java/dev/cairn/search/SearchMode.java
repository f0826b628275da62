package dev.cairn.search;

import dev.cairn.model.Problem;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** How to search; see {@code docs/search.md}, Modes. */
enum SearchMode {
  /** By words. */
  TEXT,
  /** By the similarity of vectors. */
  VECTOR,
  /** By both: reciprocal rank fusion. */
  HYBRID;

  static SearchMode parse(String pointer, String text) {
    return Arrays.stream(values())
        .filter(mode -> mode.text().equals(text))
        .findFirst()
        .orElseThrow(() -> Problem.invalid(pointer, "`mode` must be one of " + names() + "."));
  }

  private static String names() {
    return Arrays.stream(values()).map(SearchMode::text).collect(Collectors.joining(", "));
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The parts of the index that it reads: words also of what the query excludes. */
  Set<IndexPart> parts() {
    return usesVectors() ? IndexPart.ALL : Set.of(IndexPart.WORDS);
  }

  boolean usesVectors() {
    return this != TEXT;
  }
}
