package dev.cairn.client;

/**
 * Which page of a list.
 *
 * @param limit the maximum number of items, 1 to 500; null for the service's default
 * @param cursor the {@code nextCursor} of the previous page; null for the first page
 */
public record Paging(@Nullable Integer limit, @Nullable String cursor) {
  /** The first page, with the service's default size. */
  public static Paging first() {
    return new Paging(null, null);
  }

  /** The first page, with at most {@code limit} items. */
  public static Paging first(int limit) {
    return new Paging(limit, null);
  }

  /** The page after the one with this {@code nextCursor}. */
  public Paging after(String nextCursor) {
    return new Paging(limit, nextCursor);
  }
}
