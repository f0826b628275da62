package dev.cairn.platform;

import java.time.Duration;

/**
 * The moment by which something must have ended.
 *
 * @param at on the clock of {@link System#nanoTime()}
 */
public record Deadline(long at) {
  /** One that is so far away. */
  public static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  /** What is left; 0 once it has passed. */
  public long nanosLeft() {
    return Math.max(0, at - System.nanoTime());
  }

  /** Whether nothing is left. */
  public boolean hasPassed() {
    return nanosLeft() == 0;
  }
}
