package dev.cairn.tenant;

import dev.cairn.access.limit.StoredBytes;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.RowsOfRepositories;
import dev.cairn.platform.database.RowsOfRepositories.Rows;
import dev.cairn.work.Chore;
import dev.cairn.work.DueChores;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
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

  /** The tenant whose last turn was first, and its repository whose last turn was. */
  private static final String NEXT =
      """
      with due as (
        select d.repo_id, d.due_at,
               max(d.due_at) over (partition by coalesce(o.creator_id, o.id)) as last_turn
        from deleted_repository d join organization o on o.id = d.org_id
        where d.due_at <= now())
      select d.repo_id, d.bytes = 0
      from deleted_repository d join due using (repo_id)
      order by due.last_turn, due.due_at
      limit 1
      for update of d skip locked
      """;

  private final Database database;
  private final StoredBytes storedBytes;
  private final DueChores dueChores;
  private final List<RowsOfRepositories> rows;
  private final List<Rows> tables;

  /** A repository whose rows are due; empty once all of them seemed to be deleted. */
  private record Deleted(UUID repoId, boolean isEmpty) {}

  /** How many rows were deleted, and whether there may be more. */
  private record Batch(int deleted, boolean isMore) {
    Batch plus(Batch other) {
      return new Batch(deleted + other.deleted, isMore || other.isMore);
    }
  }

  DeletedRepositories(
      Database database,
      StoredBytes storedBytes,
      DueChores dueChores,
      @All List<RowsOfRepositories> rows) {
    this.database = database;
    this.storedBytes = storedBytes;
    this.dueChores = dueChores;
    this.rows = rows;
    this.tables = rows.stream().flatMap(each -> each.rowsOfRepositories().stream()).toList();
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Deletes the first rows, in the transaction that deletes the repository, before its row. */
  void deleteFirst(UUID repoId) {
    long bytes = storedBytes.ofRepository(repoId);
    rows.forEach(each -> each.beforeDeletion(repoId));
    boolean isEmpty = !deleteSome(repoId).isMore();
    database.update(
        """
        insert into deleted_repository (repo_id, org_id, bytes, due_at)
        select id, org_id, ?, now() + make_interval(secs => ?) from repository where id = ?
        """,
        isEmpty ? 0 : Math.max(1, bytes),
        isEmpty ? RECHECK_DELAY.toSeconds() : 0,
        repoId);
  }

  /**
   * Makes the chores due that delete what is left. Call it after the transaction of {@link
   * #deleteFirst}.
   */
  void makeDue() {
    dueChores.makeDue(NAME, "deleted_repository where due_at <= now()");
    rows.forEach(RowsOfRepositories::afterDeletion);
  }

  /**
   * Deletes some rows of the repository whose turn it is: then it is that of another tenant. If it
   * fails, the others go first for a while.
   */
  @Override
  public boolean runBatch() {
    var current = new AtomicReference<UUID>();
    try {
      return database.transaction(
          () -> {
            var next =
                database.first(
                    NEXT, row -> new Deleted(row.getObject(1, UUID.class), row.getBoolean(2)));
            next.ifPresent(
                deleted -> {
                  current.set(deleted.repoId());
                  deleteSomeOrEnd(deleted);
                });
            return next.isPresent();
          });
    } catch (RuntimeException e) {
      if (current.get() == null) {
        throw e;
      }
      LOG.errorf(e, "rows of the deleted repository %s cannot be deleted yet", current.get());
      postpone(current.get(), FAILURE_DELAY);
      return true;
    }
  }

  private void postpone(UUID repoId, Duration delay) {
    database.update(
        "update deleted_repository set due_at = now() + make_interval(secs => ?) where repo_id = ?",
        delay.toSeconds(),
        repoId);
  }

  private void deleteSomeOrEnd(Deleted deleted) {
    var repoId = deleted.repoId();
    var batch = deleteSome(repoId);
    if (batch.isMore()) {
      postpone(repoId, batch.deleted() == 0 ? FAILURE_DELAY : Duration.ZERO);
    } else if (!deleted.isEmpty() || !forget(repoId)) {
      database.update("update deleted_repository set bytes = 0 where repo_id = ?", repoId);
      postpone(repoId, RECHECK_DELAY);
    }
  }

  /** Deletes a batch of each table. */
  private Batch deleteSome(UUID repoId) {
    var all = new Batch(0, false);
    for (var table : tables) {
      all = all.plus(deleteSome(repoId, table));
    }
    return all;
  }

  private Batch deleteSome(UUID repoId, Rows table) {
    return database
        .inIndexOrder()
        .first(
            DELETE.formatted(table.table(), table.bytes()),
            row -> {
              int locked = row.getInt(1);
              int deleted = row.getInt(2);
              return new Batch(deleted, locked == MAX_DELETED_ROWS || deleted < locked);
            },
            repoId,
            MAX_DELETED_ROWS,
            MAX_DELETED_BYTES)
        .orElseThrow();
  }

  /** Unless rows are left that others have locked. */
  private boolean forget(UUID repoId) {
    for (var table : tables) {
      if (database
          .first(
              "select from %s where repo_id = ? limit 1".formatted(table.table()),
              _ -> true,
              repoId)
          .isPresent()) {
        return false;
      }
    }
    return database.update("delete from deleted_repository where repo_id = ?", repoId) == 1;
  }
}
