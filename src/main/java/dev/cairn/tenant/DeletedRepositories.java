package dev.cairn.tenant;

import dev.cairn.access.limit.StoredBytes;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.RowsOfRepositories;
import dev.cairn.platform.database.RowsOfRepositories.Rows;
import dev.cairn.work.Chore;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Deletes the rows that deleted repositories leave, which may be too many for one transaction: the
 * first of each table in that of the deletion, so that small repositories are gone with it, and the
 * others afterwards in batches. {@code docs/operation.md}, Chores, has the rules.
 */
@ApplicationScoped
class DeletedRepositories implements Chore {
  private static final Logger LOG = Logger.getLogger(DeletedRepositories.class);

  private static final String NAME = "deleted repositories";
  private static final int MAX_DELETED_ROWS = 1_000;
  private static final int MAX_DELETED_BYTES = 16 * 1024 * 1024;

  /** A transaction that began before the deletion may still have added rows. */
  private static final Duration RECHECK_DELAY = Duration.ofHours(1);

  private static final Duration FAILURE_DELAY = Duration.ofMinutes(10);

  // With the tableoid, since a table may have partitions. Of large rows fewer are deleted.
  private static final String DELETE =
      """
      with locked as materialized (
        select tableoid as place, ctid as row, coalesce(%2$s, 0) as bytes from %1$s where repo_id = ? limit ?
        for update skip locked),
      chosen as materialized (
        select place, row, sum(bytes) over (rows unbounded preceding) - bytes as before
        from locked),
      gone as (
        delete from %1$s r using chosen c
        where r.ctid = c.row and r.tableoid = c.place and c.before < ?
        returning true)
      select (select count(*) from locked), (select count(*) from gone)
      """;

  private final Database database;
  private final StoredBytes storedBytes;
  private final List<Rows> tables;

  /** A repository whose rows are due; empty once all of them seemed to be deleted. */
  private record Deleted(UUID repoId, boolean isEmpty) {}

  /** How many rows were locked, and how many of them deleted. */
  private record Batch(int locked, int deleted) {}

  DeletedRepositories(
      Database database, StoredBytes storedBytes, @All List<RowsOfRepositories> rows) {
    this.database = database;
    this.storedBytes = storedBytes;
    this.tables = rows.stream().flatMap(each -> each.rowsOfRepositories().stream()).toList();
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Deletes the first rows, in the transaction that deletes the repository, before its row. */
  void deleteFirst(UUID repoId) {
    long bytes = storedBytes.ofRepository(repoId);
    boolean isEmpty = !deleteSome(repoId);
    database.update(
        """
        insert into deleted_repository (repo_id, org_id, bytes, due_at)
        select id, org_id, ?, now() + make_interval(secs => ?) from repository where id = ?
        """,
        isEmpty ? 0 : Math.max(1, bytes),
        isEmpty ? RECHECK_DELAY.toSeconds() : 0,
        repoId);
  }

  /** Makes the chore due if there is more to delete, after that transaction. */
  void makeDue() {
    try {
      database.update(
          """
          update chore set due_at = now()
          where name = ? and due_at > now()
            and exists (select from deleted_repository where due_at <= now())
          """,
          NAME);
    } catch (RuntimeException e) {
      LOG.warnf("the rows of a deleted repository are deleted within an hour: %s", e.getMessage());
    }
  }

  /**
   * Deletes some rows of the repository whose turn it is: then it is that of another. If it fails,
   * the others go first for a while.
   */
  @Override
  public boolean runBatch() {
    var next =
        database.first(
            """
            select repo_id from deleted_repository where due_at <= now() order by due_at limit 1
            """,
            row -> row.getObject(1, UUID.class));
    next.ifPresent(
        repoId -> {
          try {
            database.transaction(() -> deleteSomeOf(repoId));
          } catch (RuntimeException e) {
            LOG.errorf(e, "rows of the deleted repository %s cannot be deleted yet", repoId);
            postpone(repoId, FAILURE_DELAY);
          }
        });
    return next.isPresent();
  }

  private boolean deleteSomeOf(UUID repoId) {
    var locked =
        database.first(
            """
            select repo_id, bytes = 0 from deleted_repository
            where repo_id = ? and due_at <= now() for update
            """,
            row -> new Deleted(row.getObject(1, UUID.class), row.getBoolean(2)),
            repoId);
    locked.ifPresent(this::deleteSomeOrEnd);
    return locked.isPresent();
  }

  private void postpone(UUID repoId, Duration delay) {
    database.update(
        "update deleted_repository set due_at = now() + make_interval(secs => ?) where repo_id = ?",
        delay.toSeconds(),
        repoId);
  }

  private void deleteSomeOrEnd(Deleted deleted) {
    var repoId = deleted.repoId();
    if (deleteSome(repoId)) {
      postpone(repoId, Duration.ZERO);
    } else if (!deleted.isEmpty() || !forget(repoId)) {
      database.update("update deleted_repository set bytes = 0 where repo_id = ?", repoId);
      postpone(repoId, RECHECK_DELAY);
    }
  }

  /** Deletes a batch of each table; whether there may be more. */
  private boolean deleteSome(UUID repoId) {
    boolean isMore = false;
    for (var rows : tables) {
      isMore |= deleteSome(repoId, rows);
    }
    return isMore;
  }

  private boolean deleteSome(UUID repoId, Rows rows) {
    var batch =
        database
            .first(
                DELETE.formatted(rows.table(), rows.bytes()),
                row -> new Batch(row.getInt(1), row.getInt(2)),
                repoId,
                MAX_DELETED_ROWS,
                MAX_DELETED_BYTES)
            .orElseThrow();
    if (batch.deleted() == 0 && batch.locked() > 0) {
      throw new IllegalStateException("no row of " + rows.table() + " was deleted");
    }
    return batch.locked() == MAX_DELETED_ROWS || batch.deleted() < batch.locked();
  }

  /** Unless rows are left that others have locked. */
  private boolean forget(UUID repoId) {
    for (var rows : tables) {
      if (database
          .first(
              "select from %s where repo_id = ? limit 1".formatted(rows.table()), _ -> true, repoId)
          .isPresent()) {
        return false;
      }
    }
    return database.update("delete from deleted_repository where repo_id = ?", repoId) == 1;
  }
}
