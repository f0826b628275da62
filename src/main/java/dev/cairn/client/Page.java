package dev.cairn.client;

import java.util.List;

/** A page of a list. */
public interface Page<T> {
  /** The items; a page may have fewer than were asked for, even none, and still not be the last. */
  List<T> items();

  /** The cursor of the next page; null on the last page. */
  @Nullable
  String nextCursor();
}
