package dev.cairn.content;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.UUID;

/** Finds the moments that requests name; see {@code docs/reads.md}, Time travel. */
@ApplicationScoped
public class Moments {
  private final Database database;

  Moments(Database database) {
    this.database = database;
  }

  /**
   * Finds the moment.
   *
   * @throws Problem {@link ErrorCode#NOT_FOUND} if there is no such commit
   */
  public Moment find(RepositoryAccess access, At at) {
    return switch (at) {
      case At.Seq(long number) -> find(access.repoId(), number);
      case At.Commit(String commitId) ->
          find("c.commit_id = ?", access.repoId(), commitId).orElseThrow(() -> missing(commitId));
    };
  }

  /** Finds a moment by its sequence number, for a caller whose access has been checked. */
  public Moment find(UUID repoId, long seq) {
    return seq == 0
        ? new Moment(repoId, 0, BuiltinShape.FIRST_FREE_ID, BuiltinShape.FIRST_FREE_ID)
        : find("c.seq = ?", repoId, seq).orElseThrow(() -> noCommit(String.valueOf(seq)));
  }

  /** The problem that a repository has no commit with this id. */
  public static Problem missing(String commitId) {
    return noCommit("`" + commitId + "`");
  }

  private static Problem noCommit(String commit) {
    return Problem.notFound("There is no commit " + commit + ".")
        .hint("`GET /commits`, or `commit_log` over MCP, lists those that exist.");
  }

  private Optional<Moment> find(String condition, UUID repoId, Object value) {
    return database.first(
        """
        select c.seq, c.next_entity_id, h.next_entity_id
        from commit_log c join repository_head h on h.repo_id = c.repo_id
        where c.repo_id = ? and\s"""
            + condition,
        row -> new Moment(repoId, row.getLong(1), row.getLong(2), row.getLong(3)),
        repoId,
        value);
  }
}
