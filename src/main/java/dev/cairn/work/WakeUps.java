package dev.cairn.work;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes the thread that claims work. Wake-ups that arrive while it claims count once. None is
 * recorded before {@link #open} and after {@link #close}, because no thread would take it.
 */
final class WakeUps {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Set<UUID> repositories = new HashSet<>();
  private boolean all;
  private State state = State.NEW;

  private enum State {
    NEW,
    OPEN,
    CLOSED
  }

  /** From now on a thread claims. Has no effect after {@link #close}. */
  void open() {
    change(
        () -> {
          if (state == State.NEW) {
            state = State.OPEN;
          }
        });
  }

  /** There may be work in this repository. */
  void wake(UUID repoId) {
    record(() -> repositories.add(repoId));
  }

  /** The repositories that may have work, which are not recorded any longer. */
  Set<UUID> takeRepositories() {
    lock.lock();
    try {
      var taken = repositories;
      repositories = new HashSet<>();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** There may be work anywhere. */
  void wakeAll() {
    record(() -> all = true);
  }

  /** How many repositories may have work that no claim has looked for yet. */
  int recorded() {
    lock.lock();
    try {
      return repositories.size();
    } finally {
      lock.unlock();
    }
  }

  /** Nothing more is to be claimed. */
  void close() {
    change(() -> state = State.CLOSED);
  }

  private void record(Runnable wakeUp) {
    change(
        () -> {
          if (state == State.OPEN) {
            wakeUp.run();
          }
        });
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until there may be work to claim.
   *
   * @param timeout after which it returns in any case
   * @return the repositories, or empty for anywhere
   * @throws InterruptedException also if nothing more is to be claimed
   */
  Optional<Set<UUID>> await(Duration timeout) throws InterruptedException {
    long left = timeout.toNanos();
    lock.lock();
    try {
      while (left > 0 && state != State.CLOSED && !all && repositories.isEmpty()) {
        left = changed.awaitNanos(left);
      }
      if (state == State.CLOSED) {
        throw new InterruptedException("the service stops");
      }
      var woken =
          all || repositories.isEmpty() ? Optional.<Set<UUID>>empty() : Optional.of(repositories);
      repositories = new HashSet<>();
      all = false;
      return woken;
    } finally {
      lock.unlock();
    }
  }
}
