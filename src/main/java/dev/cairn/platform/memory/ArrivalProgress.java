package dev.cairn.platform.memory;

import java.util.concurrent.TimeUnit;

/**
 * The progress of an arriving request in the last seconds; past progress counts less and less. The
 * rates have no unit and are only compared with each other.
 */
final class ArrivalProgress {
  /** How long progress counts, on average. */
  private static final double MEMORY_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Before this age a rate means little: the newest requests of a flood would have the highest. */
  private static final long MIN_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A request makes no progress at a rate of a small request divided by this. */
  private static final int STALLED_RATE_DIVISOR = 256;

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

  /** The rate of a small request that has just arrived completely. */
  static double rateOfSmall() {
    return HeldBytes.MAX_SMALL_BYTES / (1 - decay(MIN_AGE_NANOS));
  }

  /**
   * The rate of the last seconds. A request that has just begun has at least the rate of a small
   * request, so it is not ended before other waiting requests. Any other has at least a small part
   * of that: while the service is too busy to read it, it makes no progress either, and then it
   * must count how little its owner holds.
   */
  double rate(long now) {
    double own = bytes * decay(now - at) / (1 - decay(Math.max(MIN_AGE_NANOS, now - began)));
    double least =
        now - began < MIN_AGE_NANOS ? rateOfSmall() : rateOfSmall() / STALLED_RATE_DIVISOR;
    return Math.max(own, least);
  }

  private static double decay(long passed) {
    return Math.exp(-passed / MEMORY_NANOS);
  }
}
