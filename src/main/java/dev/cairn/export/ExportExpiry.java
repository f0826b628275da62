package dev.cairn.export;

import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.RowsOfRepositories;
import dev.cairn.work.Chore;
import dev.cairn.work.DueChores;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;

/** Deletes exports that have expired, piece by piece, since each may be large. */
@Singleton
class ExportExpiry implements Chore, RowsOfRepositories {
  private static final String NAME = "exports";

  private final Database database;
  private final DueChores dueChores;

  private record Job(UUID repoId, UUID id) {}

  ExportExpiry(Database database, DueChores dueChores) {
    this.database = database;
    this.dueChores = dueChores;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Rows> rowsOfRepositories() {
    return List.of();
  }

  /** They expire, and count until their chunks are deleted. */
  @Override
  public void beforeDeletion(UUID repoId) {
    database.update(
        """
        update export_job
        set expires_at = least(expires_at, now()),
            state = case state when 'pending' then 'failed' else state end
        where repo_id = ?
        """,
        repoId);
  }

  @Override
  public void afterDeletion() {
    makeDue();
  }

  /**
   * Makes the chore due if exports have expired early: their bytes count in {@code export-bytes}
   * until they are deleted. Call it after the transaction in which they expired.
   */
  void makeDue() {
    dueChores.makeDue(NAME, "export_job where expires_at <= now()");
  }

  /** The job goes last: while its row is locked, no attempt stores a chunk. */
  @Override
  public boolean runBatch() {
    return database.transaction(
        () -> {
          var expired =
              database.first(
                  """
                  select repo_id, id from export_job where expires_at <= now()
                  order by expires_at limit 1 for update skip locked
                  """,
                  row -> new Job(row.getObject(1, UUID.class), row.getObject(2, UUID.class)));
          expired.ifPresent(this::deleteSome);
          return expired.isPresent();
        });
  }

  private void deleteSome(Job job) {
    if (!Chunks.deleteSome(database, job.repoId(), job.id(), Integer.MAX_VALUE)) {
      database.update(
          "delete from export_job where repo_id = ? and id = ?", job.repoId(), job.id());
    }
  }
}
