package dev.cairn.action;

import dev.cairn.platform.CairnConfig;
import dev.cairn.work.NotifyListener;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * What happens by itself, where this replica is a worker: runs are carried out as soon as the
 * database says that there are some, and once a second all else is looked after.
 */
@ApplicationScoped
class Background {
  private static final Logger LOG = Logger.getLogger(Background.class);

  private final Worker worker;
  private final Wakes wakes;
  private final CronTicks ticks;
  private final Settlements settlements;
  private final Recovery recovery;
  private final CairnConfig config;
  private final boolean isWorker;
  private NotifyListener listener;

  Background(
      Worker worker,
      Wakes wakes,
      CronTicks ticks,
      Settlements settlements,
      Recovery recovery,
      CairnConfig config) {
    this.worker = worker;
    this.wakes = wakes;
    this.ticks = ticks;
    this.settlements = settlements;
    this.recovery = recovery;
    this.config = config;
    this.isWorker = config.roles().contains(CairnConfig.Role.WORKER);
  }

  void start(@Observes StartupEvent event) {
    if (isWorker) {
      listener =
          new NotifyListener(
              config,
              Outbox.CHANNEL,
              repoId -> wakes.repository(UUID.fromString(repoId)),
              wakes::all);
      Thread.ofVirtual().name("claims").start(this::work);
    }
  }

  void stop(@Observes ShutdownEvent event) {
    if (listener != null) {
      listener.close();
    }
  }

  private void work() {
    try {
      while (true) {
        var where = wakes.await(worker.untilNextClaim());
        try {
          worker.claim(where);
        } catch (RuntimeException e) {
          LOG.warnf("nothing can be claimed: %s", e.getMessage());
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("no more claims", e);
    }
  }

  /** Looks after what no signal tells: time that has passed, and signals that got lost. */
  @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  void poll() {
    worker.look(); // also where only a tick began it
    if (isWorker) {
      ticks.fire();
      worker.rescue();
      settlements.deliverNotifications();
      wakes.all();
    }
  }

  /** Apart from the rest of what is polled, because an end may have to wait for a commit. */
  @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  void writeRest() {
    worker.writeRest(); // also where only a tick began it
  }

  /** Keeps what is under way, also where only a tick began it. */
  @Scheduled(every = "5s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  void renew() {
    worker.renew();
  }

  /** Ends what a replica that is gone has left of deleted subscriptions. */
  @Scheduled(every = "1m", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  void endLeft() {
    if (isWorker) {
      recovery.endLeft();
    }
  }
}
