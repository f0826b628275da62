package dev.cairn.live;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A repository that clients of this replica follow. */
final class Followed {
  private final AtomicLong newest = new AtomicLong();
  private final Set<Watch> watches = ConcurrentHashMap.newKeySet();

  /** How many follow it; changed and read only by {@link #joined} and {@link #left}. */
  private int count;

  /** One more follows it. Calls of this and of {@link #left} exclude one another. */
  Followed joined() {
    count++;
    return this;
  }

  /**
   * One less follows it.
   *
   * @return null if none does any longer
   */
  Followed left() {
    count--;
    return count == 0 ? null : this;
  }

  /** The sequence number of the newest commit that is known. */
  long newest() {
    return newest.get();
  }

  Set<Watch> watches() {
    return watches;
  }

  /** Wakes all who follow it, if a commit is new. */
  void committed(long seq) {
    if (newest.getAndAccumulate(seq, Math::max) < seq) {
      watches.forEach(Watch::wake);
    }
  }
}
