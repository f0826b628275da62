package dev.cairn.export;

import dev.cairn.platform.database.Database;
import dev.cairn.work.Chore;
import jakarta.inject.Singleton;

/** Deletes exports that have expired, one by one, since each may be large. */
@Singleton
class ExportExpiry implements Chore {
  private final Database database;

  ExportExpiry(Database database) {
    this.database = database;
  }

  @Override
  public String name() {
    return "exports";
  }

  @Override
  public boolean runBatch() {
    return database.update(
            """
            delete from export_job where (repo_id, id) = (
              select repo_id, id from export_job where expires_at <= now()
              order by expires_at limit 1 for update skip locked)
            """)
        > 0;
  }
}
