package dev.cairn.work;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.DatabaseException;
import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.quarkus.scheduler.Scheduler;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/**
 * Starts, polls and stops the {@link Worker} of each kind of work. Work is claimed as soon as the
 * database notifies of it, and by polling as a fallback, for time that has passed and notifications
 * that were lost.
 */
@ApplicationScoped
public class Workers {
  private static final Logger LOG = Logger.getLogger(Workers.class);

  /** After so many polls in a row that found nothing, the database is only asked by some. */
  static final int IDLE_AFTER_POLLS = 60;

  /** One poll of so many asks the database of an idle replica. */
  static final int IDLE_POLLS = 3;

  private final List<Worker<?, ?>> workers;
  private final CairnConfig config;
  private final Database database;
  private final boolean isWorker;
  private final AtomicInteger emptyPolls = new AtomicInteger();

  /** What this replica asks the database for. */
  private final List<Polled> polled = new ArrayList<>();

  private final String dueConditions;
  private final List<NotifyListener> listeners = new ArrayList<>();

  /** What is done if a condition holds. */
  private record Polled(String dueCondition, Runnable work) {}

  /**
   * @param workers one of each kind of work
   */
  public Workers(
      @All List<Worker<?, ?>> workers,
      @All List<TransactionalWork> transactional,
      CairnConfig config,
      Database database) {
    this.workers = workers;
    this.config = config;
    this.database = database;
    this.isWorker = config.roles().contains(CairnConfig.Role.WORKER);
    for (var worker : workers) {
      if (claims(worker)) {
        polled.add(new Polled(worker.kind().dueCondition(), () -> rescueAndClaim(worker)));
      }
    }
    if (isWorker) {
      transactional.forEach(work -> polled.add(new Polled(work.dueCondition(), work::runDue)));
    }
    this.dueConditions =
        IntStream.range(0, polled.size())
            .mapToObj(i -> "(%d, %s)".formatted(i, polled.get(i).dueCondition()))
            .collect(
                Collectors.joining(
                    ", ",
                    "select p.ordinal from (values ",
                    ") as p (ordinal, holds) where p.holds"));
  }

  void start(@Observes StartupEvent event) {
    workers.stream().filter(this::claims).forEach(this::start);
  }

  private boolean claims(Worker<?, ?> worker) {
    return isWorker || worker.kind().isClaimedByAll();
  }

  private void start(Worker<?, ?> worker) {
    worker.start();
    worker
        .kind()
        .channel()
        .map(
            channel ->
                new NotifyListener(
                    config,
                    channel,
                    repoId -> {
                      emptyPolls.set(0);
                      worker.wake(UUID.fromString(repoId));
                    },
                    worker::wakeAll))
        .ifPresent(listeners::add);
  }

  /** Claims what is due, ends attempts whose lease has ended, and polls ongoing actions. */
  @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  public void poll() {
    workers.forEach(worker -> attempt(worker::pollOngoing)); // also if only a tick began it
    int empty = emptyPolls.getAndIncrement();
    if (!polled.isEmpty() && (empty < IDLE_AFTER_POLLS || empty % IDLE_POLLS == 0)) {
      pollDatabase();
    }
  }

  /** While nothing may be due, one statement; if that fails, each kind looks for itself. */
  private void pollDatabase() {
    var due = polled;
    try {
      due = database.inIndexOrder().list(dueConditions, row -> polled.get(row.getInt(1)));
    } catch (DatabaseException e) {
      LOG.warnf("what is due cannot be found at once: %s", e.getMessage());
    }
    if (!due.isEmpty()) {
      emptyPolls.set(0);
    }
    due.forEach(each -> attempt(each.work()));
  }

  private static void rescueAndClaim(Worker<?, ?> worker) {
    attempt(worker.kind()::rescue);
    worker.wakeAll();
  }

  /** Apart from {@link #poll}, because a write may have to wait for a commit. */
  @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  void writeResults() {
    workers.forEach(worker -> attempt(worker::writeResults)); // also if only a tick began it
  }

  /** One renewal at a time, since two of them would wait for each other's locks. */
  @Scheduled(every = "5s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  void renew() {
    workers.forEach(worker -> attempt(worker::renew)); // also if only a tick began it
  }

  /** A kind of work that fails does not hold back the others. */
  private static void attempt(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException e) {
      LOG.errorf(e, "a poll failed; the next one tries again");
    }
  }

  /** Claims nothing more. Requests still have their time, beside that of the attempts. */
  void stopClaiming(@Observes ShutdownDelayInitiatedEvent event) {
    workers.forEach(Worker::stopClaiming);
  }

  /**
   * Stops all workers at the same time. Runs after the last request and before the port is closed:
   * a local command could take a closed port.
   */
  void stop(
      @Observes @Priority(Interceptor.Priority.APPLICATION + 2_000)
          ShutdownDelayInitiatedEvent event) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var worker : workers) {
        var _ =
            threads.submit(
                () -> {
                  worker.stop();
                  return null;
                });
      }
    }
  }

  /** After the workers have stopped: Quarkus logs a poll that falls due later as an error. */
  void pause(
      @Observes @Priority(Interceptor.Priority.APPLICATION + 3_000)
          ShutdownDelayInitiatedEvent event,
      Scheduler scheduler) {
    scheduler.pause();
  }

  void close(@Observes ShutdownEvent event) {
    listeners.forEach(NotifyListener::close);
  }
}
