package dev.cairn.egress;

import java.time.Duration;

/**
 * The moment by which something must have ended.
 *
 * @param at on the clock of {@link System#nanoTime()}
 */
record Deadline(long at) {
  static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  /** What is left; 0 once it has passed. */
  long nanosLeft() {
    return Math.max(0, at - System.nanoTime());
  }

  boolean hasPassed() {
    return nanosLeft() == 0;
  }
}
