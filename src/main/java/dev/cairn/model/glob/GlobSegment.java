package dev.cairn.model.glob;

/**
 * The part of a glob between two slashes.
 *
 * @param codes its instructions, see {@link GlobProgram}; none for {@code **}
 * @param prefix the literal text before the first wildcard
 * @param isLiteral whether the prefix is the whole segment
 */
record GlobSegment(int[] codes, String prefix, boolean isLiteral) {
  static final GlobSegment ANY_DEPTH = new GlobSegment(new int[0], "", false);

  boolean isAnyDepth() {
    return codes.length == 0;
  }

  /** Whether it is a lone {@code *}. */
  boolean isAnySegment() {
    return codes.length == 1 && codes[0] == GlobProgram.ANY_SEGMENT;
  }
}
