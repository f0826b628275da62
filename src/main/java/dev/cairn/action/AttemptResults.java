package dev.cairn.action;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.work.BatchWriter;
import dev.cairn.work.RetrySchedule;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Writes the results of attempts: the run, its attempt and, if the run ended, its notification
 * change in one statement, and only if the run is still in that attempt and under that lease.
 */
@ApplicationScoped
class AttemptResults {
  // The status is compared with a column of n: with a constant, the planner would read all running
  // runs. The repository is compared by an operator that no index supports: otherwise an index that
  // begins with the repository would seem as good as that of the ids if the statistics say that the
  // repository is empty. An attempt gets its texts once, so it had none before.
  private static final String ALL =
      """
      with given as materialized (
        select g.*, 'running' as running
        from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          as g (repo_id, id, attempt, lease, status, wait_millis, more, untried, attempt_status,
                code, message, http_status, output)),
      n as materialized (
        select g.*, x.message_before from given g
        cross join lateral (
          select x.id, coalesce(octet_length(x.last_error_message), 0) as message_before
          from action_run x
          where x.repo_id is not distinct from g.repo_id and x.id = g.id
          for update%s) x),
      changed as (
        update action_run r
        set status = n.status, lease = null, urgent = r.urgent and n.untried,
            updated_at = date_trunc('milliseconds', now()),
            due_at = now() + make_interval(secs => n.wait_millis / 1000.0),
            ended_at = case when n.wait_millis is null then now() end,
            max_attempts = r.max_attempts + n.more,
            last_error_code = n.code, last_error_message = n.message
        from n
        where r.repo_id is not distinct from n.repo_id and r.id = n.id and r.status = n.running
          and r.attempt_count = n.attempt and r.lease is not distinct from n.lease
        returning r.repo_id, r.id, r.subscription_id, r.subscription_name, r.commit_id,
                  r.source_repo_id, r.status, r.trace_id, r.depth, r.executor_kind, n.attempt, n.attempt_status, n.code,
                  n.message, n.http_status, n.output,
                  coalesce(octet_length(n.message), 0) - n.message_before as bytes),
      attempted as (
        update action_attempt a
        set status = s.attempt_status, error_code = s.code, error_message = s.message, output = s.output,
            http_status = coalesce(s.http_status, a.http_status),
            finished_at = case when s.attempt_status <> 'started' then now() end
        from changed s
        where a.repo_id = s.repo_id and a.run_id = s.id and a.attempt = s.attempt
        returning a.repo_id, octet_length(concat(a.error_message, a.output)) as bytes),
      texts as (
        select repo_id, bytes from changed
        union all
        select repo_id, bytes from attempted),
      succeeded as (
        select repo_id, id, executor_kind = 'notification' as is_call
        from changed
        where status = 'succeeded' and (executor_kind = 'notification' or attempt > 1)),
      noted as (
        select repo_id, id, bool_or(delivered) as delivered, bool_or(resolved) as resolved
        from (
          select a.repo_id, a.id, true as delivered, false as resolved
          from succeeded s cross join lateral (
            select x.repo_id, x.id from action_notification x
            where x.repo_id = s.repo_id and x.dispatch_id = s.id offset 0) a
          where s.is_call
          union all
          select a.repo_id, a.id, false, true
          from succeeded s cross join lateral (
            select x.repo_id, x.id, x.outcome from action_notification x
            where x.repo_id = s.repo_id and x.run_id = s.id offset 0) a
          where not s.is_call and a.outcome = 'failed') n
        group by repo_id, id),
      notified as (
        update action_notification a
        set status = case when n.delivered then 'delivered' else a.status end,
            resolved_at = case when n.resolved then date_trunc('milliseconds', now())
                               else a.resolved_at end
        from noted n
        where a.repo_id = n.repo_id and a.id = n.id),
      ending as (
        select s.repo_id, s.id as run_id, s.subscription_name, s.commit_id, s.source_repo_id,
               s.trace_id, s.depth, s.attempt, case when s.status = 'succeeded' then 'succeeded' else 'failed' end
                 as outcome, s.code, s.message
        from changed s
        where s.executor_kind <> 'notification'
          and (s.status in ('failed_terminal', 'dead_letter')
               or (s.status = 'succeeded' and exists (
                     select from subscription p
                     where p.id = s.subscription_id and p.notify_on_success)))),
      """
          + Notices.INSERT
          + "select id, executor_kind from changed";

