package dev.cairn.work;

import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The queue of a {@link JobKind}, in a table of its own. While a worker has a job, {@code due_at}
 * is the end of its lease. The number of the attempt serves as the id of the lease, since only one
 * worker can begin an attempt: every change by a worker checks it, so a worker that lost a job
 * changes nothing. The counts are documented in {@code docs/monitoring.md}, Queues; a job that
 * waits for its next attempt counts as running.
 *
 * @param <T> an attempt at a job
 */
public abstract class JobQueue<T extends JobAttempt> implements CountedQueue {
  /** How long a worker that does not renew it keeps a job. */
  protected static final Duration LEASE = Duration.ofSeconds(60);

  /** How many jobs a worker may claim for a tenant. */
  protected record Share(UUID tenantId, int max) {}

  private final Database database;
  private final String name;
  private final String counts;
  private final String renew;
  private final String dueCondition;

  /**
   * A queue.
   *
   * @param name in the metrics
   * @param table with {@code repo_id}, {@code due_at} and {@code attempt}
   * @param id its column with the id of a job
   * @param pending an SQL condition on {@code j}: the jobs that are not over
   */
  protected JobQueue(Database database, String name, String table, String id, String pending) {
    this.database = database;
    this.name = name;
    this.counts =
        """
        select count(*) filter (where due_at <= now()), count(*) filter (where due_at > now()),
               greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::double precision
        from (select due_at from %s j where %s order by due_at limit %d) d
        """
            .formatted(table, pending, MAX_COUNTED);
    this.dueCondition =
        "(select true from %s j where j.due_at <= now() and %s order by j.due_at limit 1)"
            .formatted(table, pending);
    // A job whose row is locked is skipped, or whoever deletes its repository would keep the worker
    // from renewing the others. It is renewed the next time.
    this.renew =
        """
        with held as materialized (
          select j.repo_id, j.%1$s as id, j.attempt, j.due_at
          from unnest(?, ?, ?) as n (repo_id, id, attempt)
          join %2$s j on j.repo_id = n.repo_id and j.%1$s = n.id and j.attempt = n.attempt
          where j.due_at > now() and %3$s),
        free as materialized (
          select j.repo_id, j.%1$s as id
          from held h join %2$s j on j.repo_id = h.repo_id and j.%1$s = h.id
          where j.attempt = h.attempt and j.due_at = h.due_at and %3$s
          for no key update of j skip locked),
        renewed as (
          update %2$s j set due_at = now() + make_interval(secs => ?)
          from free f where j.repo_id = f.repo_id and j.%1$s = f.id and %3$s)
        select id from held
        """
            .formatted(id, table, pending);
  }

  /**
   * The tenants with due jobs, in the order in which they should have their turn.
   *
   * @param except tenants that must not get more slots
   */
  protected abstract List<UUID> ready(Collection<UUID> except, int max);

  /** Claims the jobs of tenants that have waited longest, and begins their next attempts. */
  protected abstract List<T> claim(List<Share> shares);

  /** As {@link WorkKind#dueCondition} says; also of jobs whose lease has ended. */
  String dueCondition() {
    return dueCondition;
  }

  /**
   * Renews the leases of attempts.
   *
   * @return the ids of the jobs that these attempts still have
   */
  Set<UUID> renew(Collection<T> attempts) {
    return Set.copyOf(
        database.list(
            renew,
            row -> row.getObject(1, UUID.class),
            Columns.uuids(attempts, JobAttempt::repoId),
            Columns.uuids(attempts, JobAttempt::id),
            Columns.ints(attempts, JobAttempt::number),
            LEASE.toSeconds()));
  }

  @Override
  public StatementBatch counts(Consumer<Count> counted) {
    return new StatementBatch()
        .add(
            counts,
            row -> {
              counted.accept(new Count(name, "due", row.getLong(1), row.getDouble(3)));
              counted.accept(new Count(name, "running", row.getLong(2), 0));
              return true;
            });
  }
}
