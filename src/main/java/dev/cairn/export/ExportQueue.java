package dev.cairn.export;

import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.work.JobQueue;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** The queue of export jobs, in the table {@code export_job}: those that are pending. */
@Singleton
class ExportQueue extends JobQueue<ExportAttempt> {
  /** Maximum attempts at a job, not counting those that shutdowns cancelled. */
  static final int MAX_ATTEMPTS = 5;

  /**
   * The weight of an attempt whose end was not recorded, because the process died or the replica
   * lost the database: the job itself may be the cause, so it is retried at most once. Every
   * attempt has this weight until it ends.
   */
  static final int LOST_WEIGHT = 3;

  private final Database database;

  /** A job that was given up. */
  private record Failed(UUID repoId, UUID id) {}

  ExportQueue(Database database) {
    super(database, "exports", "export_job", "id", "j.state = 'pending'");
    this.database = database;
  }

  /**
   * Accounts are ordered by the number of their jobs that all replicas are building, then by the
   * time since when their oldest job is due.
   */
  @Override
  protected List<UUID> ready(Collection<UUID> except, int max) {
    return database.list(
        """
        with building as (
          select account_id, count(*) as jobs from export_job
          where state = 'pending' and due_at > now()
          group by account_id)
        select d.account_id
        from (
          select account_id, min(due_at) as due_at from export_job
          where state = 'pending' and due_at <= now() and attempt - uncounted < ?
            and account_id <> all (?)
          group by account_id) d
        left join building b using (account_id)
        order by coalesce(b.jobs, 0), d.due_at limit ?
        """,
        row -> row.getObject(1, UUID.class),
        MAX_ATTEMPTS,
        except.toArray(UUID[]::new),
        max);
  }

  @Override
  protected List<ExportAttempt> claim(List<Share> shares) {
    return database.list(
        """
        with chosen as materialized (
          select d.repo_id, d.id
          from unnest(?, ?) as w (account_id, max) cross join lateral (
            select j.repo_id, j.id from export_job j
            where j.state = 'pending' and j.due_at <= now() and j.attempt - j.uncounted < ?
              and j.account_id = w.account_id
            order by j.due_at limit w.max
            for update skip locked) d)
        update export_job j
        set attempt = j.attempt + 1, uncounted = j.uncounted - ?,
            due_at = now() + make_interval(secs => ?)
        from chosen c
        where j.repo_id = c.repo_id and j.id = c.id
        returning j.repo_id, j.id, j.attempt, j.at_seq, j.account_id, j.uncounted
        """,
        row ->
            new ExportAttempt(
                row.getObject("repo_id", UUID.class),
                row.getObject("id", UUID.class),
                row.getInt("attempt"),
                row.getLong("at_seq"),
                row.getObject("account_id", UUID.class),
                row.getInt("uncounted")),
        Columns.uuids(shares, Share::tenantId),
        Columns.ints(shares, Share::max),
        MAX_ATTEMPTS,
        LOST_WEIGHT - 1,
        LEASE.toSeconds());
  }

  /** Completes a job; false if this attempt no longer holds it. */
  boolean complete(ExportAttempt attempt, BuildResult.Built built) {
    return database.update(
            """
            update export_job
            set state = 'complete', record_count = ?, byte_count = ?, content_sha256 = ?
            where repo_id = ? and id = ? and state = 'pending' and attempt = ?
            """,
            built.records(),
            built.bytes(),
            built.sha256(),
            attempt.repoId(),
            attempt.id(),
            attempt.number())
        > 0;
  }

  /**
   * Releases a job for its next attempt, if this attempt still holds it.
   *
   * @param counts whether this attempt counts towards {@link #MAX_ATTEMPTS}
   */
  void giveBack(ExportAttempt attempt, Duration delay, boolean counts) {
    database.update(
        """
        update export_job
        set due_at = now() + make_interval(secs => ?), uncounted = ?
        where repo_id = ? and id = ? and state = 'pending' and attempt = ? and due_at > now()
        """,
        delay.toSeconds(),
        attempt.uncounted() + LOST_WEIGHT - 1 + (counts ? 0 : 1),
        attempt.repoId(),
        attempt.id(),
        attempt.number());
  }

  /** Gives up a job for which a quota leaves no room. */
  void giveUp(ExportAttempt attempt, String failure) {
    giveUp(
        "'%s'".formatted(failure),
        "repo_id = ? and id = ? and attempt = ?",
        attempt.repoId(),
        attempt.id(),
        attempt.number());
  }

  /**
   * Gives up the jobs that have no attempt left.
   *
   * @return the number of jobs that were given up
   */
  int giveUpOverdue() {
    return giveUp("null", "due_at <= now() and attempt - uncounted >= ?", MAX_ATTEMPTS);
  }

  /**
   * Gives up pending jobs, and deletes their chunks, which count until then.
   *
   * @param failure an SQL expression for the column {@code failure}
   * @param condition an SQL condition on {@code export_job}
   * @return the number of jobs that were given up
   */
  private int giveUp(String failure, String condition, Object... parameters) {
    var failed =
        database.list(
            """
            update export_job set state = 'failed', failure = %s
            where state = 'pending' and %s
            returning repo_id, id
            """
                .formatted(failure, condition),
            row -> new Failed(row.getObject(1, UUID.class), row.getObject(2, UUID.class)),
            parameters);
    failed.forEach(this::deleteChunks);
    return failed.size();
  }

  private void deleteChunks(Failed job) {
    boolean isMore = true;
    while (isMore) {
      isMore = Chunks.deleteSome(database, job.repoId(), job.id(), Integer.MAX_VALUE);
    }
    database.update(
        "update export_job set stored_bytes = 0 where repo_id = ? and id = ?",
        job.repoId(),
        job.id());
  }
}
