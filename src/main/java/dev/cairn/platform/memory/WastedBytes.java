package dev.cairn.platform.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The bytes of each owner that arrived in vain a short time ago, because their arrival ended before
 * it was complete. They fade by half in {@link #HALF_LIFE_SECONDS}. Not thread-safe.
 */
final class WastedBytes {
  static final int HALF_LIFE_SECONDS = 15;

  /** What has faded below this is forgotten. */
  private static final double LEAST = 1_024;

  /** The number of owners from which on those that have faded are looked for. */
  private static final int MANY = 1_000;

  private final Map<ArrivalRoom.Owner, Wasted> byOwner = new HashMap<>();
  private int forgetAt = MANY;

  /** What was counted at a moment of a clock of nanoseconds. */
  private record Wasted(double bytes, long at) {
    double now(long now) {
      double seconds = (double) (now - at) / TimeUnit.SECONDS.toNanos(1);
      return bytes * Math.pow(0.5, seconds / HALF_LIFE_SECONDS);
    }
  }

  void add(ArrivalRoom.Owner owner, long bytes, long now) {
    byOwner.put(owner, new Wasted(of(owner, now) + bytes, now));
    if (byOwner.size() > forgetAt) {
      byOwner.values().removeIf(wasted -> wasted.now(now) < LEAST);
      forgetAt = Math.max(MANY, 2 * byOwner.size());
    }
  }

  double of(ArrivalRoom.Owner owner, long now) {
    var wasted = byOwner.get(owner);
    return wasted == null ? 0 : wasted.now(now);
  }
}
