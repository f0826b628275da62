package dev.cairn.action;

import dev.cairn.access.limit.StoredBytes;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.subscription.CronSchedule;
import dev.cairn.subscription.TargetName;
import dev.cairn.work.RetrySchedule;
import dev.cairn.work.TransactionalWork;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Makes the runs of schedules, once for each tick; {@code docs/actions.md}, Schedules. A tick is
 * done in the transaction that locks its subscription, so it needs no lease.
 */
@Singleton
class CronTicks implements TransactionalWork {
  /** How late a tick may fire. */
  static final Duration LATEST = Duration.ofMinutes(5);

  private static final Logger LOG = Logger.getLogger(CronTicks.class);
  private static final int AT_ONCE = 100;
  private static final int COMMIT_ID = 16;

  private final Database database;
  private final ActionMetrics metrics;
  private final RetrySchedule retries;
  private final StoredBytes storedBytes;
  private final int maxAttempts;

  private record Schedule(
      UUID orgId,
      UUID repoId,
      UUID id,
      String name,
      String org,
      String repo,
      String cronspec,
      String timezone,
      Instant nextTickAt,
      String executorKind,
      String webhookUrl,
      String spriteConfig,
      String baseUrl) {}

  /**
   * What follows from a schedule at a moment.
   *
   * @param firesAt the tick that fires now; null if none does
   * @param nextAt the next one; null if there is none
   */
  record Ticks(Instant firesAt, Instant nextAt) {}

  private record NewRun(UUID id, Schedule schedule, Instant at, UUID traceId) {}

  CronTicks(
      Database database,
      ActionMetrics metrics,
      RetrySchedule retries,
      StoredBytes storedBytes,
      CairnConfig config) {
    this.database = database;
    this.metrics = metrics;
    this.retries = retries;
    this.storedBytes = storedBytes;
    this.maxAttempts = config.retry().maxAttempts();
  }

  /**
   * Fires the ticks that are due.
   *
   * @return how many
   */
  @Override
  public int runDue() {
    return fire(Instant.now());
  }

  /** The same at another moment. */
  int fire(Instant now) {
    int fired = 0;
    int looked;
    do {
      var runs = new ArrayList<NewRun>();
      looked = database.transaction(() -> fireSome(now, runs));
      fired += runs.size();
    } while (looked == AT_ONCE);
    return fired;
  }

  /** The replica that locks a schedule moves it on, so no other one fires the same tick. */
  private int fireSome(Instant now, List<NewRun> runs) {
    runs.clear();
    var due =
        database.list(
            """
            select r.org_id, s.repo_id, s.id, s.name, o.name as org, r.name as repo, s.cronspec, s.timezone, s.next_tick_at,
                   s.executor_kind, s.webhook_url, s.sprite_config, s.base_url
            from subscription s
            join repository r on r.id = s.repo_id
            join organization o on o.id = r.org_id
            where s.active and s.next_tick_at <= ?
              and r.archived_at is null and o.archived_at is null
            order by s.next_tick_at limit ?
            for update of s skip locked
            """,
            CronTicks::schedule,
            now,
            AT_ONCE);
    if (due.isEmpty()) {
      return 0;
    }
    var next = new ArrayList<Instant>();
    var made = new HashMap<UUID, Integer>();
    for (var schedule : due) {
      var ticks = ticks(schedule, now);
      next.add(ticks.nextAt());
      if (ticks.firesAt() != null && hasRoom(schedule.orgId(), made)) {
        runs.add(new NewRun(Ids.next(), schedule, ticks.firesAt(), Ids.next()));
      }
    }
    moveOn(due, next);
    made.forEach((org, count) -> storedBytes.addAfterCommit(org, (long) StoredBytes.RUN * count));
    insert(runs);
    metrics.made(runs.size());
    return due.size();
  }

  /**
   * Whether an organization may have another run.
   *
   * @param made how many runs each one gets now, this one included if it may
   */
  private boolean hasRoom(UUID orgId, Map<UUID, Integer> made) {
    try {
      storedBytes.requireRoom(orgId, (long) StoredBytes.RUN * (made.getOrDefault(orgId, 0) + 1));
      made.merge(orgId, 1, Integer::sum);
      return true;
    } catch (Problem e) {
      LOG.warnf("schedules of organization %s do not fire: %s", orgId, e.detail());
      return false;
    }
  }

