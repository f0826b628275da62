package dev.cairn.search;

import java.util.Locale;
import java.util.Set;

/** A part of the search index of a repository; see {@code docs/search.md}, The index. */
enum IndexPart {
  /** The words of entities, in a language. */
  WORDS,
  /** The vectors of entities, by an embedder. */
  VECTORS;

  static final Set<IndexPart> ALL = Set.of(values());

  static IndexPart of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }

  /** As in the column {@code part}. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The name of its queue, in the metrics too. */
  String queue() {
    return "search-" + text();
  }
}
