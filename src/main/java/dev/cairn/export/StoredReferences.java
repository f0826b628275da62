package dev.cairn.export;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;

/** What the entities of a repository refer to, as the database has it: each target once. */
final class StoredReferences implements Passes.References {
  /** More targets of one entity than this come by a query of their own, in parts. */
  private static final int FEW = 1_000;

  private static final int FETCH = 10_000;

  /** The targets of the entity {@code s} that have lines: neither inactive, nor built in. */
  private static final String TARGETS =
      """
      select d.id
      from (
        select r.to_id as id from reference r
        where r.repo_id = REPO and r.from_id = s.id and r.from_version = s.version
          and r.to_repo_id = REPO
        union
        select s.about_id where s.about_repo_id = REPO) d
      cross join lateral (
        select e.id from ENTITIES e where e.repo_id = REPO and e.id = d.id and e.active
        offset 0) t
      where d.id >= 100 and d.id <> s.id
      """;

  private static final String OF_PAGE =
      """
      select s.id, array(
      """
          + TARGETS
          + """
          limit ?)
          from unnest(?) with ordinality as n (id, ordinal)
          cross join lateral (
            select e.id, e.version, e.about_id, e.about_repo_id from ENTITIES e
            where e.repo_id = REPO and e.id = n.id
            offset 0) s
          order by n.ordinal
          """;

  private static final String OF_ONE =
      """
      select t.id
      from (
        select e.id, e.version, e.about_id, e.about_repo_id from ENTITIES e
        where e.repo_id = REPO and e.id = ?
        offset 0) s
      cross join lateral (
      """
          + TARGETS
          + ") t";

  private final Content content;

  StoredReferences(Content content) {
    this.content = content;
  }

  @Override
  public void each(long[] ids, Passes.Visitor visitor) {
    content.each(
        OF_PAGE,
        Passes.PAGE,
        row -> {
          long id = row.getLong(1);
          visit(id, targets(row), visitor);
          visitor.end(id);
          return true;
        },
        FEW + 1,
        ids);
  }

  private void visit(long id, Long[] targets, Passes.Visitor visitor) {
    if (targets.length > FEW) {
      content.each(OF_ONE, FETCH, row -> visitor.target(id, row.getLong(1)), id);
      return;
    }
    for (long target : targets) {
      if (!visitor.target(id, target)) {
        return;
      }
    }
  }

  private static Long[] targets(ResultSet row) throws SQLException {
    Array array = row.getArray(2);
    return (Long[]) array.getArray();
  }
}
