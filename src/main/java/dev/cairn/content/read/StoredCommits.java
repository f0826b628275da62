package dev.cairn.content.read;

import dev.cairn.content.CommitOperations;
import dev.cairn.content.Statement;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Pager;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads the commits of a repository and their operations. */
@ApplicationScoped
public class StoredCommits {
  private static final String COLUMNS =
      "commit_id, seq, author, %s as message, created_at, operation_count, hash, parent_hash";

  /**
   * The size of a commit in a list, in bytes; 512 are for its hashes, times and JSON member names.
   */
  private static final String SIZE =
      Pager.jsonBytes("message") + " + " + Pager.jsonBytes("author") + " + 512";

  private static final String PAGE =
      "select "
          + COLUMNS.formatted(Pager.fitting("message", SIZE))
          + ", "
          + Pager.fits(SIZE)
          + " from commit_log where repo_id = ? and seq < ?"
          + Pager.inOrder("seq desc")
          + " limit ?";

  private static final String ONE =
      "select "
          + COLUMNS.formatted("message")
          + " from commit_log where repo_id = ? and commit_id = ?";

  private static final String OPERATIONS =
      """
      select o.op_index, o.operation, e.kind, e.shape_name || '/' || e.name as wref,
             o.version, o.active, o.data_hash, o.former_name, o.entity_id
      from (%s) o
      join entity e on e.repo_id = ? and e.id = o.entity_id
      where (o.op_index, o.entity_id) > (?, ?)
      order by o.op_index, o.entity_id limit ?
      """
          .formatted(CommitOperations.of("?", "?"));

  private final Database database;

  /** A commit as it is stored. */
  public record StoredCommit(
      String commitId,
      long seq,
      String author,
      String message,
      Instant createdAt,
      int operationCount,
      byte[] hash,
      byte[] parentHash) {

    /** The commit of the current row. */
    public static StoredCommit read(ResultSet row) throws SQLException {
      return new StoredCommit(
          row.getString("commit_id"),
          row.getLong("seq"),
          row.getString("author"),
          row.getString("message"),
          Rows.instant(row, "created_at"),
          row.getInt("operation_count"),
          row.getBytes("hash"),
          row.getBytes("parent_hash"));
    }
  }

  /**
   * An operation of a commit.
   *
   * @param wref the entity by its current name
   * @param version the version that was made; null for a rename
   * @param active the entity's state after the change; null for a rename
   * @param dataHash null for a rename
   * @param formerName the name before a rename; null for anything else
   */
  public record StoredOperation(
      int opIndex,
      long entityId,
      String operation,
      String kind,
      String wref,
      Integer version,
      Boolean active,
      byte[] dataHash,
      String formerName) {}

  StoredCommits(Database database) {
    this.database = database;
  }

  /**
   * A statement for a page of commits, newest first, and one more, with rows for {@link
   * StoredCommit#read} and for {@link Pager#read}.
   *
   * @param before the sequence number that is greater than all of the page
   */
  public static Statement page(UUID repoId, long before, int limit) {
    return new Statement(
        PAGE, new Object[] {PageBytes.max(), PageBytes.max(), repoId, before, limit + 1});
  }

  /** One commit. */
  public Optional<StoredCommit> find(UUID repoId, String commitId) {
    return database.first(ONE, StoredCommit::read, repoId, commitId);
  }

  /**
   * The operations of a commit in the order of their index, and then of their entity's id.
   *
   * @param afterIndex the index of the last operation before them
   * @param afterEntityId the entity of that operation
   */
  public List<StoredOperation> operations(
      UUID repoId, long seq, int afterIndex, long afterEntityId, int max) {
    return database.list(
        OPERATIONS,
        StoredCommits::operation,
        repoId,
        seq,
        repoId,
        seq,
        repoId,
        afterIndex,
        afterEntityId,
        max);
  }

  private static StoredOperation operation(ResultSet row) throws SQLException {
    return new StoredOperation(
        row.getInt("op_index"),
        row.getLong("entity_id"),
        row.getString("operation"),
        row.getString("kind"),
        row.getString("wref"),
        row.getObject("version", Integer.class),
        row.getObject("active", Boolean.class),
        row.getBytes("data_hash"),
        row.getString("former_name"));
  }
}
