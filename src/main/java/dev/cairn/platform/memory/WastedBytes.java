package dev.cairn.platform.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The bytes of each owner that arrived in vain a short time ago, because their arrival ended before
 * it was complete. They fade by half in 15 seconds. Not thread-safe.
 */
final class WastedBytes {
  private static final int HALF_LIFE_SECONDS = 15;

  /** What has faded below this is forgotten. */
  private static final double MIN_BYTES = 1_024;

  /** The number of owners from which on those that have faded are looked for. */
  private static final int MIN_OWNERS_TO_CLEAN = 1_000;

  private final Map<ArrivalRoom.Owner, Wasted> byOwner = new HashMap<>();
  private int forgetAt = MIN_OWNERS_TO_CLEAN;

  /** What was counted at a moment of a clock of nanoseconds. */
  private record Wasted(double bytes, long at) {
    double bytesAt(long now) {
      double seconds = (double) (now - at) / TimeUnit.SECONDS.toNanos(1);
      return bytes * Math.pow(0.5, seconds / HALF_LIFE_SECONDS);
    }
  }

  void add(ArrivalRoom.Owner owner, long bytes, long now) {
    byOwner.put(owner, new Wasted(of(owner, now) + bytes, now));
    if (byOwner.size() > forgetAt) {
      byOwner.values().removeIf(wasted -> wasted.bytesAt(now) < MIN_BYTES);
      forgetAt = Math.max(MIN_OWNERS_TO_CLEAN, 2 * byOwner.size());
    }
  }

  double of(ArrivalRoom.Owner owner, long now) {
    var wasted = byOwner.get(owner);
    return wasted == null ? 0 : wasted.bytesAt(now);
  }
}
