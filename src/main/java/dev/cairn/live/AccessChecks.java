package dev.cairn.live;

import dev.cairn.access.OngoingReads;
import dev.cairn.platform.database.Database;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/**
 * Authorizes all who follow repositories again: before they are told of a commit, unless that was
 * done in the last second, and at least every five seconds. One statement does it for all, and also
 * finds commits of which no notification came. See {@code docs/live.md}, When access ends.
 */
@Singleton
class AccessChecks {
  private static final Logger LOG = Logger.getLogger(AccessChecks.class);

  /** Within this time after access has ended, commits may still be told. */
  private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration TIME_LIMIT = Duration.ofSeconds(5);

  /** After this time the connection of a client is closed that was to end. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Watches watches;
  private final OngoingReads reads;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** When the last successful check began. */
  private long checkedAt = System.nanoTime();

  private boolean isRequested;
  private Thread thread;

  AccessChecks(Watches watches, OngoingReads reads) {
    this.watches = watches;
    this.reads = reads;
  }

  /** Has a check begin soon. */
  void request() {
    lock.lock();
    try {
      isRequested = true;
      begin();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Somebody follows, so that there are checks from time to time, until nobody does. */
  void begin() {
    lock.lock();
    try {
      start();
    } finally {
      lock.unlock();
    }
  }

  private void start() {
    if (thread == null) {
      thread = Thread.ofVirtual().name("live access checks").start(this::run);
    }
  }

  /**
   * Waits until a client was authorized since it began to follow, and within the last second. It is
   * to end otherwise, see {@link Watch#ending}.
   *
   * @return false if that takes too long
   */
  boolean await(Watch watch, Duration timeout) throws InterruptedException {
    long oldest = System.nanoTime() - MAX_AGE_NANOS;
    if (watch.openedAt() - oldest > 0) {
      oldest = watch.openedAt();
    }
    long left = timeout.toNanos();
    lock.lock();
    try {
      if (System.nanoTime() - checkedAt > MAX_AGE_NANOS / 2 || checkedAt - oldest < 0) {
        // Also before it is necessary, so that the next event need not wait.
        request();
      }
      while (checkedAt - oldest < 0) {
        if (left <= 0) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      while (awaitTurn()) {
        check();
      }
    } catch (InterruptedException _) {
      LOG.debug("no more checks");
    }
  }

  /** False if nobody follows; then the thread ends. */
  private boolean awaitTurn() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = INTERVAL.toNanos();
      while (!isRequested && left > 0) {
        left = changed.awaitNanos(left);
      }
      isRequested = false;
      if (watches.all().isEmpty()) {
        thread = null;
        return false;
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void check() {
    long begun = System.nanoTime();
    var present = watches.all().stream().toList();
    try {
      var allowed =
          Database.within(
              TIME_LIMIT,
              () -> reads.allowed(present.stream().flatMap(w -> w.reads().stream()).toList()));
      for (var watch : present) {
        watch.hangUpAfter(PATIENCE);
        if (!allowed.keySet().containsAll(watch.reads())) {
          watch.end(Ending.ACCESS_ENDED);
        }
      }
      allowed.forEach((read, seq) -> watches.committed(read.repoId(), seq));
      done(begun);
    } catch (RuntimeException e) {
      // The next check may succeed; without one, nobody is told anything.
      LOG.warnf("live updates wait, since access cannot be checked: %s", e);
    }
  }

  private void done(long begun) {
    lock.lock();
    try {
      checkedAt = begun;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void close(@Observes ShutdownEvent event) {
    lock.lock();
    try {
      if (thread != null) {
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }
}
