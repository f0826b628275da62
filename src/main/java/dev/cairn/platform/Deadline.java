package dev.cairn.platform;

import java.time.Duration;

/**
 * The moment at which something must have ended.
 *
 * @param at on the clock of {@link System#nanoTime()}
 */
public record Deadline(long at) {
  /** The deadline after {@code time} from now. */
  public static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  /** The remaining time; 0 after the deadline. */
  public long nanosLeft() {
    return Math.max(0, at - System.nanoTime());
  }

  /** Whether the deadline has passed. */
  public boolean hasPassed() {
    return nanosLeft() == 0;
  }
}
