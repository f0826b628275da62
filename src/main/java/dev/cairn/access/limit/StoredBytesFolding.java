package dev.cairn.access.limit;

import dev.cairn.platform.database.Database;
import dev.cairn.work.Chore;
import jakarta.inject.Singleton;

/**
 * Adds the rows that {@link StoredBytes#count} has written to one number for each repository, and
 * deletes them, so that few rows need to be summed up. It never waits for a lock: rows of locked
 * repositories are left for the next run.
 */
@Singleton
class StoredBytesFolding implements Chore {
  private static final int MAX_FOLDED_ROWS = 10_000;

  // Locks are taken in the order of ids, before the limit applies: locked repositories do not use
  // it up.
  private static final String FOLD =
      """
      with chosen as materialized (
        select c.ctid as row
        from stored_bytes_change c join repository r on r.id = c.repo_id
        order by c.repo_id limit ?
        for no key update of r skip locked),
      folded as (
        delete from stored_bytes_change c using chosen x where c.ctid = x.row
        returning c.repo_id, c.bytes),
      counted as (
        update repository r set other_bytes = r.other_bytes + f.bytes
        from (select repo_id, sum(bytes)::bigint as bytes from folded group by repo_id) f
        where r.id = f.repo_id)
      select count(*) from folded
      """;

  private static final String DROP_ORPHANS =
      """
      delete from stored_bytes_change where ctid in (
        select c.ctid from stored_bytes_change c
        where not exists (select from repository r where r.id = c.repo_id)
        limit ?)
      """;

  private final Database database;

  StoredBytesFolding(Database database) {
    this.database = database;
  }

  @Override
  public String name() {
    return "stored bytes";
  }

  @Override
  public boolean runBatch() {
    int folded = database.first(FOLD, row -> row.getInt(1), MAX_FOLDED_ROWS).orElseThrow();
    return folded == MAX_FOLDED_ROWS
        || database.update(DROP_ORPHANS, MAX_FOLDED_ROWS) == MAX_FOLDED_ROWS;
  }
}
