package dev.cairn.live;

import dev.cairn.access.OngoingReads;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.DatabaseException;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Authorizes all who follow repositories again: before they are told of a commit, unless that was
 * done in the last second, and at least every five seconds. One statement does it for a {@link
 * CheckBatch}, and also finds commits of which no notification came. Those whom it has authorized
 * go on; the others wait for the next ones. See {@code docs/live.md}, When access ends.
 */
@Singleton
class AccessChecks {
  private static final Logger LOG = Logger.getLogger(AccessChecks.class);

  /** The maximum number of reads that one statement authorizes. */
  static final int MAX_READS = 1_000;

  /** The same while the database is slow: those of one client. */
  private static final int MIN_READS = ChangeStreams.MAX_REPOSITORIES;

  /** If a statement takes longer, the next ones authorize less. */
  private static final Duration TIME_LIMIT = Duration.ofSeconds(2);

  /** If it takes less time, they authorize more. */
  private static final Duration SHORT_TIME = TIME_LIMIT.dividedBy(4);

  /** After this time the connection of a client is closed that was to end. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Duration OPENING_WAIT = Duration.ofSeconds(5);

  private final Supplier<Collection<Watch>> clients;
  private final Function<Set<OngoingReads.Read>, Map<OngoingReads.Read, Long>> allowed;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition due = lock.newCondition();
  private final Condition checked = lock.newCondition();
  private Thread thread;

  // Used by that thread only.
  private int maxReads = MAX_READS;
  private boolean isFailing;

  @Inject
  AccessChecks(Watches watches, OngoingReads reads) {
    this(watches::all, reads::allowed);
  }

  /**
   * @param clients all who follow
   * @param allowed finds which reads are allowed, each with the newest sequence number
   */
  AccessChecks(
      Supplier<Collection<Watch>> clients,
      Function<Set<OngoingReads.Read>, Map<OngoingReads.Read, Long>> allowed) {
    this.clients = clients;
    this.allowed = allowed;
  }

  /** Has a client be checked soon. */
  void request(Watch client) {
    client.access().request();
    begin();
  }

  /** Has all be checked soon. */
  void requestAll() {
    clients.get().forEach(client -> client.access().request());
    begin();
  }

  /** Somebody follows, so that there are checks from time to time, until nobody does. */
  void begin() {
    lock.lock();
    try {
      if (thread == null) {
        thread = Thread.ofVirtual().name("live access checks").start(this::run);
      }
      due.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until a client was authorized since it began to follow, and within the last second. It is
   * to end otherwise, see {@link Watch#ending}.
   *
   * @return false if that takes too long
   */
  boolean await(Watch client, Duration timeout) throws InterruptedException {
    long now = System.nanoTime();
    var access = client.access();
    if (access.isFresh(now)) {
      if (access.needsRenewal(now)) {
        request(client);
      }
      return true;
    }
    long left = timeout.toNanos();
    lock.lock();
    try {
      while (!access.isFresh(now)) {
        if (left <= 0) {
          return false;
        }
        request(client); // again, if a check of it has failed
        left = checked.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until a client was authorized since it began to follow, before it is told anything.
   *
   * @param refusal what is thrown if its access has ended
   * @throws Problem {@code UNAVAILABLE} if access cannot be checked
   */
  void requireAccess(Watch client, Supplier<Problem> refusal) throws InterruptedException {
    if (!await(client, OPENING_WAIT)) {
      throw Problem.of(ErrorCode.UNAVAILABLE, "Access cannot be checked at this moment.");
    }
    if (client.ending().filter(Ending.ACCESS_ENDED::equals).isPresent()) {
      throw refusal.get();
    }
  }

  private void run() {
    try {
      while (awaitDue()) {
        check(CheckBatch.of(clients.get(), maxReads, System.nanoTime()));
      }
    } catch (InterruptedException _) {
      LOG.debug("no more checks");
    }
  }

  /** False if nobody follows; then the thread ends. */
  private boolean awaitDue() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      for (var left = untilDue(); left.isPresent(); left = untilDue()) {
        if (left.getAsLong() <= 0) {
          return true;
        }
        due.awaitNanos(left.getAsLong());
      }
      thread = null;
      return false;
    } finally {
      lock.unlock();
    }
  }

  private OptionalLong untilDue() {
    long now = System.nanoTime();
    return clients.get().stream().mapToLong(client -> client.access().nanosUntilDue(now)).min();
  }

  private void check(CheckBatch batch) {
    clients.get().forEach(client -> client.hangUpAfter(PATIENCE));
    long begun = System.nanoTime();
    batch.clients().forEach(client -> client.access().tried(begun));
    try {
      var found = Database.within(TIME_LIMIT, () -> allowed.apply(batch.reads()));
      batch.clients().forEach(client -> checked(client, found, begun));
      succeeded(System.nanoTime() - begun);
    } catch (RuntimeException e) {
      failed(e); // a later check may succeed; without one, these clients are told nothing
    }
    lock.lock();
    try {
      checked.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void succeeded(long nanos) {
    isFailing = false;
    if (nanos < SHORT_TIME.toNanos()) {
      maxReads = Math.min(maxReads + MIN_READS, MAX_READS);
    }
  }

  private void failed(RuntimeException reason) {
    boolean tookTooLong = DatabaseException.isTimeout(reason);
    if (tookTooLong && maxReads > MIN_READS) {
      maxReads = Math.max(maxReads / 2, MIN_READS);
    } else if (!isFailing) {
      isFailing = true;
      LOG.warnf("live updates wait, since access cannot be checked: %s", reason);
    }
  }

  private static void checked(Watch client, Map<OngoingReads.Read, Long> allowed, long begun) {
    if (allowed.keySet().containsAll(client.reads())) {
      client.committed(allowed);
    } else {
      client.end(Ending.ACCESS_ENDED);
    }
    client.access().checked(begun);
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
