package dev.cairn.action;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Database;
import dev.cairn.platform.LogIds;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Takes runs that are due and carries them out, each on a virtual thread, of which one whose action
 * goes on elsewhere has none between two looks. It is known by its lease, one for its whole life; a
 * run that it has is renewed until its end is written. {@code docs/actions.md}, Workers, has the
 * rules.
 */
@ApplicationScoped
class Worker {
  private static final Logger LOG = Logger.getLogger(Worker.class);

  private static final int OVERDUE_AT_ONCE = 200;

  /** Of as many calls as there may be of webhooks, beside these. */
  private static final int SHARE_OF_NOTICES = 8;

  /** For what was broken off, to give itself back. */
  private static final Duration LAST_GRACE = Duration.ofSeconds(2);

  private static final Duration BETWEEN_CLAIMS = Duration.ofMinutes(1);
  private static final Duration BETWEEN_WRITES = Duration.ofSeconds(1);

  /** Where the database is away, or many repositories are busy, each try takes its time. */
  private static final Duration MOST_TO_WRITE = Duration.ofSeconds(4);

  /** How long an attempt that waits is left alone at least, however often somebody polls. */
  static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  private final Database database;
  private final RunQueue queue;
  private final Settlements settlements;
  private final Settler settler;
  private final Execution execution;
  private final Wakes wakes;
  private final Slots slots;
  private final Claims claims;
  private final Duration grace;
  private final UUID lease = UUID.randomUUID();
  private final Map<UUID, InFlight> inFlight = new ConcurrentHashMap<>();

  /** As many as there are slots at the most, of which each keeps its own. */
  private final ConcurrentLinkedQueue<Unwritten> unwritten = new ConcurrentLinkedQueue<>();

  private final ReentrantLock claiming = new ReentrantLock();
  private final ReentrantLock ends = new ReentrantLock();
  private final Condition ended = ends.newCondition();
  private volatile boolean stopping;

  /** When it began to stop, by {@link System#nanoTime}. */
  private volatile long stoppingSince;

  /** The end of an attempt that the database has not taken yet. */
  private record Unwritten(InFlight attempt, Outcome outcome, Settlement settlement) {}

  Worker(
      Database database,
      RunQueue queue,
      Settlements settlements,
      Settler settler,
      Execution execution,
      Wakes wakes,
      CairnConfig config,
      @ConfigProperty(name = "quarkus.shutdown.timeout") Duration mostToStop,
      MeterRegistry registry) {
    this.database = database;
    this.queue = queue;
    this.settlements = settlements;
    this.settler = settler;
    this.execution = execution;
    this.wakes = wakes;
    this.grace = mostToStop.multipliedBy(2).dividedBy(3);
    this.slots =
        new Slots(
            Map.of(
                "webhook",
                config.worker().webhooks(),
                "sprite",
                config.worker().sprites(),
                Notices.KIND,
                Math.max(1, config.worker().webhooks() / SHARE_OF_NOTICES)));
    this.claims = new Claims(queue, slots);
    Gauge.builder("cairn.attempts.running", slots, Slots::taken)
        .description("Attempts that this replica carries out at this moment")
        .register(registry);
  }

  /**
   * Takes runs that are due, as many as there is room for, and begins to carry them out.
   *
   * @param repos only of these repositories; empty for all
   * @return what was begun
   */
  List<InFlight> claim(Optional<Set<UUID>> repos) {
    var begun = new ArrayList<InFlight>();
    claiming.lock();
    try {
      List<InFlight> claimed;
      do {
        claimed = stopping ? List.of() : claims.some(repos, lease);
        claimed.forEach(this::begin);
        begun.addAll(claimed);
      } while (claimed.size() == Claims.AT_ONCE);
    } finally {
      claiming.unlock();
    }
    return begun;
  }

  /**
   * After how long to claim without a signal. Soon if a host is crowded: slow calls put their
   * targets in doubt, and targets that answer promptly then get places again.
   */
  Duration untilNextClaim() {
    return slots.isCrowded() ? Slots.PROMPT : BETWEEN_CLAIMS;
  }

  private void begin(InFlight attempt) {
    inFlight.put(attempt.run.running().runId(), attempt);
    goOn(attempt);
  }

  private void goOn(InFlight attempt) {
    attempt.goOn(
        () -> {
          try (var _ = LogIds.of(attempt.run.logIds())) {
            carryOut(attempt);
          }
        });
  }

  private void carryOut(InFlight attempt) {
    boolean isOver = true;
    try {
      switch (step(attempt)) {
        case Outcome outcome -> {
          attempt.answered();
          isOver = write(new Unwritten(attempt, outcome, execution.settle(attempt.run, outcome)));
        }
        case Ongoing ongoing -> {
          isOver = false;
          rest(attempt, ongoing);
        }
      }
    } catch (InterruptedException e) {
      LOG.infof("%s is broken off", attempt.run);
      giveBack(attempt);
    } finally {
      if (isOver) {
        leave(attempt);
      }
    }
  }

  private Step step(InFlight attempt) throws InterruptedException {
    var ongoing = attempt.ongoing();
    if (attempt.isBrokenOff()) {
      ongoing.ifPresent(Ongoing::breakOff);
      throw new InterruptedException();
    }
    return ongoing.isPresent() ? execution.look(attempt, ongoing.get()) : execution.begin(attempt);
  }

  private void rest(InFlight attempt, Ongoing ongoing) {
    attempt.rest(ongoing);
    if (attempt.isBrokenOff()) {
      goOn(attempt);
    }
  }

  private void breakOff(InFlight attempt) {
    attempt.breakOff();
    goOn(attempt);
  }

