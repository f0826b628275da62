package dev.cairn.action;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Where there may be something to do; what is said twice before somebody looks counts once. */
@Singleton
class Wakes {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition said = lock.newCondition();
  private Set<UUID> repositories = new HashSet<>();
  private boolean all;
  private boolean closed;

  /** There may be something in this repository. */
  void repository(UUID repoId) {
    say(() -> repositories.add(repoId));
  }

  /** There may be something anywhere. */
  void all() {
    say(() -> all = true);
  }

  /** There will be nothing more. */
  void close() {
    say(() -> closed = true);
  }

  private void say(Runnable word) {
    lock.lock();
    try {
      word.run();
      said.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until there may be something to claim.
   *
   * @param timeout after how long to return in any case
   * @return the repositories, or empty for anywhere
   * @throws InterruptedException also where there will be nothing more
   */
  Optional<Set<UUID>> await(Duration timeout) throws InterruptedException {
    long left = timeout.toNanos();
    lock.lock();
    try {
      while (left > 0 && !closed && !all && repositories.isEmpty()) {
        left = said.awaitNanos(left);
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
