package dev.cairn.query;

import java.util.List;

/**
 * The last entity of a page in the order of shape names and names; the next page begins after it.
 * See {@code docs/api.md}, Pagination.
 */
record PageKey(String shapeName, String name) {
  /** Reads the keys of a cursor. */
  static PageKey of(List<String> keys) {
    return new PageKey(keys.get(0), keys.get(1));
  }
}
