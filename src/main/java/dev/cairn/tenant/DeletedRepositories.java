package dev.cairn.tenant;

import dev.cairn.access.limit.StoredBytes;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.RowsOfRepositories;
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
  private static final int BATCH = 1000;

  /** A transaction that began before the deletion may still have added rows. */
  private static final Duration LOOK_AGAIN = Duration.ofHours(1);

  // With the tableoid, since a table may have partitions.
  private static final String DELETE =
      """
      with chosen as materialized (
        select tableoid as place, ctid as row from %1$s where repo_id = ? limit ?
        for update skip locked)
      delete from %1$s r using chosen c where r.ctid = c.row and r.tableoid = c.place
      """;

  private final Database database;
  private final StoredBytes storedBytes;
  private final List<String> tables;

  /** A repository whose rows are due; empty once all of them seemed to be deleted. */
  private record Deleted(UUID repoId, boolean isEmpty) {}

  DeletedRepositories(
      Database database, StoredBytes storedBytes, @All List<RowsOfRepositories> rows) {
    this.database = database;
    this.storedBytes = storedBytes;
    this.tables = rows.stream().flatMap(each -> each.tablesOfRows().stream()).toList();
  }

  @Override
  public String name() {
    return NAME;
  }

  List<String> tables() {
    return tables;
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
        isEmpty ? LOOK_AGAIN.toSeconds() : 0,
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

  /** Deletes some rows of a repository. */
  @Override
  public boolean runBatch() {
    return database.transaction(
        () -> {
          var next =
              database.first(
                  """
                  select repo_id, bytes = 0 from deleted_repository
                  where due_at <= now() order by due_at limit 1 for update skip locked
                  """,
                  row -> new Deleted(row.getObject(1, UUID.class), row.getBoolean(2)));
          next.ifPresent(this::deleteSomeOrEnd);
          return next.isPresent();
        });
  }

  private void deleteSomeOrEnd(Deleted deleted) {
    if (!deleteSome(deleted.repoId()) && !(deleted.isEmpty() && forget(deleted.repoId()))) {
      database.update(
          """
          update deleted_repository set bytes = 0, due_at = now() + make_interval(secs => ?)
          where repo_id = ?
          """,
          LOOK_AGAIN.toSeconds(),
          deleted.repoId());
    }
  }

  /** Deletes a batch of each table; whether there may be more. */
  private boolean deleteSome(UUID repoId) {
    boolean more = false;
    for (var table : tables) {
      more |= database.update(DELETE.formatted(table), repoId, BATCH) == BATCH;
    }
    return more;
  }

  /** Unless rows are left that others have locked. */
  private boolean forget(UUID repoId) {
    for (var table : tables) {
      if (database
          .first("select from %s where repo_id = ? limit 1".formatted(table), _ -> true, repoId)
          .isPresent()) {
        return false;
      }
    }
    return database.update("delete from deleted_repository where repo_id = ?", repoId) == 1;
  }
}
