package dev.cairn.action;

import dev.cairn.platform.Database;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Holds calls to a target back that keeps failing: after ten failures in a row for 5 s, then twice
 * as long with each further one, up to 5 min. The first answer ends it. Failures of what was under
 * way when it began do not count. See {@code docs/actions.md}, Failing targets.
 */
@Singleton
class Breaker {
  private static final Logger LOG = Logger.getLogger(Breaker.class);
  private static final int MOST_FAILURES = 10;
  private static final int MOST_KNOWN = 10_000;

  private final Database database;
  private final ActionMetrics metrics;

  /** Those that failed here and have not succeeded since. */
  private final Set<Slots.Target> failing = ConcurrentHashMap.newKeySet();

  Breaker(Database database, ActionMetrics metrics) {
    this.database = database;
    this.metrics = metrics;
  }

  /**
   * Takes note of what an attempt tells about its target: nothing where it ended by itself, without
   * a call that was answered or failed.
   */
  void heard(Claimed run, Outcome outcome) {
    switch (outcome) {
      case Outcome.Failed failed when failed.code().equals(Codes.INTERNAL_ERROR) -> {}
      case Outcome.Failed failed when failed.retryable() -> {
        remember(run.target());
        failed(run.target());
      }
      case Outcome.Failed failed when failed.httpStatus() == null -> {}
      default -> {
        if (failing.remove(run.target()) || run.failing()) {
          answered(run.target());
        }
      }
    }
  }

  /** What is forgotten is learnt again from the next claim. */
  private void remember(Slots.Target target) {
    if (failing.size() >= MOST_KNOWN) {
      failing.clear();
    }
    failing.add(target);
  }

  private void failed(Slots.Target target) {
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
            row -> row.getBoolean(2) && row.getInt(1) == MOST_FAILURES,
            target.name(),
            target.repoId(),
            MOST_FAILURES,
            MOST_FAILURES);
    if (opened.orElse(false)) {
      metrics.opened();
      LOG.infof("target %s of repository %s keeps failing", target.name(), target.repoId());
    }
  }

  private void answered(Slots.Target target) {
    database.update(
        "delete from delivery_target where repo_id = ? and target = ?",
        target.repoId(),
        target.name());
  }
}
