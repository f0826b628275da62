package dev.cairn.platform.memory;

import dev.cairn.platform.memory.ArrivalRoom.Owner;
import java.util.HashMap;
import java.util.Map;

/**
 * What the arrivals in an {@link ArrivalRoom} hold, in bytes: all together, the large ones, those
 * without credentials, and those of each owner. Not thread-safe: guarded by the lock of the room.
 */
final class HeldBytes {
  /** What a body of 64 KiB takes at most, with the unused part of its last block. */
  static final int SMALL = 64 * 1024 + ArrivingBody.BLOCK;

  private final Map<Owner, Long> byOwner = new HashMap<>();
  private long all;
  private long large;
  private long anonymous;

  /** Whether an arrival that holds {@code held} bytes counts as large. */
  static boolean isLarge(long held) {
    return held > SMALL;
  }

  /**
   * Counts a change of what one arrival holds.
   *
   * @param held how many bytes it held before
   * @param count how many more it holds; negative for fewer
   */
  void change(Owner owner, long held, long count) {
    large += ifLarge(held + count) - ifLarge(held);
    anonymous += owner.isAnonymous() ? count : 0;
    all += count;
    byOwner.merge(owner, count, Long::sum);
    byOwner.remove(owner, 0L);
  }

  private static long ifLarge(long held) {
    return isLarge(held) ? held : 0;
  }

  long all() {
    return all;
  }

  long large() {
    return large;
  }

  long anonymous() {
    return anonymous;
  }

  long of(Owner owner) {
    return byOwner.getOrDefault(owner, 0L);
  }
}
