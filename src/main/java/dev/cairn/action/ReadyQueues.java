package dev.cairn.action;

import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.work.Slots;
import dev.cairn.work.TargetQueue;
import dev.cairn.work.WorkTarget;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Finds the runs that may begin, in queues for each target: one of retries, and one of urgent runs,
 * which begin even while its circuit is open. Looking into a queue takes one step of an index,
 * however long the queue is, so no run waits longer because of another target's queue. Those of all
 * repositories are looked at in parts, so that the time of a claim's statement does not grow with
 * their number.
 */
@ApplicationScoped
class ReadyQueues {
  /** How many queues one statement looks at, beginning where the last one ended. */
  static final int MAX_QUEUES = 1_000;

  private static final String WAITS = "status in ('pending', 'retry_wait')";

  /** From one repository with runs that wait to the next. */
  static final String ALL =
      """
      recursive home as (
        (select repo_id from action_run where %1$s order by repo_id limit 1)
        union all
        select n.repo_id from home h cross join lateral (
          select repo_id from action_run where %1$s and repo_id > h.repo_id
          order by repo_id limit 1) n)
      """
          .formatted(WAITS);

  private static final String OF_REPOSITORIES =
      "home as (select * from unnest(?::uuid[]) as h (repo_id))";

  /** From one queue of a repository that exists to the next, each with its earliest run. */
  static final String QUEUES =
      """
      , queue as (
        select h.repo_id, q.* from home h
        cross join lateral (select from repository x where x.id = h.repo_id offset 0) x
        cross join lateral (
          with recursive step as (
            (select target, urgent, due_at, executor_kind from action_run
             where %1$s and repo_id = h.repo_id order by target, urgent, due_at limit 1)
            union all
            select n.* from step s cross join lateral (
              select target, urgent, due_at, executor_kind from action_run
              where %1$s and repo_id = h.repo_id and (target, urgent) > (s.target, s.urgent)
              order by target, urgent, due_at limit 1) n)
          select * from step) q)
      """
          .formatted(WAITS);

  /** The same over all repositories, but not beyond a number of queues after a position. */
  private static final String PART =
      """
      recursive queue as (
        select ?::uuid as repo_id, ?::text collate "C" as target, ?::boolean as urgent,
               null::timestamptz as due_at, null::text collate "C" as executor_kind, 0 as number
        union all
        select n.*, q.number + 1 from queue q cross join lateral (
          (select repo_id, target, urgent, due_at, executor_kind from action_run
           where %1$s and repo_id = q.repo_id and (target, urgent) > (q.target, q.urgent)
           order by target, urgent, due_at limit 1)
          union all
          (select repo_id, target, urgent, due_at, executor_kind from action_run
           where %1$s and repo_id > q.repo_id
           order by repo_id, target, urgent, due_at limit 1)
          limit 1) n
        where q.number < %2$d)
      """
          .formatted(WAITS, MAX_QUEUES);

  /**
   * The queues with the state of their circuits. Nothing begins from a queue that is {@code held};
   * from one that {@code probes}, a single run begins, as the probe. A probe is in progress while a
   * worker has its run. That run is found by one step of the index of ids, which the planner
   * chooses even with outdated statistics, within {@link Database#inIndexOrder}.
   */
  static final String CIRCUITS =
      """
      , circuit as (
        select q.*, coalesce(t.failures, 0) >= %d as is_open, t.version,
               not q.urgent and t.open_until is not null as probes,
               case when not q.urgent then t.open_until end as open_until,
               not q.urgent and (coalesce(t.open_until > now(), false) or t.is_probed) as held
        from queue q left join lateral (
          select x.failures, x.open_until, x.xmin::text as version,
                 x.open_until is not null and exists (
                   select from (
                     select p.id, p.status, p.lease from action_run p
                     where p.id >= x.probe order by p.id limit 1) p
                   where p.id = x.probe and p.status = 'running' and p.lease is not null) as is_probed
          from delivery_target x
          where x.repo_id = q.repo_id and x.target = q.target offset 0) t on true)
      """
          .formatted(CircuitBreaker.MAX_FAILURES);

