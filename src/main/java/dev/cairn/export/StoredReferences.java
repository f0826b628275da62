package dev.cairn.export;

import dev.cairn.model.BuiltinShape;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The references of a repository's entities, read from the database, each target once. */
final class StoredReferences implements Passes.References {
  /** If an entity has more targets than this, they are read by a query of their own, in parts. */
  private static final int MAX_PER_QUERY = 1_000;

  private static final int FETCH_ROWS = 10_000;

  /** The targets of the entity {@code s} that are exported: active and not built in. */
  private static final String TARGETS =
      """
      select d.id
      from (
        select r.to_id as id from edge r
        where r.from_id = s.id and r.from_version = s.version and r.is_local
        union
        select s.about_id where s.about_repo_id = s.repo_id) d
      cross join lateral (
        select e.id from exported e where e.id = d.id and e.active offset 0) t
      where d.id >= %d and d.id <> s.id
      """
          .formatted(BuiltinShape.FIRST_FREE_ID);

  private static final String OF_PAGE =
      """
      select s.id, array(
      """
          + TARGETS
          + """
          limit ?) as targets
          from unnest(?) with ordinality as n (id, ordinal)
          cross join lateral (
            select e.id, e.version, e.about_id, e.about_repo_id, e.repo_id from exported e
            where e.id = n.id
            offset 0) s
          order by n.ordinal
          """;

  private static final String OF_ONE =
      """
      select t.id
      from (
        select e.id, e.version, e.about_id, e.about_repo_id, e.repo_id from exported e
        where e.id = ?
        offset 0) s
      cross join lateral (
      """
          + TARGETS
          + ") t";

  private final ExportQuery query;

  StoredReferences(ExportQuery query) {
    this.query = query;
  }

  @Override
  public void each(long[] ids, Passes.Visitor visitor) {
    query.each(
        OF_PAGE,
        Passes.BATCH_ENTITIES,
        row -> {
          long id = row.getLong("id");
          visit(id, targets(row), visitor);
          visitor.end(id);
          return true;
        },
        MAX_PER_QUERY + 1,
        ids);
  }

  private void visit(long id, Long[] targets, Passes.Visitor visitor) {
    if (targets.length > MAX_PER_QUERY) {
      query.each(OF_ONE, FETCH_ROWS, row -> visitor.target(id, row.getLong("id")), id);
      return;
    }
    for (long target : targets) {
      if (!visitor.target(id, target)) {
        return;
      }
    }
  }

  private static Long[] targets(ResultSet row) throws SQLException {
    Array array = row.getArray("targets");
    return (Long[]) array.getArray();
  }
}
