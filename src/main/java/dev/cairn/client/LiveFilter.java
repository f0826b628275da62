package dev.cairn.client;

/**
 * Which commits an event stream tells of: those that change entities that match.
 *
 * @param shape only entities of this shape; null for any
 * @param match only entities whose wref matches this glob; null for any
 */
public record LiveFilter(@Nullable String shape, @Nullable String match) {
  /** All commits. */
  public static final LiveFilter ALL = new LiveFilter(null, null);
}
