package dev.cairn.work;

import dev.cairn.platform.CairnConfig;
import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import org.jboss.logging.Logger;

/**
 * Starts, polls and stops the {@link Worker} of each kind of work. Work is claimed as soon as the
 * database notifies of it, and by polling as a fallback, for time that has passed and notifications
 * that were lost.
 */
@ApplicationScoped
public class Workers {
  private static final Logger LOG = Logger.getLogger(Workers.class);

  private final List<Worker<?, ?>> workers;
  private final List<TransactionalWork> transactional;
  private final CairnConfig config;
  private final boolean isWorker;
  private final List<NotifyListener> listeners = new ArrayList<>();

  /**
   * @param workers one of each kind of work
   */
  public Workers(
      @All List<Worker<?, ?>> workers,
      @All List<TransactionalWork> transactional,
      CairnConfig config) {
    this.workers = workers;
    this.transactional = transactional;
    this.config = config;
    this.isWorker = config.roles().contains(CairnConfig.Role.WORKER);
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
                    repoId -> worker.wake(UUID.fromString(repoId)),
                    worker::wakeAll))
        .ifPresent(listeners::add);
  }

  /** Claims what is due, ends attempts whose lease has ended, and polls ongoing actions. */
  @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  public void poll() {
    for (var worker : workers) {
      attempt(worker::pollOngoing); // also if only a tick began it
      if (claims(worker)) {
        attempt(worker.kind()::rescue);
        worker.wakeAll();
      }
    }
    if (isWorker) {
      transactional.forEach(work -> attempt(work::runDue));
    }
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

  void close(@Observes ShutdownEvent event) {
    listeners.forEach(NotifyListener::close);
  }
}
