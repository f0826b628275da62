package dev.cairn.action;

import dev.cairn.platform.Database;
import dev.cairn.platform.Rows;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The runs that wait, as lines before their targets. Looking into a line takes one step of an
 * index, however long it is, so nobody waits longer because of another one's line.
 */
@ApplicationScoped
class RunQueue {
  /** How long a worker that does not renew it keeps a run. */
  static final Duration LEASE = Duration.ofSeconds(30);

  private static final String WAITS = "status in ('pending', 'retry_wait')";

  /** From one repository with runs that wait to the next. */
  static final String ALL =
      """
      recursive home as (
        (select repo_id from action_run where WAITS order by repo_id limit 1)
        union all
        select n.repo_id from home h cross join lateral (
          select repo_id from action_run where WAITS and repo_id > h.repo_id
          order by repo_id limit 1) n)
      """
          .replace("WAITS", WAITS);

  private static final String SOME = "home as (select * from unnest(?::uuid[]) as h (repo_id))";

  /** From one target of a repository to the next, each with its earliest run. */
  static final String LINES =
      """
      , line as (
        select h.repo_id, l.* from home h cross join lateral (
          with recursive step as (
            (select target, due_at, executor_kind from action_run
             where WAITS and repo_id = h.repo_id order by target, due_at limit 1)
            union all
            select n.* from step s cross join lateral (
              select target, due_at, executor_kind from action_run
              where WAITS and repo_id = h.repo_id and target > s.target
              order by target, due_at limit 1) n)
          select * from step) l)
      """
          .replace("WAITS", WAITS);

  private static final String OPEN =
      """
      select l.repo_id, l.target, l.executor_kind, coalesce(t.failures, 0)
      from line l left join lateral (
        select x.failures, x.open_until from delivery_target x
        where x.repo_id = l.repo_id and x.target = l.target offset 0) t on true
      where l.due_at <= now() and (t.open_until is null or t.open_until <= now())
        and l.executor_kind = any (?)
        and not exists (
          select from unnest(?, ?) as f (repo_id, kind)
          where f.repo_id = l.repo_id and f.kind = l.executor_kind)
        and not exists (
          select from unnest(?, ?) as f (repo_id, target)
          where f.repo_id = l.repo_id and f.target = l.target)
      order by row_number() over (partition by l.repo_id order by l.due_at), l.due_at
      limit ?
      """;

  static final String LINES_OF_ALL = "with " + ALL + LINES + OPEN;
  static final String LINES_OF_SOME = "with " + SOME + LINES + OPEN;

  // What is chosen is held, so that its place holds still until it is changed there. All that is
  // looked up is so for each run on its own, also by a plan from the time when there was nothing.
  static final String CLAIM =
      """
      with wanted as (select * from unnest(?, ?, ?) as w (repo_id, target, most)),
      chosen as materialized (
        select r.* from wanted w cross join lateral (
          select x.tableoid as place, x.ctid as row from action_run x
          where x.status in ('pending', 'retry_wait') and x.repo_id = w.repo_id
            and x.target = w.target and x.due_at <= now()
          order by x.due_at limit w.most
          for update skip locked) r),
      claimed as (
        update action_run r
        set status = 'running', attempt_count = r.attempt_count + 1, lease = ?,
            due_at = now() + make_interval(secs => ?),
            updated_at = date_trunc('milliseconds', now())
        from chosen c
        where r.ctid = c.row and r.tableoid = c.place
        returning r.*),
      started as (
        insert into action_attempt (repo_id, run_id, attempt, status, executor_kind, started_at)
        select repo_id, id, attempt_count, 'started', executor_kind,
               date_trunc('milliseconds', now())
        from claimed)
      select c.repo_id, c.id, c.attempt_count, c.max_attempts, c.lease, c.executor_kind, c.target,
             c.subscription_id, c.trace_id, c.envelope, c.source_repo_id, c.source_seq, c.matched,
             c.created_at, p.org, p.name, c.subscription_name, s.base_url, t.fails is not null
      from claimed c
      cross join lateral (
        select o.name as org, x.name
        from repository x cross join lateral (
          select y.name from organization y where y.id = x.org_id offset 0) o
        where x.id = c.repo_id offset 0) p
      left join lateral (
        select x.base_url from subscription x
        where x.repo_id = c.repo_id and x.id = c.subscription_id offset 0) s on true
      left join lateral (
        select true as fails from delivery_target x
        where x.repo_id = c.repo_id and x.target = c.target offset 0) t on true
      """;

  /** By the index of ids alone: see {@link Settlements#SETTLE}. */
  static final String RENEW =
      """
      update action_run r set due_at = now() + make_interval(secs => ?)
      from unnest(?, ?, ?) as n (repo_id, id, attempt)
      where r.repo_id is not distinct from n.repo_id and r.id = n.id and r.attempt_count = n.attempt
        and r.lease = ?
      returning r.id
      """;