  /** Has a thread look after each attempt whose action goes on elsewhere, if it is time. */
  void look() {
    inFlight.values().stream().filter(a -> a.hasRested(BETWEEN_LOOKS)).forEach(this::goOn);
  }

  /**
   * Writes the end of an attempt, unless another worker has it by now. Where the database does not
   * take it, it waits for {@link #writeRest}.
   *
   * @return whether there is nothing left to write
   */
  private boolean write(Unwritten end) {
    if (end.attempt().lost) {
      return true;
    }
    var run = end.attempt().run;
    try {
      execution.end(end.attempt(), end.outcome(), end.settlement());
      return true;
    } catch (RuntimeException e) {
      LOG.warnf("the end of %s cannot be written yet: %s", run, e.getMessage());
      unwritten.add(end);
      return false;
    }
  }

  /**
   * Writes the ends of attempts that the database has not taken before. What it does not take now
   * is the last of the next time, with the others of its repository, so that a busy repository is
   * not in the way of others. Their leases are renewed as long as they wait.
   */
  void writeRest() {
    var busy = new HashSet<UUID>();
    long until = System.nanoTime() + MOST_TO_WRITE.toNanos();
    for (int left = unwritten.size(); left > 0 && until - System.nanoTime() > 0; left--) {
      var end = unwritten.poll();
      if (end == null) {
        return;
      }
      var repoId = end.attempt().run.running().repoId();
      if (busy.contains(repoId)) {
        unwritten.add(end);
      } else if (writeAgain(end)) {
        leave(end.attempt());
      } else {
        busy.add(repoId);
      }
    }
  }

  private boolean writeAgain(Unwritten end) {
    try (var _ = LogIds.of(end.attempt().run.logIds())) {
      return write(end);
    }
  }

  private void leave(InFlight attempt) {
    attempt.span.end(); // where there was no outcome
    inFlight.remove(attempt.run.running().runId(), attempt);
    boolean wasFull = slots.release(attempt.place);
    if (wasFull) {
      wakes.all();
    } else {
      wakes.repository(attempt.run.running().repoId());
    }
    signalEnd(attempt);
  }

  /** Not where another worker has it: there is nothing to give then. */
  private void giveBack(InFlight attempt) {
    attempt.answered();
    if (!attempt.lost) {
      try {
        settlements.write(settler.giveBack(attempt.run.running()));
      } catch (RuntimeException e) {
        LOG.warnf("%s is not given back; its lease will end: %s", attempt.run, e.getMessage());
      }
    }
  }

  private void signalEnd(InFlight attempt) {
    ends.lock();
    try {
      attempt.over = true;
      ended.signalAll();
    } finally {
      ends.unlock();
    }
  }

  /**
   * Waits until one of these has ended.
   *
   * @return those that have not
   */
  List<InFlight> awaitOne(List<InFlight> attempts, Duration most) throws InterruptedException {
    long left = most.toNanos();
    ends.lock();
    try {
      while (left > 0 && attempts.stream().noneMatch(attempt -> attempt.over)) {
        left = ended.awaitNanos(left);
      }
      return attempts.stream().filter(attempt -> !attempt.over).toList();
    } finally {
      ends.unlock();
    }
  }

  /** Keeps what this worker has, and breaks off what is not its own any more. */
  void renew() {
    var mine = List.copyOf(inFlight.values());
    if (mine.isEmpty()) {
      return;
    }
    var attempts =
        mine.stream()
            .map(attempt -> attempt.run.running())
            .sorted(Comparator.comparing(RunningAttempt::runId))
            .toList();
    var kept = queue.renew(attempts, lease);
    for (var attempt : mine) {
      if (!kept.contains(attempt.run.running().runId())) {
        attempt.lost = true;
        breakOff(attempt);
      }
    }
  }

  /**
   * Ends the attempts whose worker is lost or whose callback did not come.
   *
   * @return how many
   */
  int rescue() {
    return database.transaction(
        () -> {
          var overdue = settlements.overdue(OVERDUE_AT_ONCE);
          return settlements.write(overdue.stream().map(settler::overdue).toList()).size();
        });
  }

  /** Takes nothing more. Requests still have their time, beside that of the attempts. */
  void takeNoMore(@Observes ShutdownDelayInitiatedEvent event) {
    takeNoMore();
  }

  private void takeNoMore() {
    if (!stopping) {
      stoppingSince = System.nanoTime();
      stopping = true;
    }
  }

  /**
   * Waits until attempts have ended and their ends are written, then gives back the rest. Runs
   * after the last request and before the port is closed: a local command could take a closed port.
   */
  void stop(
      @Observes @Priority(Interceptor.Priority.APPLICATION + 2_000)
          ShutdownDelayInitiatedEvent event)
      throws InterruptedException {
    takeNoMore();
    wakes.close();
    if (!awaitAll(grace.minusNanos(System.nanoTime() - stoppingSince))) {
      inFlight.values().forEach(this::breakOff);
      if (!awaitAll(LAST_GRACE)) {
        LOG.warnf("%d attempts do not stop; their leases will end", inFlight.size());
      }
    }
  }

  private boolean awaitAll(Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (!inFlight.isEmpty() && end - System.nanoTime() > 0) {
      writeRest();
      look();
      awaitEnd(Math.min(end - System.nanoTime(), BETWEEN_WRITES.toNanos()));
    }
    return inFlight.isEmpty();
  }

  private void awaitEnd(long nanos) throws InterruptedException {
    long left = nanos;
    ends.lock();
    try {
      while (left > 0 && !inFlight.isEmpty()) {
        left = ended.awaitNanos(left);
      }
    } finally {
      ends.unlock();
    }
  }
}
