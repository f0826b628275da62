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
import java.time.InstantSource;
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
 * done in the transaction that locks its subscription, so it needs no lease. Tenants take turns, so
 * the many schedules of one delay those of others by no more than one round.
 */
@Singleton
class CronTicks implements TransactionalWork {
  /** How late a tick may fire. */
  static final Duration MAX_LATENESS = Duration.ofMinutes(5);

  private static final Logger LOG = Logger.getLogger(CronTicks.class);

  /** How many ticks a poll fires at most; other work waits for it, and schedules due since then. */
  static final int MAX_DUE = 2_000;

  /** How many schedules one transaction locks. */
  private static final int SCHEDULES_PER_TRANSACTION = 100;

  private static final int COMMIT_ID = 16;

  private final Database database;
  private final ActionMetrics metrics;
  private final RetrySchedule retries;
  private final StoredBytes storedBytes;
  private final int maxAttempts;

  /** A schedule that is due. */
  record Due(UUID orgId, UUID repoId, UUID id) {}

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
      String spriteContainer,
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
   * Fires the ticks that are due; of very many some are left to the next poll.
   *
   * @return how many
   */
  @Override
  public int runDue() {
    return fire(InstantSource.system());
  }

  @Override
  public String dueCondition() {
    return "(select true from subscription where active and next_tick_at <= now() order by next_tick_at limit 1)";
  }

  /** The same at another moment. */
  int fire(Instant now) {
    return fire(InstantSource.fixed(now));
  }

  private int fire(InstantSource clock) {
    int fired = 0;
    var due = due(clock.instant());
    for (int from = 0; from < due.size(); from += SCHEDULES_PER_TRANSACTION) {
      var some = due.subList(from, Math.min(due.size(), from + SCHEDULES_PER_TRANSACTION));
      var room = room(some);
      fired += database.transaction(() -> fireSome(some, room, clock.instant())).size();
    }
    return fired;
  }

  /**
   * Schedules that are due, round robin by tenant, within a tenant round robin by repository, and
   * within a repository by how long they have been due.
   */
  List<Due> due(Instant now) {
    return database.list(
        """
        select d.org_id, d.repo_id, d.id
        from (
          select s.repo_id, s.id, s.next_tick_at, r.org_id,
                 coalesce(o.creator_id, o.id) as tenant_id,
                 row_number() over (partition by s.repo_id order by s.next_tick_at) as turn
          from subscription s
          join repository r on r.id = s.repo_id
          join organization o on o.id = r.org_id
          where s.active and s.next_tick_at <= ?
            and r.archived_at is null and o.archived_at is null) d
        order by row_number() over (partition by d.tenant_id order by d.turn, d.next_tick_at),
                 d.next_tick_at
        limit ?
        """,
        row ->
            new Due(
                row.getObject("org_id", UUID.class),
                row.getObject("repo_id", UUID.class),
                row.getObject("id", UUID.class)),
        now,
        MAX_DUE);
  }

  /** For how many runs each organization has room, at most for one of each of its schedules. */
  private Map<UUID, Integer> room(List<Due> due) {
    var wanted = new HashMap<UUID, Integer>();
    due.forEach(each -> wanted.merge(each.orgId(), 1, Integer::sum));
    wanted.replaceAll(this::room);
    return wanted;
  }

  private int room(UUID orgId, int wanted) {
    for (int runs = 1; runs <= wanted; runs++) {
      try {
        storedBytes.requireRoom(orgId, (long) StoredBytes.RUN * runs);
      } catch (Problem e) {
        LOG.warnf(
            "%d of %d schedules of organization %s that are due do not fire: %s",
            wanted - runs + 1, wanted, orgId, e.detail());
        return runs - 1;
      }
    }
    return wanted;
  }

  /**
   * The replica that locks a schedule moves it on, so no other one fires the same tick.
   *
   * @param room for how many runs each organization has room
   * @return the runs that it makes
   */
  private List<NewRun> fireSome(List<Due> some, Map<UUID, Integer> room, Instant now) {
    var runs = new ArrayList<NewRun>();
    var schedules = locked(some, now);
    if (schedules.isEmpty()) {
      return runs;
    }
    var next = new ArrayList<Instant>();
    var made = new HashMap<UUID, Integer>();
    for (var schedule : schedules) {
      var ticks = ticks(schedule, now);
      next.add(ticks.nextAt());
      var org = schedule.orgId();
      if (ticks.firesAt() != null && made.getOrDefault(org, 0) < room.getOrDefault(org, 0)) {
        made.merge(org, 1, Integer::sum);
        runs.add(new NewRun(Ids.next(), schedule, ticks.firesAt(), Ids.next()));
      }
    }
    moveOn(schedules, next);
    made.forEach((org, count) -> storedBytes.addAfterCommit(org, (long) StoredBytes.RUN * count));
    insert(runs);
    metrics.made(runs.size());
    return runs;
  }

  /** Those that are still due and that no other replica has. */
  private List<Schedule> locked(List<Due> some, Instant now) {
    return database.list(
        """
        select r.org_id, s.repo_id, s.id, s.name, o.name as org, r.name as repo, s.cronspec,
               s.timezone, s.next_tick_at, s.executor_kind, s.webhook_url, s.sprite_container,
               s.base_url
        from unnest(?, ?) as d (repo_id, id)
        join subscription s on s.repo_id = d.repo_id and s.id = d.id
        join repository r on r.id = s.repo_id
        join organization o on o.id = r.org_id
        where s.active and s.next_tick_at <= ?
          and r.archived_at is null and o.archived_at is null
        for update of s skip locked
        """,
        CronTicks::schedule,
        Columns.uuids(some, Due::repoId),
        Columns.uuids(some, Due::id),
        now);
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
        row.getString("sprite_container"),
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
    var oldest = now.minus(MAX_LATENESS);
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
        Columns.nullableLongs(next, at -> at == null ? null : at.toEpochMilli()));
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
        schedule.spriteContainer(),
        schedule.org(),
        schedule.repo(),
        schedule.name());
  }
}
