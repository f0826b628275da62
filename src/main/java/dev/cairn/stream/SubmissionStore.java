package dev.cairn.stream;

import dev.cairn.access.Archived;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.conditional.IdempotencyKeys;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;

/**
 * The leases of streams and the progress of submissions, in the tables {@code stream_lease} and
 * {@code stream_submission}. See {@code docs/streams.md}, The lease and Resuming.
 */
@ApplicationScoped
class SubmissionStore {
  /** For how long a lease is taken; it is renewed several times as often. */
  static final Duration LEASE = Duration.ofSeconds(15);

  /** The bytes of a submission's row, which {@code stored_bytes_of} counts too. */
  static final int ROW_BYTES = 1_024;

  private static final String TAKE =
      """
      insert into stream_lease as l (repo_id, stream_id, run_id, account_id, lease_until)
      values (?, ?, ?, ?, clock_timestamp() + make_interval(secs => ?))
      on conflict (repo_id, stream_id) do update
      set run_id = excluded.run_id, account_id = excluded.account_id, staged = 0,
          lease_until = excluded.lease_until
      where l.lease_until <= clock_timestamp()
      returning coalesce(
        -- As it was before this statement.
        (select f.run_id from stream_lease f
         where f.repo_id = l.repo_id and f.stream_id = l.stream_id),
        l.run_id)
      """;

  private static final String ADVANCE =
      """
      with held as (
        update stream_lease set lease_until = clock_timestamp() + make_interval(secs => ?)
        where repo_id = ? and stream_id = ? and run_id = ?
        returning true),
      stored as (
        update stream_submission
        set content_hash = ?, operations = ?, applied = ?, noops = ?, errors = ?, commit_id = ?,
            seq = ?, is_finished = ?, updated_at = clock_timestamp()
        where repo_id = ? and account_id = ? and key = ? and exists (select from held))
      select from held
      """;

  private static final String RENEW =
      """
      update stream_lease l set lease_until = clock_timestamp() + make_interval(secs => ?)
      from (
        select x.repo_id, x.stream_id from stream_lease x
        join unnest(?, ?, ?) as n (repo_id, stream_id, run_id)
          on x.repo_id = n.repo_id and x.stream_id = n.stream_id and x.run_id = n.run_id
        for update of x skip locked) o
      where l.repo_id = o.repo_id and l.stream_id = o.stream_id
      """;

  private final Database database;
  private final StoredBytes storedBytes;

  /**
   * A run of a submission.
   *
   * @param id of the run, which is known by it
   */
  record Run(UUID id, SubmissionRequest request) {
    UUID repoId() {
      return request.access().repoId();
    }

    /** The idempotency key as it is stored; null if there is none. */
    private String key() {
      return request.key().map(key -> IdempotencyKeys.stored(request.access(), key)).orElse(null);
    }
  }

  /**
   * A run that has the lease.
   *
   * @param progress how far its submission has come
   * @param former the run whose lease had expired, and that may have left parts; null if there was
   *     none
   */
  record Begun(Progress progress, UUID former) {}

  private record Stored(byte[] requestHash, Progress progress) {}

  SubmissionStore(Database database, StoredBytes storedBytes) {
    this.database = database;
    this.storedBytes = storedBytes;
  }

  /**
   * Takes the lease of the stream, and finds how far the submission has come.
   *
   * @throws Problem {@code CONFLICT} if another submission runs on the stream, {@code
   *     IDEMPOTENCY_MISMATCH} if the key came with another request before, {@code ARCHIVED} if the
   *     submission has not finished and the repository is archived
   */
  Begun begin(Run run) {
    return database.transaction(
        () -> {
          var former = take(run);
          var progress = run.request().key().isEmpty() ? Progress.begin() : beginKeyed(run);
          if (run.request().access().isArchived() && !progress.isFinished()) {
            throw Archived.repository();
          }
          return new Begun(progress, former.equals(run.id()) ? null : former);
        });
  }

  /** Takes the lease, and returns the run that had it before; the run itself if there was none. */
  private UUID take(Run run) {
    return database
        .first(
            TAKE,
            row -> row.getObject(1, UUID.class),
            run.repoId(),
            run.request().streamId(),
            run.id(),
            accountId(run.request().access()),
            LEASE.toSeconds())
        .orElseThrow(
            () ->
                Problem.of(
                        ErrorCode.CONFLICT,
                        "Another submission runs on this stream at this moment.")
                    .with("reason", "lease_held")
                    .hint("Wait until it has ended, or use another stream."));
  }

