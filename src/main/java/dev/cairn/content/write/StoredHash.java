package dev.cairn.content.write;

import dev.cairn.content.CommitHash;
import dev.cairn.content.CommitOperations;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/**
 * Hashes the operations of a commit from its rows, in its transaction: for a commit that was
 * written in parts, of which a later one renamed what an earlier one had changed. The memory does
 * not depend on their number.
 */
@ApplicationScoped
public class StoredHash {
  private static final int FETCH_ROWS = 500;

  /** Operations that one statement sorts: it has sorted them all before the first row comes. */
  private static final int MAX_SORTED = 10_000;

  private static final String OPERATIONS =
      """
      select o.operation, e.kind, e.shape_name || '/' || e.name as name, o.version, o.active,
             e.about_repo_id, e.about_id, e.about_version, o.data_hash
      from (%s) o
      join entity e on e.repo_id = ? and e.id = o.entity_id
      where o.op_index >= ? and o.op_index < ?
      order by o.op_index, o.entity_id
      """
          .formatted(CommitOperations.of("?", "?"));

  private final Database database;

  StoredHash(Database database) {
    this.database = database;
  }

  /**
   * Adds the operations of a commit, in parts.
   *
   * @param seq its sequence number; it is the newest commit
   * @param operations how many it has
   * @param beforeEach called before each part
   */
  public void addTo(CommitHash hash, UUID repoId, long seq, int operations, Runnable beforeEach) {
    for (int from = 0; from < operations; from += MAX_SORTED) {
      beforeEach.run();
      database.each(
          OPERATIONS,
          FETCH_ROWS,
          row -> add(hash, row),
          repoId,
          seq,
          repoId,
          seq,
          repoId,
          from,
          from + MAX_SORTED);
    }
  }

  private static boolean add(CommitHash hash, ResultSet row) throws SQLException {
    if (row.getString("operation").equals("rename")) {
      hash.rename(row.getString("kind"), row.getString("name"));
      return true;
    }
    hash.version(row);
    return true;
  }
}
