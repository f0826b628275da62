package dev.cairn.live;

import dev.cairn.commit.CommitObserver;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.DatabaseException;
import dev.cairn.work.NotifyListener;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Tells all replicas of commits. Those of this replica wake who follows here at once. Other
 * replicas are notified by the database after the commit and not within it, where notifications of
 * all repositories would wait for one another; commits that come while one is sent, or within a
 * pause after it, share the next one, so that notifications take little of what commits need. What
 * is lost of them is found by {@link AccessChecks}.
 */
@Singleton
class CommitSignals implements CommitObserver {
  private static final Logger LOG = Logger.getLogger(CommitSignals.class);

  /** Its notifications name a repository and the number of its newest commit. */
  static final String CHANNEL = "cairn_commits";

  private static final Duration PAUSE = Duration.ofMillis(10);

  /** Nothing is lost if the database forgets it, so it need not flush its log. */
  private static final String NOTIFY =
      """
      select set_config('synchronous_commit', 'off', true),
             (select count(pg_notify('%s', p)) from unnest(?::text[]) p)
      """
          .formatted(CHANNEL);

  private final Database database;
  private final CairnConfig config;
  private final Watches watches;
  private final AccessChecks checks;
  private final ConcurrentMap<UUID, Long> unsent = new ConcurrentHashMap<>();
  private final AtomicBoolean isSending = new AtomicBoolean();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("commit signals").factory());
  private NotifyListener listener;

  CommitSignals(Database database, CairnConfig config, Watches watches, AccessChecks checks) {
    this.database = database;
    this.config = config;
    this.watches = watches;
    this.checks = checks;
  }

  void listen(@Observes StartupEvent event) {
    if (config.roles().contains(CairnConfig.Role.API)) {
      listener = new NotifyListener(config, CHANNEL, this::notified, checks::requestAll);
    }
  }

  void close(@Observes ShutdownEvent event) {
    if (listener != null) {
      listener.close();
    }
    threads.shutdownNow();
  }

  @Override
  public void committed(UUID repoId, long seq) {
    watches.committed(repoId, seq);
    unsent.merge(repoId, seq, Math::max);
    sendUnsent();
  }

  private void sendUnsent() {
    if (isSending.compareAndSet(false, true)) {
      var _ = threads.submit(this::send);
    }
  }

  private void send() {
    try {
      while (!unsent.isEmpty()) {
        var payloads =
            unsent.keySet().stream()
                .map(repoId -> repoId + " " + unsent.remove(repoId))
                .toArray(String[]::new);
        database.inBackground().list(NOTIFY, _ -> true, (Object) payloads);
        Thread.sleep(PAUSE);
      }
    } catch (DatabaseException e) {
      LOG.warnf("other replicas are not notified of commits: %s", e.getMessage());
    } catch (InterruptedException _) {
      return; // The service stops.
    } finally {
      isSending.set(false);
    }
    if (!unsent.isEmpty()) { // added after the last look
      sendUnsent();
    }
  }

  private void notified(String payload) {
    int space = payload.indexOf(' ');
    watches.committed(
        UUID.fromString(payload.substring(0, space)), Long.parseLong(payload.substring(space + 1)));
  }
}
