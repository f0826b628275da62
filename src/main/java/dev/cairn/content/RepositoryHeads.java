package dev.cairn.content;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.DatabaseException;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.database.StatementBatch;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Reads and locks the head of a repository: the row with its newest sequence number. */
@ApplicationScoped
public class RepositoryHeads {
  private static final String HEAD =
      "select seq, next_entity_id, hash, watchers, committed_at from repository_head"
          + " where repo_id = ?";

  /**
   * How long a change waits for commits. Until then, what changes its organization waits for it,
   * for up to {@link dev.cairn.access.Recheck#MAX_WAIT_FOR_ORGANIZATION}.
   */
  private static final Duration MAX_WAIT = Duration.ofSeconds(3);

  /** The same for a change of the organization itself, for which all other changes in it wait. */
  private static final Duration MAX_WAIT_OF_ORGANIZATION = Duration.ofSeconds(1);

  private final Database database;

  RepositoryHeads(Database database) {
    this.database = database;
  }

  /**
   * The sequence number of the newest commit that the current transaction sees.
   *
   * @return 0 before the first commit
   * @throws Problem {@link ErrorCode#NOT_FOUND} if the repository was deleted after access to it
   *     was granted
   */
  public long newest(UUID repoId) {
    return head(database, HEAD, repoId).seq();
  }

  /**
   * The head, without a lock.
   *
   * @throws Problem as {@link #newest}
   */
  public Head find(UUID repoId) {
    return head(database, HEAD, repoId);
  }

  /**
   * Locks the head for a commit until the end of the transaction; commits to one repository wait
   * for each other here. All statements of the transaction use generic plans, since each statement
   * of a commit has only one good plan.
   *
   * @param next sent with it, and carried out once the head is locked
   * @throws Problem as {@link #newest}
   */
  public Head lockForCommit(UUID repoId, StatementBatch next) {
    var locked = new ArrayList<Head>();
    var batch =
        new StatementBatch()
            .add(
                HEAD + " for update",
                row -> {
                  locked.add(head(row));
                  return false;
                },
                repoId)
            .add(next);
    database.withGenericPlan().send(batch);
    return locked.stream().findFirst().orElseThrow(RepositoryHeads::deleted);
  }

  private static Problem deleted() {
    return Problem.notFound("The repository was just deleted.");
  }

  /**
   * Waits for a commit that may be running, for at most {@link #MAX_WAIT}, and blocks all others
   * until the end of the transaction.
   *
   * @throws Problem as {@link #newest}
   */
  public void lock(UUID repoId) {
    inTime(MAX_WAIT, () -> head(database, HEAD + " for update", repoId));
  }

  /**
   * Locks the heads of all repositories of an organization that is itself changed; it waits for a
   * second in all.
   */
  public void lockAll(UUID orgId) {
    inTime(
        MAX_WAIT_OF_ORGANIZATION,
        () ->
            database.list(
                """
                select from repository_head
                where repo_id in (select id from repository where org_id = ?)
                order by repo_id for update
                """,
                _ -> true,
                orgId));
  }

  /**
   * Counts a change to the watchers of these repositories. Their heads are locked in the order of
   * their ids, to avoid deadlocks, all of them in the time of {@link #lock}, or of {@link
   * #lockAll}.
   *
   * @param isOfOrganization whether the organization itself is changed
   * @return how many of the repositories exist
   */
  public int raiseWatchers(Collection<UUID> repoIds, boolean isOfOrganization) {
    return inTime(
        isOfOrganization ? MAX_WAIT_OF_ORGANIZATION : MAX_WAIT,
        () ->
            database.update(
                """
                update repository_head h set watchers = watchers + 1
                from (
                  select repo_id from repository_head where repo_id = any (?)
                  order by repo_id for update) x
                where h.repo_id = x.repo_id
                """,
                (Object) repoIds.toArray(UUID[]::new)));
  }

  /**
   * The same for those of the repositories whose head no other transaction has locked; it never
   * waits.
   */
  public void raiseFreeWatchers(Collection<UUID> repoIds) {
    database.update(
        """
        update repository_head h set watchers = watchers + 1
        from (
          select repo_id from repository_head where repo_id = any (?)
          for update skip locked) x
        where h.repo_id = x.repo_id
        """,
        (Object) repoIds.toArray(UUID[]::new));
  }

  /** The time limit of a statement for a lock is for each of several heads, and for its queue. */
  private <T> T inTime(Duration wait, Supplier<T> lock) {
    database.update("set local statement_timeout = " + wait.toMillis());
    T locked;
    try {
      locked = lock.get();
    } catch (DatabaseException e) {
      throw DatabaseException.isTimeout(e)
          ? Problem.of(
                  ErrorCode.UNAVAILABLE, "Commits that must end first take too long; try again.")
              .hint(
                  "If one account keeps sending them, remove it from the organization or revoke its token.")
          : e;
    }
    database.update("set local statement_timeout to default");
    return locked;
  }

  private static Head head(Database database, String sql, UUID repoId) {
    return database.first(sql, RepositoryHeads::head, repoId).orElseThrow(RepositoryHeads::deleted);
  }

  private static Head head(ResultSet row) throws SQLException {
    return new Head(
        row.getLong("seq"),
        row.getLong("next_entity_id"),
        row.getBytes("hash"),
        row.getLong("watchers"),
        Optional.ofNullable(Rows.instant(row, "committed_at")).orElse(Instant.EPOCH));
  }
}
