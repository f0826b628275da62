package dev.cairn.content;

import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;

/**
 * Deletes what belongs to deleted repositories and may be too much for one transaction: the first
 * rows in that of the deletion, so that most repositories are gone with it, and the others
 * afterwards in batches. No foreign key of these tables points to the repository, and what shows or
 * begins runs reads its row first.
 */
@ApplicationScoped
public class DeletedRepositories {
  /** The chore that calls {@link #deleteBatch}. */
  public static final String CHORE = "deleted repositories";

  /** The attempts and notifications of runs are deleted with them by foreign keys. */
  private static final List<String> TABLES = List.of("action_run", "matched_operation");

  private static final int BATCH = 1000;

  private static final String DELETE =
      """
      with chosen as materialized (
        select tableoid as place, ctid as row from %1$s where repo_id = ? limit ?
        for update skip locked)
      delete from %1$s r using chosen c where r.ctid = c.row and r.tableoid = c.place
      """;

  private final Database database;

  /** A repository whose rows are due; empty once all of them seemed to be deleted. */
  private record Deleted(UUID repoId, boolean isEmpty) {}

  DeletedRepositories(Database database) {
    this.database = database;
  }

  /** Deletes the first rows, in the transaction that deletes the repository, before its row. */
  public void deleteFirst(UUID repoId) {
    boolean isEmpty = !deleteSome(repoId);
    database.update(
        """
        insert into deleted_repository (repo_id, org_id, bytes, due_at)
        select r.id, r.org_id,
               case when e.is_empty then 0 else greatest(1, h.stored_bytes + r.other_bytes + (
                 select coalesce(sum(c.bytes), 0)
                 from stored_bytes_change c where c.repo_id = r.id)) end,
               case when e.is_empty then now() + interval '1 hour' else now() end
        from (select ?::boolean as is_empty) e, repository r
        join repository_head h on h.repo_id = r.id
        where r.id = ?
        """,
        isEmpty,
        repoId);
  }

  /** Makes the chore due if there is more to delete, after that transaction. */
  public void requestChore() {
    database.update(
        """
        update chore set due_at = now()
        where name = ? and due_at > now()
          and exists (select from deleted_repository where due_at <= now())
        """,
        CHORE);
  }

  /**
   * Deletes some rows of a repository.
   *
   * @return whether there may be more rows, or repositories
   */
  public boolean deleteBatch() {
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
          update deleted_repository set bytes = 0, due_at = now() + interval '1 hour'
          where repo_id = ?
          """,
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
      more |= database.update(DELETE.formatted(table), repoId, BATCH) == BATCH;
    }
    return more;
  }
}