  private final Database database;

  /**
   * The runs of a repository that wait for one target.
   *
   * @param failures how many attempts in a row the target has failed
   */
  record Line(UUID repoId, String target, String kind, int failures) {
    Slots.Target slot() {
      return new Slots.Target(repoId, target, kind);
    }
  }

  RunQueue(Database database) {
    this.database = database;
  }

  /**
   * The lines that have something due and may be served: for each repository the one that waits
   * longest first.
   *
   * @param repos only of these; empty for all
   * @param full what is not to be looked at
   */
  List<Line> lines(Optional<Set<UUID>> repos, Slots.Full full, int most) {
    var repositories = List.copyOf(full.repositories());
    var targets = List.copyOf(full.targets());
    Object[] rules = {
      full.kinds().toArray(String[]::new),
      repositories.stream().map(Slots.Home::repoId).toArray(UUID[]::new),
      repositories.stream().map(Slots.Home::kind).toArray(String[]::new),
      targets.stream().map(Slots.Target::repoId).toArray(UUID[]::new),
      targets.stream().map(Slots.Target::name).toArray(String[]::new),
      most
    };
    if (repos.isEmpty()) {
      return database.list(LINES_OF_ALL, RunQueue::line, rules);
    }
    var parameters = new Object[rules.length + 1];
    parameters[0] = repos.get().toArray(UUID[]::new);
    System.arraycopy(rules, 0, parameters, 1, rules.length);
    return database.list(LINES_OF_SOME, RunQueue::line, parameters);
  }

  private static Line line(ResultSet row) throws SQLException {
    return new Line(
        row.getObject(1, UUID.class), row.getString(2), row.getString(3), row.getInt(4));
  }

  /**
   * Takes runs from lines, each no more than it was granted, and begins their next attempts.
   *
   * @param lease by which the worker is known
   */
  List<Claimed> claim(Collection<Slots.Grant> grants, UUID lease) {
    return database.list(
        CLAIM,
        RunQueue::claimed,
        grants.stream().map(grant -> grant.target().repoId()).toArray(UUID[]::new),
        grants.stream().map(grant -> grant.target().name()).toArray(String[]::new),
        grants.stream().mapToInt(Slots.Grant::count).toArray(),
        lease,
        LEASE.toSeconds());
  }

  private static Claimed claimed(ResultSet row) throws SQLException {
    var running =
        new RunningAttempt(
            row.getObject(1, UUID.class),
            row.getObject(2, UUID.class),
            row.getInt(3),
            row.getInt(4),
            row.getObject(5, UUID.class));
    return new Claimed(
        running,
        new Slots.Target(running.repoId(), row.getString(7), row.getString(6)),
        row.getObject(8, UUID.class),
        row.getObject(9, UUID.class),
        row.getBytes(10),
        row.getObject(11, UUID.class),
        row.getLong(12),
        Rows.ints(row, 13),
        Rows.instant(row, 14),
        row.getString(15),
        row.getString(16),
        row.getString(17),
        row.getString(18),
        row.getBoolean(19));
  }

  /**
   * Keeps the runs of a worker; what has a lease is running.
   *
   * @return those that are still its own
   */
  Set<UUID> renew(Collection<RunningAttempt> attempts, UUID lease) {
    var kept =
        Database.plannedAnew(
            () ->
                database.list(
                    RENEW,
                    row -> row.getObject(1, UUID.class),
                    LEASE.toSeconds(),
                    attempts.stream().map(RunningAttempt::repoId).toArray(UUID[]::new),
                    attempts.stream().map(RunningAttempt::runId).toArray(UUID[]::new),
                    attempts.stream().mapToInt(RunningAttempt::number).toArray(),
                    lease));
    return Set.copyOf(kept);
  }

  /**
   * What waits.
   *
   * @param due how many runs could begin an attempt now
   * @param nextAt when the next one is due, or the next schedule; null for never
   */
  record Outlook(long due, Instant nextAt) {}

  /** What is left to do for those who come later. */
  Outlook outlook() {
    return database
        .first(
            "with "
                + ALL
                + LINES
                + """
                select
                  (select count(*) from line l cross join lateral (
                     select from action_run x
                     where x.status in ('pending', 'retry_wait') and x.repo_id = l.repo_id
                       and x.target = l.target and x.due_at <= now() limit 10000) d),
                  least((select min(due_at) from line),
                        (select min(due_at) from action_run where status = 'running'),
                        (select min(next_tick_at) from subscription
                         where active and next_tick_at is not null))
                """,
            row -> new Outlook(row.getLong(1), Rows.instant(row, 2)))
        .orElseThrow();
  }
}
