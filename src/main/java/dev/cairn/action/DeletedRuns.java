package dev.cairn.action;

import dev.cairn.access.limit.StoredBytes;
import dev.cairn.platform.database.Database;
import dev.cairn.tenant.RepositoryDeleted;
import dev.cairn.work.Chore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * Deletes the runs and matched operations of deleted repositories, which may be too many for one
 * transaction: the first rows in that of the deletion, so that most repositories are gone with it,
 * and the others afterwards in batches. No foreign key of these tables points to the repository,
 * and what shows or begins runs reads its row first. {@code docs/operation.md}, Chores, has the
 * rules.
 */
@ApplicationScoped
class DeletedRuns implements Chore {
  private static final String NAME = "deleted repositories";

  /** The attempts and notifications of runs are deleted with them by foreign keys. */
  private static final List<String> TABLES = List.of("action_run", "matched_operation");

  private static final int MAX_DELETED_ROWS = 1000;

  /** A transaction that began before the deletion may still have added rows. */
  private static final Duration RECHECK_DELAY = Duration.ofHours(1);

  private static final String DELETE =
      """
      with chosen as materialized (
        select tableoid as place, ctid as row from %1$s where repo_id = ? limit ?
        for update skip locked)
      delete from %1$s r using chosen c where r.ctid = c.row and r.tableoid = c.place
      """;

  private final Database database;
  private final StoredBytes storedBytes;

  /** A repository whose rows are due; empty once all of them seemed to be deleted. */
  private record Deleted(UUID repoId, boolean isEmpty) {}

  DeletedRuns(Database database, StoredBytes storedBytes) {
    this.database = database;
    this.storedBytes = storedBytes;
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Deletes the first rows, in the transaction that deletes the repository, before its row. */
  void deleteFirst(@Observes RepositoryDeleted deleted) {
    boolean isEmpty = !deleteSome(deleted.repoId());
    database.update(
        """
        insert into deleted_repository (repo_id, org_id, bytes, due_at)
        select id, org_id, ?, now() + make_interval(secs => ?) from repository where id = ?
        """,
        isEmpty ? 0 : Math.max(1, storedBytes.ofRepository(deleted.repoId())),
        isEmpty ? RECHECK_DELAY.toSeconds() : 0,
        deleted.repoId());
  }

  /** Makes the chore due if there is more to delete, after that transaction. */
  void requestChore(@Observes(during = TransactionPhase.AFTER_SUCCESS) RepositoryDeleted deleted) {
    Thread.ofVirtual().name("runs of " + deleted.repoId()).start(this::makeDue);
  }

  void makeDue() {
    database.update(
        """
        update chore set due_at = now()
        where name = ? and due_at > now()
          and exists (select from deleted_repository where due_at <= now())
        """,
        NAME);
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
          RECHECK_DELAY.toSeconds(),
          deleted.repoId());
    }
  }

  /** Unless rows are left that others have locked. */
  private boolean forget(UUID repoId) {
    return database.update(
            """
            delete from deleted_repository d
            where d.repo_id = ?
              and not exists (select from action_run r where r.repo_id = d.repo_id)
              and not exists (select from matched_operation m where m.repo_id = d.repo_id)
            """,
            repoId)
        == 1;
  }

  /** Deletes a batch of each table; whether there may be more. */
  private boolean deleteSome(UUID repoId) {
    boolean more = false;
    for (var table : TABLES) {
      more |=
          database.update(DELETE.formatted(table), repoId, MAX_DELETED_ROWS) == MAX_DELETED_ROWS;
    }
    return more;
  }
}
