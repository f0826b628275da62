package dev.cairn.platform.memory;

import dev.cairn.platform.memory.ArrivalRoom.Owner;
import java.util.HashMap;
import java.util.Map;

/**
 * What the arrivals in an {@link ArrivalRoom} hold, in bytes: all together, those without
 * credentials, and of each owner the small and the large ones. Not thread-safe: guarded by the lock
 * of the room.
 */
final class HeldBytes {
  /** What a body of 64 KiB takes at most, with the unused part of its last block. */
  static final int MAX_SMALL_BYTES = 64 * 1024 + ArrivingBody.BLOCK_BYTES;

  private final Part small = new Part();
  private final Part large = new Part();
  private long anonymous;

  /** The small arrivals, or the large ones. */
  private static final class Part {
    final Map<Owner, Long> byOwner = new HashMap<>();
    long all;

    void add(Owner owner, long count) {
      all += count;
      byOwner.merge(owner, count, Long::sum);
      byOwner.remove(owner, 0L);
    }

    long of(Owner owner) {
      return byOwner.getOrDefault(owner, 0L);
    }
  }

  /** Whether an arrival that holds {@code held} bytes counts as large. */
  static boolean isLarge(long held) {
    return held > MAX_SMALL_BYTES;
  }

  /**
   * Counts a change of what one arrival holds.
   *
   * @param held how many bytes it held before
   * @param count how many more it holds; negative for fewer
   */
  void change(Owner owner, long held, long count) {
    part(isLarge(held)).add(owner, -held);
    part(isLarge(held + count)).add(owner, held + count);
    anonymous += owner.isAnonymous() ? count : 0;
  }

  private Part part(boolean isLarge) {
    return isLarge ? large : small;
  }

  long all() {
    return small.all + large.all;
  }

  long large() {
    return large.all;
  }

  long anonymous() {
    return anonymous;
  }

  long of(Owner owner) {
    return small.of(owner) + large.of(owner);
  }

  /** What the small arrivals of an owner hold, or the large ones. */
  long of(Owner owner, boolean isLarge) {
    return part(isLarge).of(owner);
  }
}
