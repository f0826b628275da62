package dev.cairn.platform.limiter;

import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A keyed limiter: bounds the concurrent work for one key in this replica, so that it leaves
 * connections to the work for other keys. Further work waits without a connection, in order of
 * arrival, for up to five seconds by default. See {@code docs/limits.md}, Database connections.
 */
public final class KeyedLimiter<K> {
  private static final Duration DEFAULT_MAX_WAIT = Duration.ofSeconds(5);

  private final int maxOfKey;
  private final int maxUsers;
  private final FairShare<K> ofAll;

  /** The queues of the keys that have work under way or waiting. */
  private final ConcurrentHashMap<K, Queue> queues = new ConcurrentHashMap<>();

  private static final class Queue {
    final Semaphore free;
    int users;

    Queue(int maxOfKey) {
      this.free = new Semaphore(maxOfKey, true);
    }
  }

  /**
   * Limits the work for one key at a time.
   *
   * @param maxOfKey how much work may be under way for one key
   */
  public KeyedLimiter(int maxOfKey) {
    this(maxOfKey, Integer.MAX_VALUE);
  }

  /**
   * Also limits how much work may wait for one key.
   *
   * @param maxUsers how much work for one key may be under way or wait
   */
  public KeyedLimiter(int maxOfKey, int maxUsers) {
    this(maxOfKey, maxUsers, Integer.MAX_VALUE);
  }

  /**
   * Also limits the work for all keys together, shared fairly between them ({@link FairShare}).
   *
   * @param maxOfAll how much work may be under way for all keys; it counts as 1 each
   */
  public KeyedLimiter(int maxOfKey, int maxUsers, int maxOfAll) {
    this(maxOfKey, maxUsers, maxOfAll, 0);
  }

  /**
   * The same with reserved places.
   *
   * @param reserved how many places are only for keys that used little time recently
   */
  public KeyedLimiter(int maxOfKey, int maxUsers, int maxOfAll, int reserved) {
    this(maxOfKey, maxUsers, new FairShare<>(maxOfAll, reserved));
  }

  /**
   * The same with a given fair share.
   *
   * @param ofAll bounds the work for all keys
   */
  public KeyedLimiter(int maxOfKey, int maxUsers, FairShare<K> ofAll) {
    this.maxOfKey = maxOfKey;
    this.maxUsers = maxUsers;
    this.ofAll = ofAll;
  }

  /**
   * A part of the connections of this replica.
   *
   * @param share the denominator: 4 for a quarter
   * @return at least 1
   */
  public static int part(CairnConfig config, int share) {
    return Math.max(1, config.database().poolSize() / share);
  }

  /**
   * Does work when it is its turn; must be called before the first connection is taken.
   *
   * @param busy what is thrown if the turn does not come in time, or if too much work waits
   */
  public <T> T call(K key, Supplier<T> work, Supplier<Problem> busy) {
    return call(key, DEFAULT_MAX_WAIT, work, busy);
  }

  /**
   * The same with a given wait.
   *
   * @param wait for how long to wait for the turn
   */
  public <T> T call(K key, Duration wait, Supplier<T> work, Supplier<Problem> busy) {
    return call(key, 1, wait, work, busy);
  }

  /** The same for work that counts {@code weight} times, at most as much as a key may have. */
  <T> T call(K key, int weight, Duration wait, Supplier<T> work, Supplier<Problem> busy) {
    var end = begin(key, weight, wait, busy);
    try {
      return work.get();
    } finally {
      end.run();
    }
  }

  /**
   * The same for work that ends elsewhere.
   *
   * @return ends the work; must be run once
   */
  public Work begin(K key, int weight, Duration wait, Supplier<Problem> busy) {
    var queue = queues.compute(key, (_, present) -> entered(present, busy));
    long end = System.nanoTime() + wait.toNanos();
    int counted = Math.min(weight, maxOfKey);
    if (!acquired(queue.free, counted, wait)) {
      leave(key);
      throw busy.get();
    }
    if (!ofAll.begin(key, Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
      queue.free.release(counted);
      leave(key);
      throw busy.get();
    }
    return new Work(key, queue, counted);
  }

  /** Work that is under way. Not for concurrent use. */
  public final class Work implements Runnable {
    private final K key;
    private final Queue queue;
    private int counted;

    private Work(K key, Queue queue, int counted) {
      this.key = key;
      this.queue = queue;
      this.counted = counted;
    }

    /** Lets it count as much as {@code weight}, if it counted more. */
    public void shrink(int weight) {
      int less = Math.max(0, counted - weight);
      counted -= less;
      queue.free.release(less);
    }

    /**
     * Lets it count as much as {@code weight}, at most all that a key may have.
     *
     * @return false if that took longer than {@code wait}: it counts as before
     */
    public boolean grow(int weight, Duration wait) {
      int more = Math.max(0, Math.min(weight, maxOfKey) - counted);
      if (!acquired(queue.free, more, wait)) {
        return false;
      }
      counted += more;
      return true;
    }

    @Override
    public void run() {
      ofAll.end(key);
      queue.free.release(counted);
      leave(key);
    }
  }

  private void leave(K key) {
    queues.computeIfPresent(key, (_, present) -> --present.users == 0 ? null : present);
  }

  private Queue entered(Queue present, Supplier<Problem> busy) {
    var queue = present == null ? new Queue(maxOfKey) : present;
    if (queue.users >= maxUsers) {
      throw busy.get();
    }
    queue.users++;
    return queue;
  }

  private static boolean acquired(Semaphore free, int weight, Duration wait) {
    try {
      return free.tryAcquire(weight, wait.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Whether fewer places are free than are reserved. */
  public boolean isScarce() {
    return ofAll.isScarce();
  }

  /** As {@link FairShare#shareOf}. */
  public Optional<Duration> shareOf(Duration time) {
    return ofAll.shareOf(time);
  }

  /** How much work waits. */
  public int waiting() {
    return ofAll.waiting()
        + queues.values().stream().mapToInt(queue -> queue.free.getQueueLength()).sum();
  }

  /** How many keys have work under way or waiting. */
  int keys() {
    return queues.size();
  }
}
