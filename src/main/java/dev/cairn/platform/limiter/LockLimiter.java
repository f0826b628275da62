package dev.cairn.platform.limiter;

import dev.cairn.model.Problem;
import dev.cairn.platform.database.DatabaseException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Limits work that locks a row. At most two callers per key hold a connection: one runs, one waits
 * for the row lock. The others wait without a connection. An account gets a connection only while
 * more connections are free than it holds, so at most about half of them. Some connections are
 * reserved for accounts that used little time recently ({@link FairShare}).
 *
 * <p>A caller whose account may hold no more connections leaves the key's queue once a second and
 * enters it again, so that other accounts get their turn. A caller that reaches the database's lock
 * timeout gives its connection back, and tries again until its own wait is over.
 */
public final class LockLimiter {
  private static final int MAX_OF_KEY = 2;
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

  private final KeyedLimiter<UUID> callers = new KeyedLimiter<>(MAX_OF_ACCOUNT);
  private final KeyedLimiter<UUID> keys;
  private final KeyedLimiter<UUID> accounts;
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
    this.keys = new KeyedLimiter<>(MAX_OF_KEY);
    this.accounts =
        new KeyedLimiter<>(
            connections, Integer.MAX_VALUE, connections, connections / RESERVED_FRACTION);
    this.busy = busy;
    this.busyAccount = busyAccount;
  }

  /**
   * Does work when it is its turn; must be called before the first connection is taken.
   *
   * @param key what the work locks first, or what everything that it locks belongs to
   * @param account on whose behalf it is done
   * @param wait for how long it may wait for its turn, and try again after a lock timeout
   */
  public <T> T call(UUID key, UUID account, Duration wait, Supplier<T> work) {
    return call((time, turn, refusal) -> keys.call(key, time, turn, refusal), account, wait, work);
  }

  /** The same for a key whose queue is kept elsewhere. */
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
    return keys.waiting() + accounts.waiting();
  }
}
