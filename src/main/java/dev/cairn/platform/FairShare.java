package dev.cairn.platform;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Limits how much work for all keys together may be under way. A key with much work under way may
 * not begin more than what then stays free: one that has {@code n} under way begins the next only
 * while more than {@code n} are free. So a key that is alone gets about half, a few keys with slow
 * work leave some free, and a key that has nothing under way takes the next turn that becomes free.
 */
public final class FairShare<K> {
  private int free;

  /** Only of keys that have work under way. */
  private final Map<K, Integer> underWay = new HashMap<>();

  /** In the order in which they came; none of them may begin, because that is checked at once. */
  private final List<Waiting<K>> waiting = new ArrayList<>();

  private record Waiting<K>(K key, CountDownLatch admitted) {}

  /**
   * Shares what there is.
   *
   * @param most how much work may be under way for all keys together
   */
  public FairShare(int most) {
    this.free = most;
  }

  /**
   * Begins work for a key, when it may.
   *
   * @return false if that took longer than {@code wait}; otherwise {@link #end} must follow
   */
  public boolean begin(K key, Duration wait) {
    var own = new Waiting<>(key, new CountDownLatch(1));
    synchronized (this) {
      if (mayBegin(key)) {
        admit(key);
        return true;
      }
      waiting.add(own);
    }
    boolean admitted = false;
    try {
      admitted = own.admitted.await(wait.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      // It may have been admitted since.
      return admitted || !waiting.remove(own);
    }
  }

  /** Ends work for a key, and lets those begin that may now: the keys with the least work first. */
  public synchronized void end(K key) {
    free++;
    underWay.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    while (true) {
      var next =
          waiting.stream()
              .filter(each -> mayBegin(each.key))
              .min(Comparator.comparingInt(each -> underWay(each.key)));
      if (next.isEmpty()) {
        return;
      }
      waiting.remove(next.get());
      admit(next.get().key);
      next.get().admitted.countDown();
    }
  }

  /** How much work waits. */
  public synchronized int waiting() {
    return waiting.size();
  }

  private boolean mayBegin(K key) {
    return free > underWay(key);
  }

  private int underWay(K key) {
    return underWay.getOrDefault(key, 0);
  }

  private void admit(K key) {
    free--;
    underWay.merge(key, 1, Integer::sum);
  }
}
