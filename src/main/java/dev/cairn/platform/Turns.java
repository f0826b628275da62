package dev.cairn.platform;

import dev.cairn.model.Problem;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Lets only so much of the work for one key be done at a time in this replica, so that it leaves
 * connections to the work for others. The rest waits without a connection, in the order in which it
 * came, for up to five seconds unless the caller says how long. See {@code docs/limits.md},
 * Database connections.
 */
public final class Turns<K> {
  private static final Duration WAIT = Duration.ofSeconds(5);

  private final int most;
  private final int mostUsers;
  private final FairShare<K> ofAll;

  /** Only of keys that somebody works for at this moment. */
  private final ConcurrentHashMap<K, Queue> queues = new ConcurrentHashMap<>();

  private static final class Queue {
    final Semaphore free;
    int users;

    Queue(int most) {
      this.free = new Semaphore(most, true);
    }
  }

  /** Limits the work for one key at a time. */
  public Turns(int most) {
    this(most, Integer.MAX_VALUE);
  }

  /**
   * Limits what waits for one key too.
   *
   * @param mostUsers how much work for one key may be under way and wait
   */
  public Turns(int most, int mostUsers) {
    this(most, mostUsers, Integer.MAX_VALUE);
  }

  /**
   * Limits the work for all keys together too, fairly between them ({@link FairShare}).
   *
   * @param mostOfAll how much work may be under way for all keys; it counts as 1 each
   */
  public Turns(int most, int mostUsers, int mostOfAll) {
    this(most, mostUsers, mostOfAll, 0);
  }

  /**
   * The same with reserved turns.
   *
   * @param reserved how many turns only keys get that used little time lately
   */
  public Turns(int most, int mostUsers, int mostOfAll, int reserved) {
    this.most = most;
    this.mostUsers = mostUsers;
    this.ofAll = new FairShare<>(mostOfAll, reserved);
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
   * Does work when it is its turn; to be called before the first connection is taken.
   *
   * @param busy what is thrown if the turn does not come in time, or too much waits
   */
  public <T> T inTurn(K key, Supplier<T> work, Supplier<Problem> busy) {
    return inTurn(key, WAIT, work, busy);
  }

  /**
   * The same for callers that wait longer or shorter.
   *
   * @param wait for how long to wait for the turn
   */
  public <T> T inTurn(K key, Duration wait, Supplier<T> work, Supplier<Problem> busy) {
    return inTurn(key, 1, wait, work, busy);
  }

  /** The same for work that counts as much as {@code weight}; at most all that a key may have. */
  <T> T inTurn(K key, int weight, Duration wait, Supplier<T> work, Supplier<Problem> busy) {
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
   * @return ends the turn; to be run once
   */
  Runnable begin(K key, int weight, Duration wait, Supplier<Problem> busy) {
    var queue = queues.compute(key, (_, present) -> entered(present, busy));
    long end = System.nanoTime() + wait.toNanos();
    int counted = Math.min(weight, most);
    if (!acquired(queue.free, counted, wait)) {
      leave(key);
      throw busy.get();
    }
    Runnable release =
        () -> {
          queue.free.release(counted);
          leave(key);
        };
    if (!ofAll.begin(key, Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
      release.run();
      throw busy.get();
    }
    return () -> {
      ofAll.end(key);
      release.run();
    };
  }

  private void leave(K key) {
    queues.computeIfPresent(key, (_, present) -> --present.users == 0 ? null : present);
  }

  private Queue entered(Queue present, Supplier<Problem> busy) {
    var queue = present == null ? new Queue(most) : present;
    if (queue.users >= mostUsers) {
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

  /** Whether fewer turns are free than are reserved. */
  public boolean isScarce() {
    return ofAll.isScarce();
  }

  /** How much work waits. */
  public int waiting() {
    return ofAll.waiting()
        + queues.values().stream().mapToInt(queue -> queue.free.getQueueLength()).sum();
  }

  /** For how many keys something is done or waits. */
  public int keys() {
    return queues.size();
  }
}
