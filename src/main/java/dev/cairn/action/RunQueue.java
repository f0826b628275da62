package dev.cairn.action;

import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.subscription.CredentialSets;
import dev.cairn.work.Slots;
import dev.cairn.work.TargetQueue;
import dev.cairn.work.WorkTarget;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * The runs that wait or are carried out: claims from {@link ReadyQueues}, and the leases of
 * workers.
 */
@ApplicationScoped
class RunQueue {
  /** How long a worker that does not renew it keeps a run. */
  static final Duration LEASE = Duration.ofSeconds(30);

  // What is chosen is locked, so that its row stays where it is until it is changed there. A run
  // that changed after the statement began is chosen, but its new row is not visible to the
  // statement, so it is not claimed: fewer rows are returned. Lateral joins look up rows for each
  // run on its own, also by a plan that was made when the tables were empty. A probe begins only if
  // its target's row is as it was seen. Each probe makes a new version of the row, also one by the
  // run that probed last: otherwise another run probes already.
  static final String CLAIM =
      """
      with wanted as (
        select * from unnest(?, ?, ?, ?, ?, ?)
          as w (repo_id, target, urgent, max_runs, probes, version)),
      ready as materialized (
        select w.*, null::tid as at from wanted w where not w.probes
        union all
        select w.*, t.at from wanted w cross join lateral (
          select x.ctid as at from delivery_target x
          where w.probes and x.repo_id = w.repo_id and x.target = w.target
            and x.open_until <= now() and x.xmin::text = w.version
          for update skip locked) t),
      chosen as materialized (
        select w.at, r.* from ready w cross join lateral (
          select x.tableoid as place, x.ctid as row, x.id from action_run x
          where x.status in ('pending', 'retry_wait') and x.repo_id = w.repo_id
            and x.target = w.target and x.urgent = w.urgent and x.due_at <= now()
          order by x.due_at limit w.max_runs
          for update skip locked) r),
      probed as (
        update delivery_target t set probe = (select c.id from chosen c where c.at = t.ctid)
        where t.ctid = any (array(select c.at from chosen c where c.at is not null))),
      claimed as (
        update action_run r
        set status = 'running', attempt_count = r.attempt_count + 1, lease = ?,
            due_at = now() + make_interval(secs => ?),
            updated_at = date_trunc('milliseconds', now())
        from chosen c
        where r.ctid = c.row and r.tableoid = c.place
        returning r.*),
      started as (
        insert into action_attempt (repo_id, run_id, attempt, status, executor_kind, started_at,
                                    callback_generation, credential_set_id)
        select c.repo_id, c.id, c.attempt_count, 'started', c.executor_kind,
               date_trunc('milliseconds', now()), coalesce(s.callback_generation, 0),
               s.credential_set_id
        from claimed c
        left join lateral (
          select x.callback_generation, %s as credential_set_id from subscription x
          where x.repo_id = c.repo_id and x.id = c.subscription_id offset 0) s on true)
      select c.repo_id, c.id, c.attempt_count, c.max_attempts, c.lease, c.executor_kind, c.target,
             c.subscription_id, c.trace_id, c.envelope, c.source_repo_id, c.source_seq, c.matched,
             c.created_at, p.org, p.repo, c.subscription_name, s.version, s.base_url,
             t.fails is not null as fails, p.tenant_id, c.brought_back,
             s.callback_generation, h.chosen
      from (select count(*) as chosen from chosen) h
      left join claimed c on true
      left join lateral (
        select o.tenant_id, o.name as org, x.name as repo
        from repository x cross join lateral (
          select y.name, coalesce(y.creator_id, y.id) as tenant_id from organization y
          where y.id = x.org_id offset 0) o
        where x.id = c.repo_id offset 0) p on true
      left join lateral (
        select x.xmin::text as version, x.base_url, x.callback_generation from subscription x
        where x.repo_id = c.repo_id and x.id = c.subscription_id offset 0) s on true
      left join lateral (
        select true as fails from delivery_target x
        where x.repo_id = c.repo_id and x.target = c.target offset 0) t on true
      """
          .formatted(CredentialSets.idOf("x.repo_id", "x.credential_set"));

  /**
   * By the index of ids alone: see {@link AttemptResults#WRITE}. A run that somebody has locked,
   * such as a deletion, holds up no others; it keeps its lease as it is.
   */
  static final String RENEW =
      """
      with held as materialized (
        select x.repo_id, x.id from unnest(?, ?, ?) as n (repo_id, id, attempt)
        cross join lateral (
          select y.repo_id, y.id from action_run y
          where y.repo_id is not distinct from n.repo_id and y.id = n.id
            and y.attempt_count = n.attempt and y.lease = ?
          offset 0) x),
      free as materialized (
        select h.repo_id, h.id from held h
        cross join lateral (
          select y.id from action_run y
          where y.repo_id is not distinct from h.repo_id and y.id = h.id
          for update skip locked) x),
      renewed as (
        update action_run r set due_at = now() + make_interval(secs => ?)
        from free n
        where r.repo_id is not distinct from n.repo_id and r.id = n.id and r.lease = ?
        returning r.id)
      select id from renewed
      union all
      select h.id from held h where not exists (select from free f where f.id = h.id)
      """;

