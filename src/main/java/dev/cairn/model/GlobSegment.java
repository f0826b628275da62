package dev.cairn.model;

/**
 * What stands between two slashes of a glob.
 *
 * @param regex what one segment must match; null for {@code **}
 * @param prefix the literal text before the first wildcard
 * @param isLiteral whether the prefix is the whole segment
 */
record GlobSegment(String regex, String prefix, boolean isLiteral) {
  static final GlobSegment ANY_DEPTH = new GlobSegment(null, "", false);

  boolean isAnyDepth() {
    return regex == null;
  }
}
