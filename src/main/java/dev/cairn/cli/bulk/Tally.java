package dev.cairn.cli.bulk;

/**
 * What became of the items of an input.
 *
 * @param added entities that were added
 * @param revised entities that were revised, retracted or restored
 * @param renamed entities that were renamed
 * @param unchanged entities that were as they should be
 * @param failed items that were not imported
 */
record Tally(long added, long revised, long renamed, long unchanged, long failed) {
  static final Tally NONE = new Tally(0, 0, 0, 0, 0);

  /** Operations that had an effect, as results name it; a retract is a revise there. */
  static Tally of(String effect, long count) {
    return switch (effect) {
      case "add" -> new Tally(count, 0, 0, 0, 0);
      case "rename" -> new Tally(0, 0, count, 0, 0);
      case "noop" -> unchanged(count);
      default -> new Tally(0, count, 0, 0, 0);
    };
  }

  static Tally unchanged(long count) {
    return new Tally(0, 0, 0, count, 0);
  }

  static Tally failed(long count) {
    return new Tally(0, 0, 0, 0, count);
  }

  Tally plus(Tally other) {
    return new Tally(
        added + other.added,
        revised + other.revised,
        renamed + other.renamed,
        unchanged + other.unchanged,
        failed + other.failed);
  }

  /** The sum, except for what is left out of an export. */
  long total() {
    return added + revised + renamed + unchanged + failed;
  }
}
