package dev.cairn.stream;

import dev.cairn.access.conditional.IdempotencyKeys;
import dev.cairn.platform.database.Database;
import dev.cairn.work.Chore;
import jakarta.inject.Singleton;

/**
 * Deletes submissions whose keys are forgotten, and what was left behind when a replica died:
 * leases and parts. See {@code docs/streams.md}, Resuming.
 */
@Singleton
class StreamExpiry implements Chore {
  private static final int MAX_DELETED = 1_000;

  private static final String SUBMISSIONS =
      """
      with deleted as (
        delete from stream_submission where ctid in (
          select ctid from stream_submission
          where updated_at < now() - make_interval(secs => ?) limit ?)
        returning repo_id),
      counted as (
        insert into stored_bytes_change (repo_id, bytes)
        select repo_id, -%d * count(*) from deleted group by repo_id)
      select count(*) from deleted
      """
          .formatted(SubmissionStore.ROW_BYTES);

  private static final String LEASES =
      """
      delete from stream_lease where ctid in (
        select ctid from stream_lease where lease_until < now() - interval '1 hour' limit ?)
      """;

  private final Database database;
  private final StagedParts parts;

  StreamExpiry(Database database, StagedParts parts) {
    this.database = database;
    this.parts = parts;
  }

  @Override
  public String name() {
    return "streams";
  }

  @Override
  public boolean runBatch() {
    int submissions =
        database
            .first(
                SUBMISSIONS,
                row -> row.getInt(1),
                IdempotencyKeys.LIFETIME.toSeconds(),
                MAX_DELETED)
            .orElseThrow();
    int leases = database.update(LEASES, MAX_DELETED);
    // Not only if there is no more of the others, so that none of them waits for long.
    boolean areMoreParts = parts.deleteAbandoned();
    return submissions == MAX_DELETED || leases == MAX_DELETED || areMoreParts;
  }
}
