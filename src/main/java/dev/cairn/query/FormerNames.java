package dev.cairn.query;

import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;

/**
 * The order of names as it was when a walk through pages began: whatever is renamed meanwhile keeps
 * its place in it, so that no page misses it or shows it again. See {@code docs/api.md}, Paging.
 *
 * <p>Renames are rare, so a page is read in the order of today's names, and once more in that of
 * the former ones where it turns out that there were renames since.
 */
@ApplicationScoped
class FormerNames {
  /** The SQL of a repository's newest sequence number; its parameter is the repository. */
  static final String SEQ = "(select h.seq from repository_head h where h.repo_id = ?)";

  private final Database database;

  /**
   * Where a walk stands.
   *
   * @param shapeName of the last entity shown, as {@code seq} knows it
   * @param name the same
   * @param seq the repository's sequence number when the walk began
   */
  record Place(String shapeName, String name, long seq) {
    /** Of a cursor's keys. */
    static Place of(List<String> keys) {
      return new Place(keys.get(0), keys.get(1), Long.parseLong(keys.get(2)));
    }
  }

  FormerNames(Database database) {
    this.database = database;
  }

  /** Whether anything was renamed behind a sequence number. */
  boolean any(UUID repoId, long since) {
    return database
        .first(
            "select from entity_rename where repo_id = ? and seq > ? limit 1",
            _ -> true,
            repoId,
            since)
        .isPresent();
  }

  /**
   * The SQL of the name that an entity of the repository of {@code e} had at a sequence number,
   * which is its parameter.
   *
   * @param id the SQL of its id
   * @param name the SQL of its name of today
   */
  static String then(String id, String name) {
    // The sum keeps the planner from taking the index of sequence numbers for it.
    return """
    coalesce((
      select r.old_name from entity_rename r
      where r.repo_id = e.repo_id and r.entity_id = %s and r.seq + 0 > ?
      order by r.seq, r.op_index limit 1), %s) collate "C"
    """
        .formatted(id, name);
  }
}
