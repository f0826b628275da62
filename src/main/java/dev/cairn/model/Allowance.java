package dev.cairn.model;

/** An amount that is there once for all parts of a request, which use it up. */
public final class Allowance {
  private final long amount;
  private long left;

  /** So much, and no more. */
  public Allowance(long amount) {
    this.amount = amount;
    this.left = amount;
  }

  /** Takes {@code part} if so much is left; says whether it was. */
  public boolean take(long part) {
    if (part > left) {
      return false;
    }
    left -= part;
    return true;
  }

  /** What there was at first. */
  public long amount() {
    return amount;
  }
}
