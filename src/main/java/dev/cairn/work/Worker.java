package dev.cairn.work;

import dev.cairn.platform.LogIds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/**
 * Claims the work of one {@link WorkKind} when it is due and carries it out, each attempt on a
 * virtual thread. It is identified by one lease for its whole life. The leases of its attempts are
 * renewed until their results are written. {@code docs/actions.md}, Workers, has the rules.
 *
 * @param <T> a claimed row, in its attempt
 * @param <R> the result of an attempt
 */
public final class Worker<T extends WorkItem, R> {
  private static final Logger LOG = Logger.getLogger(Worker.class);

  /** For cancelled attempts to stop and to be given back. */
  private static final Duration CANCEL_GRACE = Duration.ofSeconds(2);

  private static final Duration BETWEEN_CLAIMS = Duration.ofMinutes(1);
  private static final Duration BETWEEN_WRITES = Duration.ofSeconds(1);

  /** The least time between two polls of an ongoing action, however often it could be polled. */
  public static final Duration BETWEEN_POLLS = Duration.ofMillis(500);

  private final WorkKind<T, R> kind;
  private final Slots slots;
  private final Claimer<T, R> claimer;
  private final UUID lease = UUID.randomUUID();
  private final ActiveAttempts<T, R> active = new ActiveAttempts<>();
  private final UnwrittenResults<T, R> unwritten = new UnwrittenResults<>();
  private final WakeUps wakeUps = new WakeUps();
  private final ReentrantLock claiming = new ReentrantLock();
  private volatile boolean isStopping;

  /** When it began to stop, by {@link System#nanoTime}. */
  private volatile long stoppingSince;

  /** A worker that claims nothing by itself until {@link Workers} has started it. */
  public Worker(WorkKind<T, R> kind) {
    this.kind = kind;
    this.slots = new Slots(kind.slots());
    this.claimer = new Claimer<>(kind, slots);
  }

  /** What it does. */
  WorkKind<T, R> kind() {
    return kind;
  }

  /** How many attempts it carries out at this moment. */
  public int activeAttempts() {
    return slots.taken();
  }

  /** Has it claim soon, because there may be work in this repository. */
  public void wake(UUID repoId) {
    wakeUps.wake(repoId);
  }

  /** Has it claim soon, because there may be work anywhere. */
  public void wakeAll() {
    wakeUps.wakeAll();
  }

  /** Starts the thread that claims whenever it is woken up, until the worker stops. */
  void start() {
    wakeUps.open();
    Thread.ofVirtual().name("claims " + kind.noun()).start(this::claimWhenWoken);
  }

