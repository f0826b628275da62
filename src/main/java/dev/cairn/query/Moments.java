package dev.cairn.query;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Finds the moments that requests name; see {@code docs/reads.md}, Time travel. */
@ApplicationScoped
public class Moments {
  private final Database database;

  Moments(Database database) {
    this.database = database;
  }

  /**
   * The moment that is meant.
   *
   * @throws Problem {@link ErrorCode#NOT_FOUND} where there is no such commit
   */
  public Moment find(RepositoryAccess access, At at) {
    return switch (at) {
      case At.Seq(long number) when number == 0 -> beforeAll(access);
      case At.Seq(long number) ->
          find("c.seq = ?", access, number)
              .orElseThrow(() -> Problem.notFound("There is no commit " + number + "."));
      case At.Commit(String commitId) ->
          find("c.commit_id = ?", access, commitId)
              .orElseThrow(() -> Problem.notFound("There is no commit `" + commitId + "`."));
    };
  }

  private static Moment beforeAll(RepositoryAccess access) {
    return new Moment(access.repoId(), 0, BuiltinShape.FIRST_FREE_ID, BuiltinShape.FIRST_FREE_ID);
  }

  private Optional<Moment> find(String condition, RepositoryAccess access, Object value) {
    return database.first(
        """
        select c.seq, c.next_entity_id, h.next_entity_id
        from commit_log c join repository_head h on h.repo_id = c.repo_id
        where c.repo_id = ? and\s"""
            + condition,
        row -> new Moment(access.repoId(), row.getLong(1), row.getLong(2), row.getLong(3)),
        access.repoId(),
        value);
  }
}
