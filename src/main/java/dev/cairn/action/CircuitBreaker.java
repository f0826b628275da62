package dev.cairn.action;

import dev.cairn.platform.database.Database;
import dev.cairn.work.WorkTarget;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * The circuit breakers of targets. After {@link #MAX_FAILURES} failures in a row the circuit of a
 * target is open for 5 s, and after each further failure for twice as long, up to 5 min. Then one
 * retry probes. Failures while the circuit is open do not count; the first answer closes it. See
 * {@code docs/actions.md}, Circuit breaker.
 */
@Singleton
class CircuitBreaker {
  private static final Logger LOG = Logger.getLogger(CircuitBreaker.class);

  /** This many failures in a row open the circuit. */
  static final int MAX_FAILURES = 5;

  private static final int MAX_KNOWN = 10_000;

  private final Database database;
  private final ActionMetrics metrics;

  /** The targets that failed here and have not succeeded since. */
  private final Set<WorkTarget> failing = ConcurrentHashMap.newKeySet();

  CircuitBreaker(Database database, ActionMetrics metrics) {
    this.database = database;
    this.metrics = metrics;
  }

  /**
   * Counts the outcome of an attempt for its target, unless it ended without a call that was
   * answered or failed.
   */
  void report(ClaimedRun run, Outcome outcome) {
    switch (outcome) {
      case Outcome.Failed failed when failed.code().equals(Codes.INTERNAL_ERROR) -> {}
      case Outcome.Failed failed when failed.isRetryable() -> {
        remember(run.target());
        failed(run.target());
      }
      case Outcome.Failed failed when failed.httpStatus() == null -> {}
      default -> {
        if (failing.remove(run.target()) || run.isFailing()) {
          answered(run.target());
        }
      }
    }
  }

  /** Bounded: after the set was cleared, the next claims add the failing targets again. */
  private void remember(WorkTarget target) {
    if (failing.size() >= MAX_KNOWN) {
      failing.clear();
    }
    failing.add(target);
  }

  private void failed(WorkTarget target) {
    var opened =
        database.first(
            """
            insert into delivery_target as t (repo_id, target, failures, updated_at)
            select r.id, ?, 1, now() from repository r where r.id = ?
            on conflict (repo_id, target) do update
            set failures = least(t.failures + 1, 1000), updated_at = now(),
                open_until = case when t.failures + 1 >= ? then
                  now() + least(interval '5 minutes',
                                interval '5 seconds' * 2 ^ least(t.failures + 1 - ?, 10)) end
            where t.open_until is null or t.open_until <= now()
            returning failures, open_until is not null
            """,
            row -> row.getBoolean(2) && row.getInt(1) == MAX_FAILURES,
            target.name(),
            target.repoId(),
            MAX_FAILURES,
            MAX_FAILURES);
    if (opened.orElse(false)) {
      metrics.opened();
      LOG.infof(
          "the circuit of target %s of repository %s is open", target.name(), target.repoId());
    }
  }

  private void answered(WorkTarget target) {
    database.update(
        "delete from delivery_target where repo_id = ? and target = ?",
        target.repoId(),
        target.name());
  }
}
