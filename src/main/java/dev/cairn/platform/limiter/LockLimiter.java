package dev.cairn.platform.limiter;

import dev.cairn.model.Problem;
import dev.cairn.platform.database.DatabaseException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Limits work that locks a row: two pieces for the same thing have a connection at a time, one that
 * goes on, and one that waits for the lock. The others wait here, without a connection. The work of
 * one account for all things may have no more connections than then stay free, and some are
 * reserved for accounts that used little time lately ({@link FairShare}).
 *
 * <p>Work whose account has too much under way gives its thing's turn back every second, so that
 * others change that thing meanwhile. Work that reached the database's lock timeout gives its
 * connection back and tries again until its own time is over.
 */
public final class LockLimiter {
  private static final int MAX_OF_ONE = 2;
  private static final Duration BRIEFLY = Duration.ofSeconds(1);

  /** How much work of one account may be under way and wait; the rest is refused at once. */
  static final int MAX_OF_ACCOUNT = 256;

  /** The part of the connections that is reserved for accounts that used little time lately. */
  private static final int SHARE_RESERVED = 5;

  /** The turns at one thing. */
  @FunctionalInterface
  public interface Turns<T> {
    /**
     * Does work when it is its turn, or answers what another piece of work did on its behalf.
     *
     * @param wait for how long to wait for the turn
     * @param busy what is thrown if the turn does not come in time
     */
    T call(Duration wait, Supplier<T> work, Supplier<Problem> busy);
  }

  private final KeyedLimiter<UUID> callers = new KeyedLimiter<>(MAX_OF_ACCOUNT);
  private final KeyedLimiter<UUID> things;
  private final KeyedLimiter<UUID> accounts;
  private final Supplier<Problem> busy;
  private final Supplier<Problem> busyAccount;

  /**
   * Shares a part of the connections.
   *
   * @param connections how many there are for all of the work
   * @param busy what is thrown if others have locked the thing for too long
   * @param busyAccount what is thrown if the account has too much under way for too long
   */
  public LockLimiter(int connections, Supplier<Problem> busy, Supplier<Problem> busyAccount) {
    this.things = new KeyedLimiter<>(MAX_OF_ONE);
    this.accounts =
        new KeyedLimiter<>(
            connections, Integer.MAX_VALUE, connections, connections / SHARE_RESERVED);
    this.busy = busy;
    this.busyAccount = busyAccount;
  }

  /**
   * Does work when it is its turn; to be called before the first connection is taken.
   *
   * @param thing what the work locks first, or what all that it locks belongs to
   * @param account in whose name it is done
   * @param wait for how long it may wait for its turn, and try again after a lock timeout
   */
  public <T> T call(UUID thing, UUID account, Duration wait, Supplier<T> work) {
    return call(
        (time, turn, refusal) -> things.call(thing, time, turn, refusal), account, wait, work);
  }

  /** The same for a thing whose turns are given elsewhere. */
  public <T> T call(Turns<T> turns, UUID account, Duration wait, Supplier<T> work) {
    return callers.call(
        account, Duration.ZERO, () -> amongFew(turns, account, wait, work), busyAccount);
  }

  private <T> T amongFew(Turns<T> turns, UUID account, Duration wait, Supplier<T> work) {
    long end = System.nanoTime() + wait.toNanos();
    var isBusyAccount = new AtomicBoolean();
    Supplier<Problem> ofAccount =
        () -> {
          isBusyAccount.set(true);
          return busyAccount.get();
        };
    while (true) {
      try {
        return turns.call(
            left(end), () -> accounts.call(account, brief(end), work, ofAccount), busy);
      } catch (RuntimeException e) {
        boolean isAccount = isBusyAccount.getAndSet(false);
        if (!isAccount && !DatabaseException.isLockTimeout(e)) {
          throw e;
        }
        if (System.nanoTime() >= end) {
          throw isAccount ? e : busy.get();
        }
      }
    }
  }

  /** For the turn of the account, while others wait for that of the thing. */
  private static Duration brief(long end) {
    var left = left(end);
    return left.compareTo(BRIEFLY) < 0 ? left : BRIEFLY;
  }

  private static Duration left(long end) {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }

  /** How much work waits. */
  public int waiting() {
    return things.waiting() + accounts.waiting();
  }

  /** How many things have work under way or waiting. */
  public int things() {
    return things.keys();
  }
}
