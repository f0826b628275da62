package dev.cairn.work;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes the thread that claims work. Wake-ups that arrive before it is ready count once. */
final class WakeUps {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Set<UUID> repositories = new HashSet<>();
  private boolean all;
  private boolean closed;

  /** There may be work in this repository. */
  void wake(UUID repoId) {
    change(() -> repositories.add(repoId));
  }

  /** There may be work anywhere. */
  void wakeAll() {
    change(() -> all = true);
  }

  /** Nothing more is to be claimed. */
  void close() {
    change(() -> closed = true);
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
      while (left > 0 && !closed && !all && repositories.isEmpty()) {
        left = changed.awaitNanos(left);
      }
      if (closed) {
        throw new InterruptedException("the service stops");
      }
      var where =
          all || repositories.isEmpty() ? Optional.<Set<UUID>>empty() : Optional.of(repositories);
      repositories = new HashSet<>();
      all = false;
      return where;
    } finally {
      lock.unlock();
    }
  }
}
