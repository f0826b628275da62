package dev.cairn.commit;

import dev.cairn.model.Problem;
import dev.cairn.platform.ClientGoneException;
import dev.cairn.platform.database.Condition;
import dev.cairn.platform.database.Database;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** Metrics of commits, see {@code docs/monitoring.md}, Metrics. */
@Singleton
class CommitMetrics {
  private static final int SERVER_ERROR = 500;
  private static final int UNAVAILABLE = 503;

  private final MeterRegistry registry;
  private final Database database;
  private final DistributionSummary operations;
  private final DistributionSummary together;
  private final Timer lock;

  CommitMetrics(MeterRegistry registry, Database database) {
    this.registry = registry;
    this.database = database;
    this.operations =
        DistributionSummary.builder("cairn.commits.operations")
            .description("Operations of each batch that was committed")
            .register(registry);
    this.together =
        DistributionSummary.builder("cairn.commits.together")
            .description("Commits of one repository that were written in one transaction")
            .register(registry);
    this.lock =
        Timer.builder("cairn.commits.lock")
            .description("From asking for a commit's turn to holding its repository's lock")
            .register(registry);
  }

  /** Submits a batch, and records its outcome and duration. */
  CommitAnswer timed(Supplier<CommitAnswer> submission) {
    long start = System.nanoTime();
    String outcome = "failed";
    try {
      var answer = submission.get();
      outcome = answer.outcome().name().toLowerCase(Locale.ROOT);
      return answer;
    } catch (Problem e) {
      outcome = outcome(e.code().status());
      throw e;
    } catch (ClientGoneException e) {
      outcome = "abandoned";
      throw e;
    } catch (Condition.UnmetException e) {
      outcome = "repeated";
      throw e;
    } finally {
      Timer.builder("cairn.commits")
          .description("Batches of operations by outcome, with their times")
          .tag("outcome", outcome)
          .register(registry)
          .record(Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private static String outcome(int status) {
    if (status == UNAVAILABLE) {
      return "unavailable";
    }
    return status < SERVER_ERROR ? "refused" : "failed";
  }

  /**
   * Records that the repository's lock was acquired; {@code sinceNanos} is when the commit began to
   * wait.
   */
  void locked(long sinceNanos) {
    lock.record(Duration.ofNanos(System.nanoTime() - sinceNanos));
  }

  /** Records a commit that was written by itself, once it is committed. */
  void written(int operationsOfCommit) {
    database.afterCommit(
        () -> {
          together.record(1);
          operations.record(operationsOfCommit);
        });
  }

  /** Records the commits of a transaction, and their operations, once it is committed. */
  void written(List<PlannedCommit> commits) {
    database.afterCommit(
        () -> {
          together.record(commits.size());
          commits.forEach(commit -> operations.record(commit.plan().results.size()));
        });
  }
}
