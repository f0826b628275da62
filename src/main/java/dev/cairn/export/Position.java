package dev.cairn.export;

/**
 * The number that orders exported entities: shapes, things, collections, assertions, and within
 * each group by id, which is the order in which they were added. {@link ExportQuery} computes it in
 * SQL.
 */
final class Position {
  /** The number of low bits that are the id; the bits above are the group. */
  static final int ID_BITS = 56;

  /** The last group. */
  static final int ASSERTIONS = 3;

  private Position() {}

  /** The group of a position: 0 to {@link #ASSERTIONS}. */
  static int group(long position) {
    return (int) (position >>> ID_BITS);
  }

  /** The id of the entity at a position. */
  static long id(long position) {
    return position & ((1L << ID_BITS) - 1);
  }
}
