package dev.cairn.commit;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.limiter.KeyedLimiter;
import dev.cairn.platform.limiter.LockLimiter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** Queues commits for the locks on their repositories' heads, see {@link LockLimiter}. */
@ApplicationScoped
class CommitLimiter {
  /** The denominator of the part of the connections that commits leave to other work. */
  private static final int POOL_FRACTION_OF_OTHERS = 4;

  private final CommitQueue queue;
  private final LockLimiter limiter;
  private final Duration wait;

  CommitLimiter(CairnConfig config, MeterRegistry metrics) {
    this.queue = new CommitQueue();
    int ofAll = config.database().poolSize() - KeyedLimiter.part(config, POOL_FRACTION_OF_OTHERS);
    this.limiter = new LockLimiter(ofAll, CommitLimiter::busy, CommitLimiter::busyAccount);
    this.wait = Duration.ofSeconds(config.limits().commitWaitSeconds());
    Gauge.builder("cairn.commits.waiting", () -> queue.waiting() + limiter.waiting())
        .description("Commits that wait in this replica for others of their repository or account")
        .register(metrics);
    Gauge.builder("cairn.commits.repositories", queue, CommitQueue::repositories)
        .description("Repositories that are committed to in this replica at this moment")
        .register(metrics);
  }

  /**
   * Runs a commit when it is its turn, unless another one takes it along; to be called before a
   * database connection is taken.
   *
   * @param beforeWaiting runs unless it is the commit's turn at once
   * @param lead writes the commit, and those that it takes along
   */
  CommitAnswer call(PendingCommit commit, Runnable beforeWaiting, Supplier<CommitAnswer> lead) {
    return limiter.call(
        (time, turn, busy) -> queue.call(commit, time, beforeWaiting, turn, busy),
        commit.accountId(),
        wait,
        lead);
  }

  /** As {@link CommitQueue#take}. */
  List<PendingCommit> take(UUID repoId) {
    return queue.take(repoId);
  }

  /** As {@link CommitQueue#putBack}. */
  void putBack(UUID repoId, List<PendingCommit> commits) {
    queue.putBack(repoId, commits);
  }

  private static Problem busy() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Another commit to this repository is still being written: try again later.");
  }

  private static Problem busyAccount() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Too many commits of your account are being written: wait until some are done, and try again.");
  }
}
