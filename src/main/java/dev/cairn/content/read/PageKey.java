package dev.cairn.content.read;

import java.util.List;

/**
 * The last entity of a page in the order of shape names and names; the next page begins after it.
 * See {@code docs/api.md}, Pagination.
 */
public record PageKey(String shapeName, String name) {
  /** Reads the keys of a cursor. */
  public static PageKey of(List<String> keys) {
    return new PageKey(keys.get(0), keys.get(1));
  }
}
