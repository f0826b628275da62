package dev.cairn.commit;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.DatabaseException;
import dev.cairn.platform.Turns;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Lets the commits of one repository have at most a quarter of the connections. They wait for each
 * other anyway, at the repository's head; here they wait without a connection, which the commits of
 * the other repositories need.
 */
@ApplicationScoped
class CommitTurns {
  private static final int SHARE_OF_POOL = 4;

  private final Turns<UUID> repositories;

  CommitTurns(CairnConfig config, MeterRegistry metrics) {
    this.repositories = new Turns<>(config, SHARE_OF_POOL);
    Gauge.builder("cairn.commits.waiting", repositories, Turns::waiting)
        .description("Commits that wait in this replica for others of their repository")
        .register(metrics);
    Gauge.builder("cairn.commits.repositories", repositories, Turns::keys)
        .description("Repositories that are committed to in this replica at this moment")
        .register(metrics);
  }

  /** Runs a commit when it is its turn; to be called before the first connection is taken. */
  <T> T inTurn(UUID repoId, Supplier<T> commit) {
    return repositories.inTurn(repoId, () -> orBusy(commit), CommitTurns::busy);
  }

  private static <T> T orBusy(Supplier<T> commit) {
    try {
      return commit.get();
    } catch (RuntimeException e) {
      throw DatabaseException.isLockTimeout(e) ? busy() : e;
    }
  }

  private static Problem busy() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Another commit to this repository is still being written; try again.");
  }
}