  /** For many: a run that somebody has locked, such as a deletion, holds up no others. */
  static final String WRITE = ALL.formatted(" skip locked");

  /** For one: waits for its run. */
  private static final String WRITE_WAITING = ALL.formatted("");

  private static final String IS_IN_ATTEMPT =
      """
      select from action_run
      where repo_id = ? and id = ? and status = 'running' and attempt_count = ?
        and lease is not distinct from ?
      """;

  static final String OVERDUE =
      """
      select repo_id, id, attempt_count, max_attempts, lease from action_run
      where status = 'running' and due_at <= now()
      order by due_at limit ?
      for update skip locked
      """;

  private final Database database;
  private final ActionMetrics metrics;
  private final RetrySchedule schedule;
  private final int maxAttempts;
  private final BatchWriter<AttemptResult> writer =
      new BatchWriter<>(AttemptResult::runId, batch -> write(batch, WRITE));

  AttemptResults(
      Database database, ActionMetrics metrics, RetrySchedule schedule, CairnConfig config) {
    this.database = database;
    this.metrics = metrics;
    this.schedule = schedule;
    this.maxAttempts = config.retry().maxAttempts();
  }

  /**
   * Writes a result, in one batch with those of other threads.
   *
   * @return whether the run was still in that attempt
   * @throws RuntimeException if the database does not take it
   */
  boolean write(AttemptResult result) {
    return writer.write(result)
        || (isInAttempt(result) && !write(List.of(result), WRITE_WAITING).isEmpty());
  }

  /** Whether the run is still in the attempt; if it was not written, it is locked. */
  private boolean isInAttempt(AttemptResult result) {
    return database
        .first(
            IS_IN_ATTEMPT,
            _ -> true,
            result.repoId(),
            result.runId(),
            result.attempt(),
            result.lease())
        .isPresent();
  }

  /**
   * Writes results of different runs, which the surrounding transaction has locked.
   *
   * @return the runs that were still in those attempts
   */
  Set<UUID> write(Collection<AttemptResult> batch) {
    return write(batch, WRITE);
  }

  private Set<UUID> write(Collection<AttemptResult> batch, String sql) {
    if (batch.isEmpty()) {
      return Set.of();
    }
    var kinds = writeAll(batch, sql);
    batch.stream()
        .filter(s -> kinds.containsKey(s.runId()))
        .forEach(s -> metrics.statusChanged(kinds.get(s.runId()), s.status(), 1));
    return kinds.keySet();
  }

  /** The kinds of those that were written, by their runs. */
  private Map<UUID, String> writeAll(Collection<AttemptResult> batch, String sql) {
    var kinds = new HashMap<UUID, String>();
    database
        .withCustomPlan()
        .each(
            sql,
            0,
            row -> {
              kinds.put(row.getObject(1, UUID.class), row.getString(2));
              return true;
            },
            Columns.uuids(batch, AttemptResult::repoId),
            Columns.uuids(batch, AttemptResult::runId),
            Columns.ints(batch, AttemptResult::attempt),
            Columns.uuids(batch, AttemptResult::lease),
            Columns.strings(batch, s -> s.status().wire()),
            Columns.nullableLongs(batch, s -> s.delay() == null ? null : s.delay().toMillis()),
            Columns.ints(batch, AttemptResult::moreAttempts),
            Columns.booleans(batch, AttemptResult::isUntried),
            Columns.strings(batch, AttemptResult::attemptStatus),
            Columns.strings(batch, s -> s.failure() == null ? null : s.failure().code()),
            Columns.strings(batch, AttemptResults::message),
            Columns.nullableInts(batch, AttemptResult::httpStatus),
            Columns.strings(batch, result -> SecretMask.OF_TOKENS.masked(result.output())),
            maxAttempts,
            schedule.first().toMillis());
    return kinds;
  }

  /** Whoever wrote it: nothing that a run stores has a token in it. */
  private static String message(AttemptResult result) {
    return result.failure() == null
        ? null
        : SecretMask.OF_TOKENS.masked(result.failure().message());
  }

  /** The attempts whose lease or callback deadline has ended, each of which is ended once. */
  List<RunningAttempt> overdue(int max) {
    return database.inIndexOrder().list(OVERDUE, RunningAttempt::read, max);
  }
}
