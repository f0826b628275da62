package dev.cairn.commit;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.DatabaseException;
import dev.cairn.platform.Turns;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Lets the commits of one repository have at most a quarter of the connections. They wait for each
 * other anyway, at the repository's head; here they wait without a connection, which the commits of
 * the other repositories need.
 *
 * <p>A commit that reached the database's lock timeout on the head gives its connection back and
 * tries again until its own time is over. Of all such commits in one repository, one at a time has
 * a connection, so a long rename occupies few connections.
 */
@ApplicationScoped
class CommitTurns {
  private static final int SHARE_OF_POOL = 4;

  private final Turns<UUID> repositories;
  private final Turns<UUID> afterLockTimeout;
  private final Duration wait;

  CommitTurns(CairnConfig config, MeterRegistry metrics) {
    this.repositories = new Turns<>(config, SHARE_OF_POOL);
    this.afterLockTimeout = new Turns<>(config, config.database().poolSize());
    this.wait = Duration.ofSeconds(config.limits().commitWaitSeconds());
    Gauge.builder(
            "cairn.commits.waiting", () -> repositories.waiting() + afterLockTimeout.waiting())
        .description("Commits that wait in this replica for others of their repository")
        .register(metrics);
    Gauge.builder("cairn.commits.repositories", repositories, Turns::keys)
        .description("Repositories that are committed to in this replica at this moment")
        .register(metrics);
  }

  /** Runs a commit when it is its turn; to be called before the first connection is taken. */
  <T> T inTurn(UUID repoId, Supplier<T> commit) {
    long end = System.nanoTime() + wait.toNanos();
    var turns = repositories;
    while (true) {
      try {
        var left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
        return turns.inTurn(repoId, left, commit, CommitTurns::busy);
      } catch (RuntimeException e) {
        if (!DatabaseException.isLockTimeout(e)) {
          throw e;
        }
        if (System.nanoTime() >= end) {
          throw busy();
        }
      }
      turns = afterLockTimeout;
    }
  }

  private static Problem busy() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Another commit to this repository is still being written; try again.");
  }
}
