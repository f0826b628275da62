package dev.cairn.export;

/**
 * The number that orders what is exported: shapes, things, collections, assertions, each by its id,
 * which is the order in which they were made. {@link ExportQuery} computes it in SQL.
 */
final class Position {
  /** How many bits of a position are the id; those above are the group. */
  static final int ID_BITS = 56;

  /** The last group. */
  static final int ASSERTIONS = 3;

  private Position() {}

  /** Of which group a position is: 0 to {@link #ASSERTIONS}. */
  static int group(long position) {
    return (int) (position >>> ID_BITS);
  }

  /** The id of the entity at a position. */
  static long id(long position) {
    return position & ((1L << ID_BITS) - 1);
  }
}
