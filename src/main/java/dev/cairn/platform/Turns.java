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
 * came, for up to five seconds unless the caller says how long. See {@code docs/operation.md},
 * Limits.
 */
public final class Turns<K> {
  private static final Duration WAIT = Duration.ofSeconds(5);

  private final int most;
  private final int mostUsers;

  /** Only of keys that somebody works for at this moment. */
  private final ConcurrentHashMap<K, Queue> queues = new ConcurrentHashMap<>();

  private static final class Queue {
    final Semaphore free;
    int users;

    Queue(int most) {
      this.free = new Semaphore(most, true);
    }
  }

  /**
   * Turns for a part of the connections.
   *
   * @param share the part that one key gets, as its denominator: 4 for a quarter; one connection at
   *     the least
   */
  public Turns(CairnConfig config, int share) {
    this(config, share, Integer.MAX_VALUE);
  }

  /**
   * The same with a limit on what waits.
   *
   * @param mostUsers how much work for one key may be under way and wait
   */
  public Turns(CairnConfig config, int share, int mostUsers) {
    this(Math.max(1, config.database().poolSize() / share), mostUsers);
  }

  /** Limits the work for one key at a time. */
  Turns(int most) {
    this(most, Integer.MAX_VALUE);
  }

  /** Limits what waits for one key too. */
  Turns(int most, int mostUsers) {
    this.most = most;
    this.mostUsers = mostUsers;
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
    int counted = Math.min(weight, most);
    if (!acquired(queue.free, counted, wait)) {
      leave(key);
      throw busy.get();
    }
    return () -> {
      queue.free.release(counted);
      leave(key);
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

  /** How much work waits. */
  public int waiting() {
    return queues.values().stream().mapToInt(queue -> queue.free.getQueueLength()).sum();
  }

  /** For how many keys something is done or waits. */
  public int keys() {
    return queues.size();
  }
}