  private void claimWhenWoken() {
    try {
      while (true) {
        var repos = wakeUps.await(untilNextClaim());
        try {
          claim(repos);
        } catch (RuntimeException e) {
          LOG.warnf("no %s can be claimed: %s", kind.noun(), e.getMessage());
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("nothing more is claimed", e);
    }
  }

  /** Soon if a host is crowded: its slow targets leave slots to those that answer promptly. */
  private Duration untilNextClaim() {
    return slots.isCrowded() ? Slots.SLOW_AFTER : BETWEEN_CLAIMS;
  }

  /**
   * Claims what is due, as much as there are slots for, and begins to carry it out. What it is
   * woken for while it looks everywhere, part by part, does not wait until it has looked at all.
   *
   * @param repos only in these repositories; empty for all
   * @return the attempts that it began
   */
  public List<ActiveAttempt<T, R>> claim(Optional<Set<UUID>> repos) {
    var begun = new ArrayList<ActiveAttempt<T, R>>();
    claiming.lock();
    try {
      claimBatches(repos, begun);
      while (repos.isEmpty() && !isStopping && kind.nextPart()) {
        var woken = wakeUps.takeRepositories();
        if (!woken.isEmpty()) {
          claimBatches(Optional.of(woken), begun);
        }
        claimBatches(repos, begun);
      }
    } finally {
      claiming.unlock();
    }
    return begun;
  }

  private void claimBatches(Optional<Set<UUID>> repos, List<ActiveAttempt<T, R>> begun) {
    List<ActiveAttempt<T, R>> claimed;
    do {
      claimed = isStopping ? List.of() : claimer.claimBatch(repos, lease);
      claimed.forEach(active::add);
      claimed.forEach(this::startStep);
      begun.addAll(claimed);
    } while (claimed.size() == Claimer.MAX_BATCH);
  }

  private void startStep(ActiveAttempt<T, R> attempt) {
    var item = attempt.item();
    attempt.startStep(
        kind.noun() + " " + item.id(),
        () -> {
          try (var _ = LogIds.of(item.logIds())) {
            carryOut(attempt);
          }
        });
  }

  private void carryOut(ActiveAttempt<T, R> attempt) {
    boolean isOver = true;
    try {
      switch (nextStep(attempt)) {
        case Step.Ended<R>(var result) -> {
          attempt.markEnded();
          isOver = unwritten.write(attempt, kind.end(attempt.item(), result));
        }
        case Ongoing<R> ongoing -> {
          isOver = false;
          suspend(attempt, ongoing);
        }
      }
    } catch (InterruptedException e) {
      LOG.infof("%s is cancelled", attempt.item());
      giveBack(attempt);
    } finally {
      if (isOver) {
        leave(attempt);
      }
    }
  }

  private Step<R> nextStep(ActiveAttempt<T, R> attempt) throws InterruptedException {
    var ongoing = attempt.ongoing();
    if (attempt.isCancelled()) {
      ongoing.ifPresent(Ongoing::cancel);
      throw new InterruptedException();
    }
    try {
      return ongoing.isPresent() ? ongoing.get().poll() : kind.begin(attempt.item());
    } catch (RuntimeException e) {
      if (Thread.interrupted() || attempt.isCancelled()) {
        throw new InterruptedException(e.getMessage());
      }
      return new Step.Ended<>(kind.failed(attempt.item(), e));
    }
  }

  private void suspend(ActiveAttempt<T, R> attempt, Ongoing<R> ongoing) {
    attempt.suspend(ongoing);
    if (attempt.isCancelled()) {
      startStep(attempt);
    }
  }

  private void cancel(ActiveAttempt<T, R> attempt) {
    attempt.cancel();
    startStep(attempt);
  }

  /** Not if another worker has the item: then there is nothing to give back. */
  private void giveBack(ActiveAttempt<T, R> attempt) {
    attempt.markEnded();
    if (!attempt.isLost()) {
      try {
        kind.giveBack(attempt.item());
      } catch (RuntimeException e) {
        LOG.warnf("%s is not given back; its lease will end: %s", attempt.item(), e.getMessage());
      }
    }
  }

  private void leave(ActiveAttempt<T, R> attempt) {
    kind.over(attempt.item());
    active.remove(attempt);
    boolean wasFull = slots.release(attempt.slot());
    if (wasFull) {
      wakeUps.wakeAll();
    } else {
      wakeUps.wake(attempt.item().repoId());
    }
    active.markOver(attempt);
  }

  /** Polls each ongoing action, if it is time. */
  public void pollOngoing() {
    active.all().stream()
        .filter(attempt -> attempt.isSuspendedFor(BETWEEN_POLLS))
        .forEach(this::startStep);
  }

  /** Writes the results that the database has not taken before. */
  public void writeResults() {
    unwritten.writeAgain(this::leave);
  }

  /** Renews the leases of its attempts, and cancels the attempts that another worker has by now. */
  public void renew() {
    var mine = active.all();
    if (mine.isEmpty()) {
      return;
    }
    var items =
        mine.stream().map(ActiveAttempt::item).sorted(Comparator.comparing(WorkItem::id)).toList();
    var kept = kind.renew(items, lease);
    for (var attempt : mine) {
      if (!kept.contains(attempt.item().id())) {
        attempt.markLost();
        cancel(attempt);
      }
    }
  }

  /**
   * Waits until one of these attempts is over.
   *
   * @return those that are not
   */
  public List<ActiveAttempt<T, R>> awaitOne(List<ActiveAttempt<T, R>> attempts, Duration max)
      throws InterruptedException {
    return active.awaitOne(attempts, max);
  }

  /** Claims nothing more. */
  void stopClaiming() {
    if (!isStopping) {
      stoppingSince = System.nanoTime();
      isStopping = true;
    }
  }

  /**
   * Shuts down gracefully: waits until the attempts are over and their results are written, at most
   * for the grace of the kind of work, then cancels the rest, which gives the items back.
   */
  public void stop() throws InterruptedException {
    stopClaiming();
    claiming.lock(); // a claim that is in progress may bring more attempts
    try {
      wakeUps.close();
    } finally {
      claiming.unlock();
    }
    if (!awaitAll(kind.grace().minusNanos(System.nanoTime() - stoppingSince))) {
      active.all().forEach(this::cancel);
      if (!awaitAll(CANCEL_GRACE)) {
        LOG.warnf(
            "%d attempts (%s) do not stop; their leases will end",
            active.all().size(), kind.noun());
      }
    }
  }

  private boolean awaitAll(Duration max) throws InterruptedException {
    long end = System.nanoTime() + max.toNanos();
    while (!active.isEmpty() && end - System.nanoTime() > 0) {
      writeResults();
      pollOngoing();
      active.awaitAll(Math.min(end - System.nanoTime(), BETWEEN_WRITES.toNanos()));
    }
    return active.isEmpty();
  }
}
