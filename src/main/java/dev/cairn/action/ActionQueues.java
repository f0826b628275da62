package dev.cairn.action;

import dev.cairn.platform.database.StatementBatch;
import dev.cairn.work.CountedQueue;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The queues of runs, by executor, of notifications in the inbox, and of schedules that are late;
 * {@code docs/monitoring.md}, Queues.
 */
@Singleton
class ActionQueues implements CountedQueue {
  private static final String DUE = "due";

  /** Each with its states; those of runs are named after their executors. */
  private static final Map<String, List<String>> STATES =
      Map.of(
          "webhook",
          List.of(DUE, "held", "later", "running", "callback"),
          "sprite",
          List.of(DUE, "held", "later", "running", "callback"),
          Notices.KIND,
          List.of(DUE, "held", "later", "running"),
          "inbox",
          List.of(DUE),
          "schedules",
          List.of(DUE));

  /**
   * Runs are counted queue by queue. Each queue is a range of an index, with what is due at its
   * head. At most ten thousand rows and two thousand queues are read for each count.
   */
  static final String COUNTS =
      ("with "
              + ReadyQueues.ALL
              + ReadyQueues.QUEUES
              + """
              , counted as materialized (
                select l.repo_id, l.target, l.urgent, l.executor_kind as queue,
                       not l.urgent and coalesce(t.open_until > now(), false) as held
                from (select * from queue limit 2000) l
                left join lateral (
                  select d.open_until from delivery_target d
                  where d.repo_id = l.repo_id and d.target = l.target offset 0) t on true)
              select queue, state, count(*),
                     greatest(0, extract(epoch from now() - min(at)))::double precision
              from (
                (select p.queue, case when p.held then 'held' else 'due' end as state, x.at
                 from counted p cross join lateral (
                   select r.due_at as at from action_run r
                   where r.status in ('pending', 'retry_wait') and r.repo_id = p.repo_id
                     and r.target = p.target and r.urgent = p.urgent and r.due_at <= now()
                   order by r.due_at limit %1$d) x
                 limit %1$d)
                union all
                (select p.queue, 'later', x.at
                 from counted p cross join lateral (
                   select r.due_at as at from action_run r
                   where r.status in ('pending', 'retry_wait') and r.repo_id = p.repo_id
                     and r.target = p.target and r.urgent = p.urgent and r.due_at > now()
                   order by r.due_at limit %1$d) x
                 limit %1$d)
                union all
                (select x.executor_kind,
                        case when x.lease is null then 'callback' else 'running' end, x.due_at
                 from action_run x
                 cross join lateral (select from repository r where r.id = x.repo_id offset 0) r
                 where x.status = 'running' order by x.due_at limit %1$d)
                union all
                (select 'inbox', 'due', n.created_at
                 from action_notification n
                 cross join lateral (select from repository r where r.id = n.repo_id offset 0) r
                 where n.status = 'queued' and n.channel = 'inbox'
                 order by n.created_at limit %1$d)
                union all
                (select 'schedules', 'due', s.next_tick_at
                 from (select repo_id, next_tick_at from subscription
                       where active and next_tick_at <= now()
                       order by next_tick_at limit %1$d) s
                 join repository r on r.id = s.repo_id and r.archived_at is null
                 join organization o on o.id = r.org_id and o.archived_at is null)) w
              group by queue, state
              """)
          .formatted(MAX_COUNTED);

  @Override
  public StatementBatch counts(Consumer<Count> counted) {
    STATES.forEach(
        (queue, states) -> states.forEach(state -> counted.accept(new Count(queue, state, 0, 0))));
    return new StatementBatch()
        .add(
            COUNTS,
            row -> {
              counted.accept(
                  new Count(row.getString(1), row.getString(2), row.getLong(3), row.getDouble(4)));
              return true;
            });
  }
}
