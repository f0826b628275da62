package dev.cairn.cli.bulk;

/** An import stopped because too many items failed. */
final class TooManyErrors extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Tally tally;

  TooManyErrors(Tally tally) {
    super("%,d lines failed".formatted(tally.failed()));
    this.tally = tally;
  }

  /** What became of the items until then. */
  Tally tally() {
    return tally;
  }
}
