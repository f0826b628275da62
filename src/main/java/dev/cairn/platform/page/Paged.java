package dev.cairn.platform.page;

/** An answer that may be followed by more of the same list; see {@code docs/api.md}, Pagination. */
public interface Paged {
  /** Where the next page begins; null at the end. */
  String nextCursor();
}
