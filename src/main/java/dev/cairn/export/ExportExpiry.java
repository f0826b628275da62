package dev.cairn.export;

import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.RowsOfRepositories;
import dev.cairn.work.Chore;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;

/** Deletes exports that have expired, piece by piece, since each may be large. */
@Singleton
class ExportExpiry implements Chore, RowsOfRepositories {
  private static final int MAX_DELETED_CHUNKS = 16;

  private final Database database;

  private record Job(UUID repoId, UUID id) {}

  ExportExpiry(Database database) {
    this.database = database;
  }

  @Override
  public String name() {
    return "exports";
  }

  @Override
  public List<Rows> rowsOfRepositories() {
    return List.of(Rows.with("export_chunk", "bytes"));
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
    int chunks =
        database.update(
            """
            delete from export_chunk where ctid = any (array(
              select ctid from export_chunk where repo_id = ? and job_id = ? limit ?))
            """,
            job.repoId(),
            job.id(),
            MAX_DELETED_CHUNKS);
    if (chunks < MAX_DELETED_CHUNKS) {
      database.update(
          "delete from export_job where repo_id = ? and id = ?", job.repoId(), job.id());
    }
  }
}
