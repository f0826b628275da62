package dev.cairn.model;

/** A fixed amount that all parts of a request share and use up. */
public final class Allowance {
  private final long amount;
  private long left;

  /** Starts with {@code amount} units. */
  public Allowance(long amount) {
    this.amount = amount;
    this.left = amount;
  }

  /** Takes {@code part} units if that many are left; returns whether they were. */
  public boolean take(long part) {
    if (part > left) {
      return false;
    }
    left -= part;
    return true;
  }

  /** The amount at the start. */
  public long amount() {
    return amount;
  }
}
