package dev.cairn.platform.memory;

import java.util.concurrent.TimeUnit;

/**
 * How much of a request has come in the last seconds; what is past counts less and less. Its rates
 * have no unit and are only for comparison with one another.
 */
final class ArrivalProgress {
  /** How long progress counts, on average. */
  private static final double MEMORY_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A rate says little before. Otherwise, the newest requests of a flood had the highest rates. */
  private static final long MIN_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final long began;
  private double bytes;
  private long at;

  ArrivalProgress(long began) {
    this.began = began;
    this.at = began;
  }

  void add(int count, long now) {
    bytes = bytes * decay(now - at) + count;
    at = now;
  }

  /** The rate of a small request that has just come whole. */
  static double rateOfSmall() {
    return HeldBytes.SMALL / (1 - decay(MIN_AGE_NANOS));
  }

  /**
   * The rate of the last seconds. What has just begun has, at least, that of a small request: it is
   * not ended before the requests that wait beside it.
   */
  double rate(long now) {
    double own = bytes * decay(now - at) / (1 - decay(Math.max(MIN_AGE_NANOS, now - began)));
    return now - began < MIN_AGE_NANOS ? Math.max(own, rateOfSmall()) : own;
  }

  private static double decay(long passed) {
    return Math.exp(-passed / MEMORY_NANOS);
  }
}
