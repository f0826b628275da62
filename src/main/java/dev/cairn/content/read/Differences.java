package dev.cairn.content.read;

import dev.cairn.content.ByKey;
import dev.cairn.content.FormerNames;
import dev.cairn.content.Moment;
import dev.cairn.content.Statement;
import dev.cairn.model.BuiltinShape;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The differences between two moments of a repository. A page in the order of names is found in one
 * of two ways: the entities that changed in between are looked up and sorted, or, if they are many,
 * all entities are read in the order of names, and those that did not change are skipped.
 */
@ApplicationScoped
public class Differences {
  /**
   * Maximum versions and renames between two moments that are looked up and sorted for each page.
   */
  public static final int MAX_SORTED = 10_000;

  private static final String CHANGES_BETWEEN =
      """
      select count(*) from (
        (select from entity_version v
         where v.repo_id = ? and v.valid_from > ? and v.valid_from <= ? limit ?)
        union all
        (select from entity_rename r
         where r.repo_id = ? and r.seq > ? and r.seq <= ? limit ?)) c
      """;

  /** The version of an entity at a moment, none if it did not exist yet; and its name then. */
  private static final String VERSION_AT =
      """
      left join lateral (
        select y.version, y.active from entity_version y
        where y.repo_id = e.repo_id and y.entity_id = e.id and e.created_seq <= ?
          and y.version = case when e.version = 1 then 1 else %2$s end
        offset 0) %1$s on true
      left join lateral (select %3$s as name offset 0) %1$s_name on true
      """;

  private static final String COMPARE =
      """
      select d.shape_name, d.name, d.change, d.from_version, d.to_version, d.from_name
      from (
        select e.shape_name, e.name, f.version as from_version, t.version as to_version,
               case when f.version is not null and f_name.name <> t_name.name
                    then f_name.name end as from_name,
               case
                 when f.version is null then case when t.active then 'added' end
                 when f.active and not t.active then 'retracted'
                 when not f.active and t.active then 'restored'
                 when not t.active then null
                 when f.version < t.version then 'revised'
                 when f_name.name <> t_name.name then 'renamed'
               end as change
        from %s e
      """
          + versionAt("f")
          + versionAt("t")
          + """
            ) d
          where d.change is not null
          order by d.shape_name, d.name limit ?
          """;

  /** The entities that changed, each once. */
  private static final String OF_CHANGED =
      COMPARE.formatted(
          """
          (select e.* from (
             select v.entity_id from entity_version v
             where v.repo_id = ? and v.valid_from > ? and v.valid_from <= ?
             union
             select r.entity_id from entity_rename r
             where r.repo_id = ? and r.seq > ? and r.seq <= ?) n
           cross join lateral %s e
           where (e.shape_name, e.name) > (?, ?)
           order by e.shape_name, e.name offset 0)"""
              .formatted(ByKey.entity("?", "n.entity_id")));

  // `+ 0` keeps the planner from using the index on ids, or that on the sequence numbers of
  // renames. `offset 0` keeps it from reading the renames of all repositories into a hash table.
  private static final String OF_ALL =
      COMPARE.formatted(
          """
          (select x.* from entity x
           where x.repo_id = ? and x.id + 0 >= ? and x.created_seq <= ?
             and (x.shape_name, x.name) > (?, ?)
             and (x.version > 1 or x.created_seq > ?
                  or exists (select from entity_rename r
                             where r.repo_id = x.repo_id and r.entity_id = x.id and r.seq + 0 > ?
                             offset 0))
           order by x.shape_name, x.name)""");

  private final Database database;

  /**
   * One difference.
   *
   * @param name the current name of the entity
   * @param change {@code added}, {@code revised}, {@code retracted}, {@code restored} or {@code
   *     renamed}
   * @param fromVersion its version at the first moment; null if it did not exist yet
   * @param toVersion its version at the second moment
   * @param fromName its name at the first moment; null if that is its name at the second one
   */
  public record Difference(
      String shapeName,
      String name,
      String change,
      Integer fromVersion,
      Integer toVersion,
      String fromName) {}

  Differences(Database database) {
    this.database = database;
  }

  // `+ 0` keeps the planner from using the index on the sequence numbers of renames.
  private static String versionAt(String alias) {
    return VERSION_AT.formatted(
        alias, Moment.versionOf("e"), FormerNames.ofEntity("e", "later.seq + 0 > ?"));
  }

  /**
   * The first differences after a name.
   *
   * @param from the sequence number of the first moment
   * @param to the sequence number of the second moment
   */
  public List<Difference> list(UUID repoId, long from, long to, PageKey after, int limit) {
    return changesBetween(repoId, from, to) <= MAX_SORTED
        ? list(database, ofChanged(repoId, from, to, after, limit))
        : list(database.inIndexOrder(), ofAll(repoId, from, to, after, limit));
  }

  private static Statement ofChanged(UUID repoId, long from, long to, PageKey after, int limit) {
    return statement(
        OF_CHANGED,
        List.of(repoId, from, to, repoId, from, to, repoId, after.shapeName(), after.name()),
        from,
        to,
        limit);
  }

  static Statement ofAll(UUID repoId, long from, long to, PageKey after, int limit) {
    return statement(
        OF_ALL,
        List.of(
            repoId, BuiltinShape.FIRST_FREE_ID, to, after.shapeName(), after.name(), from, from),
        from,
        to,
        limit);
  }

  /**
   * @param compared the parameters of the compared entities, which are before all others
   */
  private static Statement statement(
      String sql, List<Object> compared, long from, long to, int limit) {
    var parameters = new ArrayList<>(compared);
    parameters.addAll(List.of(from, from, from, to, to, to, limit));
    return new Statement(sql, parameters.toArray());
  }

  private static List<Difference> list(Database database, Statement statement) {
    return database.list(statement.sql(), Differences::difference, statement.parameters());
  }

  private long changesBetween(UUID repoId, long from, long to) {
    return database
        .first(
            CHANGES_BETWEEN,
            row -> row.getLong(1),
            repoId,
            from,
            to,
            MAX_SORTED + 1,
            repoId,
            from,
            to,
            MAX_SORTED + 1)
        .orElseThrow();
  }

  private static Difference difference(ResultSet row) throws SQLException {
    return new Difference(
        row.getString("shape_name"),
        row.getString("name"),
        row.getString("change"),
        row.getObject("from_version", Integer.class),
        row.getObject("to_version", Integer.class),
        row.getString("from_name"));
  }
}