  private static final String READY =
      """
      select q.tenant_id, q.repo_id, q.target, q.executor_kind, q.urgent, q.is_open, q.probes,
             q.version
      from (
        select c.*, p.tenant_id,
               row_number() over (partition by c.repo_id order by c.due_at) as turn
        from circuit c cross join lateral (
          select o.tenant_id from repository r cross join lateral (
            select coalesce(x.creator_id, x.id) as tenant_id from organization x
            where x.id = r.org_id offset 0) o
          where r.id = c.repo_id offset 0) p
        where c.due_at <= now() and c.held is not true
          and not exists (
            select from unnest(?, ?, ?) as f (owner_id, name, in_doubt)
            where coalesce(f.owner_id, c.repo_id) in (c.repo_id, p.tenant_id)
              and f.name in (c.executor_kind, split_part(c.target, '#', 1))
              and f.in_doubt = c.is_open)
          and not exists (
            select from unnest(?, ?) as f (repo_id, target)
            where f.repo_id = c.repo_id and f.target = c.target)) q
      order by row_number() over (partition by q.tenant_id order by q.turn, q.due_at), q.due_at
      limit ?
      """;

  /** Of a part; the last row, without a tenant, is where it ended if it was not the last one. */
  static final String READY_OF_PART =
      "with "
          + PART
          + CIRCUITS
          + "("
          + READY
          + ") union all select null, repo_id, target, null, urgent, false, false, null"
          + " from queue where number = "
          + MAX_QUEUES;

  static final String READY_OF_REPOSITORIES = "with " + OF_REPOSITORIES + QUEUES + CIRCUITS + READY;

  private static final Position BEGINNING = new Position(new UUID(0, 0), "", false);

  private final Database database;

  /** Where the part begins that is looked at, and where the next one does. */
  private Position from = BEGINNING;

  private Position next = BEGINNING;

  /** Which part that is, counted from the beginning, and how many there seem to be. */
  private int number;

  private int parts = 1;

  /** How many parts this look has had. */
  private int taken;

  /** The queue after which a part begins. */
  private record Position(UUID repoId, String target, boolean isUrgent) {}

  ReadyQueues(Database database) {
    this.database = database;
  }

  /**
   * The queues from which an attempt could begin now, round robin by tenant, within a tenant round
   * robin by repository, and within a repository by how long they have been due.
   *
   * @param repos only of these; empty for the present part of all
   * @param full what is to be skipped
   */
  List<TargetQueue> find(Optional<Set<UUID>> repos, Slots.Full full, int max) {
    var shares = List.copyOf(full.shares());
    var targets = List.copyOf(full.targets());
    var rules =
        List.of(
            Columns.uuids(shares, Slots.Share::ownerId),
            Columns.strings(shares, Slots.Share::name),
            Columns.booleans(shares, Slots.Share::isInDoubt),
            Columns.uuids(targets, WorkTarget::repoId),
            Columns.strings(targets, WorkTarget::name),
            max);
    if (repos.isEmpty()) {
      return ofPart(rules);
    }
    var parameters = new ArrayList<Object>();
    parameters.add(repos.get().toArray(UUID[]::new));
    parameters.addAll(rules);
    return database
        .inIndexOrder()
        .list(READY_OF_REPOSITORIES, ReadyQueues::queue, parameters.toArray());
  }

  private synchronized List<TargetQueue> ofPart(List<?> rules) {
    var parameters = new ArrayList<Object>(List.of(from.repoId(), from.target(), from.isUrgent()));
    parameters.addAll(rules);
    var queues = new ArrayList<TargetQueue>();
    next = BEGINNING;
    database
        .inIndexOrder()
        .each(
            READY_OF_PART,
            0,
            row -> {
              if (row.getObject("tenant_id") == null) {
                next = position(row);
                return true;
              }
              return queues.add(queue(row));
            },
            parameters.toArray());
    return queues;
  }

  /**
   * Moves to the next part, and after the last one to the first.
   *
   * @return false once this look has had every part, and one of them twice, so that the next look
   *     begins with another one: what is found first gets the free slots
   */
  synchronized boolean nextPart() {
    from = next;
    if (from.equals(BEGINNING)) {
      parts = number + 1;
      number = 0;
    } else {
      number++;
      parts = Math.max(parts, number + 1);
    }
    taken++;
    boolean isOver = parts == 1 || taken > parts;
    if (isOver) {
      taken = 0;
    }
    return !isOver;
  }

  private static Position position(ResultSet row) throws SQLException {
    return new Position(
        row.getObject("repo_id", UUID.class), row.getString("target"), row.getBoolean("urgent"));
  }

  private static TargetQueue queue(ResultSet row) throws SQLException {
    return new TargetQueue(
        new WorkTarget(
            row.getObject("tenant_id", UUID.class),
            row.getObject("repo_id", UUID.class),
            row.getString("target"),
            row.getString("executor_kind")),
        row.getBoolean("urgent"),
        row.getBoolean("is_open"),
        row.getBoolean("probes"),
        row.getString("version"));
  }
}
