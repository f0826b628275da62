package dev.cairn.work;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The attempts that a worker carries out; others can wait until one or all of them are over. */
final class ActiveAttempts<T extends WorkItem, R> {
  private final Map<UUID, ActiveAttempt<T, R>> byId = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition over = lock.newCondition();

  void add(ActiveAttempt<T, R> attempt) {
    byId.put(attempt.item().id(), attempt);
  }

  void remove(ActiveAttempt<T, R> attempt) {
    byId.remove(attempt.item().id(), attempt);
  }

  Collection<ActiveAttempt<T, R>> all() {
    return List.copyOf(byId.values());
  }

  boolean isEmpty() {
    return byId.isEmpty();
  }

  void markOver(ActiveAttempt<T, R> attempt) {
    lock.lock();
    try {
      attempt.markOver();
      over.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until one of these is over.
   *
   * @return those that are not
   */
  List<ActiveAttempt<T, R>> awaitOne(List<ActiveAttempt<T, R>> attempts, Duration max)
      throws InterruptedException {
    long left = max.toNanos();
    lock.lock();
    try {
      while (left > 0 && attempts.stream().noneMatch(ActiveAttempt::isOver)) {
        left = over.awaitNanos(left);
      }
      return attempts.stream().filter(attempt -> !attempt.isOver()).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all are over, or until the time has passed. */
  void awaitAll(long maxNanos) throws InterruptedException {
    long left = maxNanos;
    lock.lock();
    try {
      while (left > 0 && !byId.isEmpty()) {
        left = over.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
