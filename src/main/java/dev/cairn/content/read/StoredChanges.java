package dev.cairn.content.read;

import dev.cairn.content.CommitOperations;
import dev.cairn.content.Predicates;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Reads which entities commits changed, for those who follow a repository. */
@ApplicationScoped
public class StoredChanges {
  /** How many names of a commit are read. */
  public static final int MAX_NAMES = 200;

  /** Shapes are looked for among so many operations of a commit. */
  private static final int MAX_OPERATIONS = 10_000;

  /** The names of an operation: that of its entity, and a former one after a rename. */
  private static final String NAMES =
      """
      select o.op_index, o.entity_id, o.former_name, e.shape_name,
             array_remove(array[e.shape_name || '/' || e.name,
                                case when o.former_name is not null
                                  then e.shape_name || '/' || o.former_name end], null) as names
      from (%s limit %d) o
      cross join lateral (
        select * from entity e where e.repo_id = ? and e.id = o.entity_id offset 0) e
      """
          .formatted(CommitOperations.of("c.repo_id", "c.seq"), MAX_OPERATIONS);

  private static final String AFTER =
      """
      select c.seq, c.commit_id, c.created_at, c.operation_count, x.shapes, x.renames, x.names
      from (
        select l.*, sum(l.operation_count) over (order by l.seq) - l.operation_count as before
        from (select * from commit_log where repo_id = ? and seq > ? order by seq limit ?) l) c
      cross join lateral (
        with named as materialized (%s)
        select (select array_agg(distinct shape_name) from named) as shapes,
               exists (select from named where former_name is not null) as renames,
               (select array_agg(name) from (
                  select u.name from named n
                  cross join lateral unnest(n.names) with ordinality u (name, i)
                  group by u.name order by min(n.op_index), min(u.i) limit %d) first) as names) x
      where c.before < %d order by c.seq
      """
          .formatted(NAMES, MAX_NAMES + 1, MAX_OPERATIONS);

  private static final String SELECTED =
      """
      select distinct e.shape_name || '/' || e.name
      from (%s) o
      cross join lateral (
        select x.shape_name, n.name
        from entity x cross join lateral (values (x.name), (o.former_name)) n (name)
        where x.repo_id = ? and x.id = o.entity_id and n.name is not null offset 0) e
      %%s limit %d
      """
          .formatted(CommitOperations.of("?", "?"), MAX_OPERATIONS);

  private final Database database;

  /**
   * What a commit changed.
   *
   * @param shapes the names of the shapes of the changed entities, of the first 10,000 operations
   * @param names the current wrefs of the changed entities and, for renames, the former ones; up to
   *     one more than {@link #MAX_NAMES}
   * @param hasRenames whether any of these operations is a rename, or there may be one among others
   * @param isWhole whether all operations were looked at
   */
  public record StoredChange(
      long seq,
      String commitId,
      Instant createdAt,
      List<String> shapes,
      List<String> names,
      boolean hasRenames,
      boolean isWhole) {}

  StoredChanges(Database database) {
    this.database = database;
  }

  /**
   * The changes of the first commits after a sequence number, oldest first; fewer than {@code max}
   * if they have many operations.
   */
  public List<StoredChange> after(UUID repoId, long seq, int max) {
    return database.inIndexOrder().list(AFTER, StoredChanges::read, repoId, seq, max, repoId);
  }

  private static StoredChange read(ResultSet row) throws SQLException {
    boolean isWhole = row.getInt("operation_count") <= MAX_OPERATIONS;
    return new StoredChange(
        row.getLong("seq"),
        row.getString("commit_id"),
        Rows.instant(row, "created_at"),
        strings(row, "shapes"),
        strings(row, "names"),
        row.getBoolean("renames") || !isWhole,
        isWhole);
  }

  private static List<String> strings(ResultSet row, String column) throws SQLException {
    var array = row.getArray(column);
    return array == null ? List.of() : Arrays.asList((String[]) array.getArray());
  }

  /**
   * The wrefs of the entities that a commit changed, of those that meet conditions, and the former
   * ones of renamed entities; in no order, and up to 10,000.
   *
   * @param where conditions on the shape and name of {@code entity e}
   */
  public List<String> names(UUID repoId, long seq, Predicates where) {
    return database.list(
        SELECTED.formatted(where.sql()),
        row -> row.getString(1),
        where.parameters(List.of(repoId, seq, repoId, seq, repoId)));
  }
}