  private static final Logger LOG = Logger.getLogger(RunQueue.class);

  private final Database database;

  RunQueue(Database database) {
    this.database = database;
  }

  /**
   * Takes runs from queues, from each at most as many as it was granted, and begins their next
   * attempts. Runs that changed in the meantime are left to the next claim.
   *
   * @param lease that identifies the worker
   */
  List<ClaimedRun> claim(Collection<Slots.Grant> grants, UUID lease) {
    var queues = grants.stream().map(Slots.Grant::queue).toList();
    var claimed = new ArrayList<ClaimedRun>();
    var chosen = new AtomicLong();
    database.each(
        CLAIM,
        0,
        row -> {
          chosen.set(row.getLong("chosen"));
          boolean isClaimed =
              row.getObject("tenant_id") != null; // and its repository is still there
          return !isClaimed || claimed.add(claimed(row));
        },
        Columns.uuids(queues, queue -> queue.target().repoId()),
        Columns.strings(queues, queue -> queue.target().name()),
        Columns.booleans(queues, TargetQueue::isUrgent),
        Columns.ints(grants, grant -> grant.slots().size()),
        Columns.booleans(queues, TargetQueue::isProbe),
        Columns.strings(queues, TargetQueue::version),
        lease,
        LEASE.toSeconds());
    if (claimed.size() < chosen.get()) {
      LOG.infof(
          "%d of %d runs changed while they were claimed; they stay due",
          chosen.get() - claimed.size(), chosen.get());
    }
    return claimed;
  }

  private static ClaimedRun claimed(ResultSet row) throws SQLException {
    var running = RunningAttempt.read(row);
    return new ClaimedRun(
        running,
        new WorkTarget(
            row.getObject("tenant_id", UUID.class),
            running.repoId(),
            row.getString("target"),
            row.getString("executor_kind")),
        row.getObject("subscription_id", UUID.class),
        row.getObject("trace_id", UUID.class),
        row.getBytes("envelope"),
        row.getObject("source_repo_id", UUID.class),
        row.getLong("source_seq"),
        Rows.ints(row, "matched"),
        Rows.instant(row, "created_at"),
        row.getString("org"),
        row.getString("repo"),
        row.getString("subscription_name"),
        row.getString("version"),
        row.getString("base_url"),
        row.getBoolean("fails"),
        new CallbackTokens.Validity(row.getInt("brought_back"), row.getInt("callback_generation")));
  }

  /**
   * Keeps the runs of a worker; what has a lease is running.
   *
   * @return those that are still its own
   */
  Set<UUID> renew(Collection<RunningAttempt> attempts, UUID lease) {
    var kept =
        database
            .withCustomPlan()
            .list(
                RENEW,
                row -> row.getObject(1, UUID.class),
                Columns.uuids(attempts, RunningAttempt::repoId),
                Columns.uuids(attempts, RunningAttempt::runId),
                Columns.ints(attempts, RunningAttempt::number),
                lease,
                LEASE.toSeconds(),
                lease);
    return Set.copyOf(kept);
  }

  /**
   * What waits.
   *
   * @param due how many runs could begin an attempt now
   * @param nextAt when the next one can, or the next schedule is due; null for never
   */
  record Outlook(long due, Instant nextAt) {}

  /** Counts at most ten thousand runs of each queue, and one of a queue that probes. */
  static final String OUTLOOK =
      "with "
          + ReadyQueues.ALL
          + ReadyQueues.QUEUES
          + ReadyQueues.CIRCUITS
          + """
          select
            (select count(*) from circuit q cross join lateral (
               select from action_run x
               where x.status in ('pending', 'retry_wait') and x.repo_id = q.repo_id
                 and x.target = q.target and x.urgent = q.urgent and x.due_at <= now()
               limit case when q.probes then 1 else 10000 end) d
             where q.held is not true),
            (select greatest(now(), n.at) from (
               select least(
                 (select min(greatest(due_at, open_until)) from circuit
                  where held is not true or open_until > now()),
                 (select x.due_at from action_run x
                  cross join lateral (select from repository r where r.id = x.repo_id offset 0) r
                  where x.status = 'running' order by x.due_at limit 1),
                 (select s.next_tick_at from subscription s cross join lateral (
                    select from repository r cross join lateral (
                      select from organization o
                      where o.id = r.org_id and o.archived_at is null offset 0) o
                    where r.id = s.repo_id and r.archived_at is null offset 0) r
                  where s.active and s.next_tick_at is not null
                  order by s.next_tick_at limit 1)) as at) n
             where n.at is not null)
          """;

  /** Counts what is due now, and finds when something is due next. */
  Outlook outlook() {
    return database
        .first(OUTLOOK, row -> new Outlook(row.getLong(1), Rows.instant(row, 2)))
        .orElseThrow();
  }
}