  private static Schedule schedule(ResultSet row) throws SQLException {
    return new Schedule(
        row.getObject("org_id", UUID.class),
        row.getObject("repo_id", UUID.class),
        row.getObject("id", UUID.class),
        row.getString("name"),
        row.getString("org"),
        row.getString("repo"),
        row.getString("cronspec"),
        row.getString("timezone"),
        Rows.instant(row, "next_tick_at"),
        row.getString("executor_kind"),
        row.getString("webhook_url"),
        row.getString("sprite_config"),
        row.getString("base_url"));
  }

  private static Ticks ticks(Schedule schedule, Instant now) {
    try {
      var cron = CronSchedule.of(schedule.cronspec(), schedule.timezone());
      return ticks(cron::next, schedule.nextTickAt(), now);
    } catch (Problem e) {
      // Such as a zone that was removed from the tables: it fires again once another one is set.
      LOG.errorf("the schedule of subscription %s is void: %s", schedule.id(), e.detail());
      return new Ticks(null, null);
    }
  }

  /** The last tick that is past fires, if it is not too late; older ones are dropped. */
  static Ticks ticks(Function<Instant, Optional<Instant>> next, Instant due, Instant now) {
    var oldest = now.minus(LATEST);
    var tick = due.isBefore(oldest) ? next.apply(oldest.minusMillis(1)) : Optional.of(due);
    Instant fires = null;
    while (tick.isPresent() && !tick.get().isAfter(now)) {
      fires = tick.get();
      tick = next.apply(fires);
    }
    return new Ticks(fires, tick.orElse(null));
  }

  private void moveOn(List<Schedule> due, List<Instant> next) {
    database.update(
        """
        update subscription s
        set next_tick_at = to_timestamp(n.next / 1000.0)
        from unnest(?, ?, ?) as n (repo_id, id, next)
        where s.repo_id = n.repo_id and s.id = n.id
        """,
        Columns.uuids(due, Schedule::repoId),
        Columns.uuids(due, Schedule::id),
        next.stream().map(at -> at == null ? null : at.toEpochMilli()).toArray(Long[]::new));
  }

  private void insert(List<NewRun> runs) {
    var bytes = new HashMap<UUID, Long>();
    database.each(
        """
        with made as (
          insert into action_run (repo_id, id, subscription_id, subscription_name, commit_id,
                                  matched, envelope, executor_kind, target, trace_id, depth, status,
                                  max_attempts, due_at, created_at, updated_at)
          select n.repo_id, n.id, n.subscription_id, n.name, n.commit_id, '{}', n.envelope,
                 n.executor_kind, n.target, n.trace_id, 1, 'pending', ?,
                 now() + make_interval(secs => ? / 1000.0), date_trunc('milliseconds', now()),
                 date_trunc('milliseconds', now())
          from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?)
            as n (repo_id, id, subscription_id, name, commit_id, envelope, executor_kind, target,
                  trace_id)
          on conflict (repo_id, subscription_id, commit_id) do nothing
          returning repo_id, %s as bytes)
        select m.repo_id, m.bytes, pg_notify('cairn_runs', m.repo_id::text)
        from (select repo_id, sum(bytes)::bigint as bytes from made group by repo_id) m
        """
            .formatted(Outbox.RUN_BYTES),
        0,
        row -> bytes.put(row.getObject(1, UUID.class), row.getLong(2)) == null,
        maxAttempts,
        retries.first().toMillis(),
        Columns.uuids(runs, run -> run.schedule().repoId()),
        Columns.uuids(runs, NewRun::id),
        Columns.uuids(runs, run -> run.schedule().id()),
        Columns.strings(runs, run -> run.schedule().name()),
        Columns.strings(runs, run -> commitId(run.schedule().id(), run.at())),
        Columns.strings(runs, CronTicks::envelope),
        Columns.strings(runs, run -> run.schedule().executorKind()),
        Columns.strings(runs, CronTicks::target),
        Columns.uuids(runs, NewRun::traceId));
    StoredBytes.count(database, bytes);
  }

  /** In place of a commit's id: the same for the same tick of the same subscription. */
  static String commitId(UUID subscriptionId, Instant tick) {
    var hash = Sha256.of(subscriptionId + " " + tick.toEpochMilli());
    return HexFormat.of().formatHex(hash).substring(0, COMMIT_ID);
  }

  private static String envelope(NewRun run) {
    var schedule = run.schedule();
    var about =
        new Envelope.About(
            run.id(),
            run.traceId(),
            schedule.name(),
            schedule.org(),
            schedule.repo(),
            null,
            schedule.baseUrl());
    return Envelope.ofSchedule(about, run.at());
  }

  private static String target(NewRun run) {
    var schedule = run.schedule();
    return TargetName.of(
        schedule.webhookUrl(),
        schedule.spriteConfig(),
        schedule.org(),
        schedule.repo(),
        schedule.name());
  }
}
