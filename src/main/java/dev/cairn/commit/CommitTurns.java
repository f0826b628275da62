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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Lets two commits of one repository at a time have a connection: one that is written, and one that
 * waits for the repository's head. The others wait here, without a connection. The commits of one
 * account in all repositories may have no more connections than then stay free for commits.
 *
 * <p>A commit whose account has too many under way gives its repository's turn back every second,
 * so that others of that repository go on. A commit that reached the database's lock timeout on the
 * head gives its connection back and tries again until its own time is over.
 */
@ApplicationScoped
class CommitTurns {
  private static final int MAX_OF_REPOSITORY = 2;
  private static final int SHARE_OF_OTHERS = 4;
  private static final Duration BRIEFLY = Duration.ofSeconds(1);

  private final Turns<UUID> repositories;
  private final Turns<UUID> accounts;
  private final Duration wait;

  CommitTurns(CairnConfig config, MeterRegistry metrics) {
    int ofAll = config.database().poolSize() - Turns.part(config, SHARE_OF_OTHERS);
    this.repositories = new Turns<>(MAX_OF_REPOSITORY);
    this.accounts = new Turns<>(ofAll, Integer.MAX_VALUE, ofAll);
    this.wait = Duration.ofSeconds(config.limits().commitWaitSeconds());
    Gauge.builder("cairn.commits.waiting", () -> repositories.waiting() + accounts.waiting())
        .description("Commits that wait in this replica for others of their repository or account")
        .register(metrics);
    Gauge.builder("cairn.commits.repositories", repositories, Turns::keys)
        .description("Repositories that are committed to in this replica at this moment")
        .register(metrics);
  }

  /** Runs a commit when it is its turn; to be called before the first connection is taken. */
  <T> T inTurn(UUID repoId, UUID accountId, Supplier<T> commit) {
    long end = System.nanoTime() + wait.toNanos();
    var busyAccount = new AtomicBoolean();
    while (true) {
      try {
        return repositories.inTurn(
            repoId,
            left(end),
            () -> accounts.inTurn(accountId, brief(end), commit, () -> busy(busyAccount)),
            CommitTurns::busy);
      } catch (RuntimeException e) {
        boolean isAccount = busyAccount.getAndSet(false);
        if (!isAccount && !DatabaseException.isLockTimeout(e)) {
          throw e;
        }
        if (System.nanoTime() >= end) {
          throw isAccount ? e : busy();
        }
      }
    }
  }

  /** For the turn of the account, while others wait for that of the repository. */
  private static Duration brief(long end) {
    var left = left(end);
    return left.compareTo(BRIEFLY) < 0 ? left : BRIEFLY;
  }

  private static Problem busy(AtomicBoolean ofAccount) {
    ofAccount.set(true);
    return busyAccount();
  }

  private static Duration left(long end) {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }

  private static Problem busy() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Another commit to this repository is still being written; try again.");
  }

  private static Problem busyAccount() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Too many commits of your account are being written; wait for some, or try again.");
  }
}
