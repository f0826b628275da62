package dev.cairn.commit;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.DatabaseException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Lets the commits of one repository have at most a quarter of the connections. They wait for each
 * other anyway, at the repository's head; here they wait without a connection, which the commits of
 * the other repositories need.
 */
@ApplicationScoped
class CommitTurns {
  private static final int SHARE_OF_POOL = 4;
  private static final int WAIT_SECONDS = 5;

  private final int most;

  /** Only of repositories that somebody commits to at this moment. */
  private final ConcurrentHashMap<UUID, Queue> queues = new ConcurrentHashMap<>();

  private static final class Queue {
    final Semaphore free;
    int users;

    Queue(int most) {
      this.free = new Semaphore(most, true);
    }
  }

  CommitTurns(CairnConfig config, MeterRegistry metrics) {
    this.most = Math.max(1, config.database().poolSize() / SHARE_OF_POOL);
    Gauge.builder("cairn.commits.waiting", this, CommitTurns::waiting)
        .description("Commits that wait in this replica for others of their repository")
        .register(metrics);
    Gauge.builder("cairn.commits.repositories", queues, ConcurrentHashMap::size)
        .description("Repositories that are committed to in this replica at this moment")
        .register(metrics);
  }

  /** Runs a commit when it is its turn; to be called before the first connection is taken. */
  <T> T inTurn(UUID repoId, Supplier<T> commit) {
    var queue = queues.compute(repoId, (_, present) -> entered(present));
    try {
      return inTurn(queue.free, commit);
    } finally {
      queues.computeIfPresent(repoId, (_, present) -> --present.users == 0 ? null : present);
    }
  }

  private Queue entered(Queue present) {
    var queue = present == null ? new Queue(most) : present;
    queue.users++;
    return queue;
  }

  private static <T> T inTurn(Semaphore free, Supplier<T> commit) {
    if (!acquired(free)) {
      throw busy();
    }
    try {
      return commit.get();
    } catch (RuntimeException e) {
      throw DatabaseException.isLockTimeout(e) ? busy() : e;
    } finally {
      free.release();
    }
  }

  private static boolean acquired(Semaphore free) {
    try {
      return free.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static Problem busy() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Another commit to this repository is still being written; try again.");
  }

  private int waiting() {
    return queues.values().stream().mapToInt(queue -> queue.free.getQueueLength()).sum();
  }
}