  private Progress beginKeyed(Run run) {
    var request = run.request();
    var expired = Instant.now().minus(IdempotencyKeys.LIFETIME);
    int deleted =
        database.update(
            """
            delete from stream_submission
            where repo_id = ? and account_id = ? and key = ? and updated_at <= ?
            """,
            run.repoId(),
            accountId(request.access()),
            run.key(),
            expired);
    var fresh = Progress.begin();
    int inserted =
        database.update(
            """
            insert into stream_submission (repo_id, account_id, key, submission_id, request_hash,
                                           content_hash, operations, applied, noops, errors,
                                           is_finished, updated_at)
            values (?, ?, ?, ?, ?, ?, 0, 0, 0, 0, false, clock_timestamp())
            on conflict (repo_id, account_id, key) do nothing
            """,
            run.repoId(),
            accountId(request.access()),
            run.key(),
            fresh.submissionId(),
            request.hash(),
            fresh.contentHash());
    if (inserted > deleted) {
      storedBytes.reserve(request.access().orgId(), ROW_BYTES);
    }
    if (inserted != deleted) {
      StoredBytes.count(database, Map.of(run.repoId(), (long) (inserted - deleted) * ROW_BYTES));
    }
    return inserted > 0 ? fresh : known(run);
  }

  private Progress known(Run run) {
    var stored =
        database
            .first(
                """
                select request_hash, submission_id, content_hash, operations, applied, noops,
                       errors, commit_id, seq, is_finished
                from stream_submission where repo_id = ? and account_id = ? and key = ?
                """,
                SubmissionStore::read,
                run.repoId(),
                accountId(run.request().access()),
                run.key())
            .orElseThrow();
    if (!Arrays.equals(stored.requestHash(), run.request().hash())) {
      throw mismatch("This key came with another stream or other parameters before.");
    }
    return stored.progress();
  }

  /** The refusal of a key that came with something else before. */
  static Problem mismatch(String detail) {
    return Problem.of(ErrorCode.IDEMPOTENCY_MISMATCH, detail)
        .hint("Use a new key for another submission; the same one must be sent as it was before.");
  }

  private static Stored read(ResultSet row) throws SQLException {
    return new Stored(
        row.getBytes(1),
        new Progress(
            row.getObject(2, UUID.class),
            row.getBytes(3),
            row.getInt(4),
            row.getInt(5),
            row.getInt(6),
            row.getInt(7),
            row.getString(8),
            row.getLong(9),
            row.getBoolean(10)));
  }

  /**
   * Stores how far a submission has come, in the surrounding transaction.
   *
   * @throws Problem {@code CONFLICT} if the run has lost the lease
   */
  void advance(Run run, Progress progress) {
    boolean isHeld =
        database
            .first(
                ADVANCE,
                _ -> true,
                LEASE.toSeconds(),
                run.repoId(),
                run.request().streamId(),
                run.id(),
                progress.contentHash(),
                progress.operations(),
                progress.applied(),
                progress.noops(),
                progress.errors(),
                progress.commitId(),
                progress.commitId() == null ? null : progress.seq(),
                progress.isFinished(),
                run.repoId(),
                accountId(run.request().access()),
                run.key())
            .isPresent();
    if (!isHeld) {
      throw leaseLost();
    }
  }

  /** The problem of a run whose lease another one has. */
  static Problem leaseLost() {
    return Problem.of(
            ErrorCode.CONFLICT, "The lease of this stream was lost: another submission has it.")
        .with("reason", "lease_lost")
        .hint("Send the submission again with the same key: it goes on where it stood.");
  }

  /** Renews the leases of runs, except those whose commits do so at this moment. */
  void renew(Collection<Run> runs) {
    database.update(
        RENEW,
        LEASE.toSeconds(),
        Columns.uuids(runs, Run::repoId),
        Columns.strings(runs, run -> run.request().streamId()),
        Columns.uuids(runs, Run::id));
  }

  /** Gives the lease back, if the run still has it. */
  void release(Run run) {
    database.update(
        "delete from stream_lease where repo_id = ? and stream_id = ? and run_id = ?",
        run.repoId(),
        run.request().streamId(),
        run.id());
  }

  private static UUID accountId(RepositoryAccess access) {
    return access.account().accountId();
  }
}
