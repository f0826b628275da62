package dev.cairn.platform.limiter;

import dev.cairn.model.Problem;
import dev.cairn.platform.database.DatabaseException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Limits work that locks a row. Few callers per key hold a connection: one runs, the others wait
 * for the row lock. All further callers wait without a connection. An account gets a connection
 * only while more connections are free than it holds, so at most about half of them. Some
 * connections are reserved for accounts that used little time recently ({@link FairShare}).
 *
 * <p>A caller whose account may hold no more connections leaves the key's queue once a second and
 * enters it again, so that other accounts get their turn. A caller that reaches the database's lock
 * timeout gives its connection back, and tries again until its own wait is over.
 */
public final class LockLimiter {
  private static final int MAX_OF_KEY = 3;
  private static final Duration SHORT_WAIT = Duration.ofSeconds(1);

  /** How many callers of one account may run and wait; further ones are refused at once. */
  static final int MAX_OF_ACCOUNT = 256;

  /** The part reserved for accounts that used little time recently, as its denominator. */
  private static final int RESERVED_FRACTION = 5;

  /** The queue of the callers for one key. */
  @FunctionalInterface
  public interface KeyQueue<T> {
    /**
     * Does work when it is its turn, or answers what another caller did on its behalf.
     *
     * @param wait for how long to wait for the turn
     * @param busy what is thrown if the turn does not come in time
     */
    T call(Duration wait, Supplier<T> work, Supplier<Problem> busy);
  }

  /** What is locked, with the callers that have a place or wait for one. */
  private static final class Key {
    /** An account that has two of the three leaves the last one to the others. */
    final FairShare<UUID> places = new FairShare<>(MAX_OF_KEY);

    int callers;
  }

  private final KeyedLimiter<UUID> callers = new KeyedLimiter<>(MAX_OF_ACCOUNT);
  private final KeyedLimiter<UUID> accounts;

  /** Those that have callers. */
  private final ConcurrentHashMap<UUID, Key> keys = new ConcurrentHashMap<>();

  private final Supplier<Problem> busy;
  private final Supplier<Problem> busyAccount;

  /**
   * Shares a part of the connections.
   *
   * @param connections how many there are for all of the work
   * @param busy what is thrown if others have locked what the key stands for too long
   * @param busyAccount what is thrown if the account has held its share for too long
   */
  public LockLimiter(int connections, Supplier<Problem> busy, Supplier<Problem> busyAccount) {
    this.accounts =
        new KeyedLimiter<>(
            connections, Integer.MAX_VALUE, connections, connections / RESERVED_FRACTION);
    this.busy = busy;
    this.busyAccount = busyAccount;
  }

  /**
   * Does work when it is its turn; must be called before the first connection is taken. Three
   * callers for a key have their turn at a time, at most two of them of one account. The next one
   * is of the account with the fewest of them, and among those of the one that used the least time:
   * so nobody keeps other accounts from the key by many requests.
   *
   * @param key what the work locks first, or what everything that it locks belongs to
   * @param account on whose behalf it is done
   * @param wait for how long it may wait for its turn, and try again after a lock timeout
   */
  public <T> T call(UUID key, UUID account, Duration wait, Supplier<T> work) {
    KeyQueue<T> queue = (time, turn, refusal) -> callInTurn(key, account, time, turn, refusal);
    return call(queue, account, wait, work);
  }

  private <T> T callInTurn(
      UUID key, UUID account, Duration wait, Supplier<T> work, Supplier<Problem> refusal) {
    var places = keys.compute(key, (_, present) -> entered(present)).places;
    try {
      if (!places.begin(account, wait)) {
        throw refusal.get();
      }
      try {
        return work.get();
      } finally {
        places.end(account);
      }
    } finally {
      keys.computeIfPresent(key, (_, present) -> --present.callers == 0 ? null : present);
    }
  }

  private static Key entered(Key present) {
    var key = present == null ? new Key() : present;
    key.callers++;
    return key;
  }

  /** The same for a key whose queue is kept elsewhere, with a limit and an order of its own. */
  public <T> T call(KeyQueue<T> queue, UUID account, Duration wait, Supplier<T> work) {
    return callers.call(
        account,
        Duration.ZERO,
        () -> callWithinAccountShare(queue, account, wait, work),
        busyAccount);
  }

  private <T> T callWithinAccountShare(
      KeyQueue<T> queue, UUID account, Duration wait, Supplier<T> work) {
    long end = System.nanoTime() + wait.toNanos();
    var isBusyAccount = new AtomicBoolean();
    Supplier<Problem> ofAccount =
        () -> {
          isBusyAccount.set(true);
          return busyAccount.get();
        };
    while (true) {
      try {
        return queue.call(
            remaining(end), () -> accounts.call(account, shortWait(end), work, ofAccount), busy);
      } catch (RuntimeException e) {
        boolean isAccount = isBusyAccount.getAndSet(false);
        if (!isAccount && !DatabaseException.isLockTimeout(e)) {
          throw e;
        }
        if (System.nanoTime() >= end || Thread.currentThread().isInterrupted()) {
          throw isAccount ? e : busy.get();
        }
      }
    }
  }

  /** For the turn of the account, while others wait in the queue of the key. */
  private static Duration shortWait(long end) {
    var remaining = remaining(end);
    return remaining.compareTo(SHORT_WAIT) < 0 ? remaining : SHORT_WAIT;
  }

  private static Duration remaining(long end) {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }

  /** How many callers wait. */
  public int waiting() {
    return keys.values().stream().mapToInt(key -> key.places.waiting()).sum() + accounts.waiting();
  }
}
