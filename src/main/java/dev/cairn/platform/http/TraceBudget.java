package dev.cairn.platform.http;

import java.time.Duration;

/**
 * How many faults are logged with their stack traces: whoever finds a request that fails could send
 * it again and again, and fill the disk. See {@code docs/monitoring.md}, Logs.
 */
final class TraceBudget {
  static final int TRACES_PER_MINUTE = 10;

  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private long minute = Long.MIN_VALUE;
  private int taken;

  /**
   * Whether one more may be logged.
   *
   * @param nanos the time by {@link System#nanoTime}
   */
  synchronized boolean take(long nanos) {
    if (minute != Math.floorDiv(nanos, MINUTE)) {
      minute = Math.floorDiv(nanos, MINUTE);
      taken = 0;
    }
    taken = Math.min(taken + 1, TRACES_PER_MINUTE + 1);
    return taken <= TRACES_PER_MINUTE;
  }
}
