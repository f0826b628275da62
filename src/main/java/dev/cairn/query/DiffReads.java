package dev.cairn.query;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.At;
import dev.cairn.content.ByKey;
import dev.cairn.content.FormerNames;
import dev.cairn.content.Moment;
import dev.cairn.content.Moments;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.Page;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Compares two moments of a repository; see {@code docs/reads.md}, Differences. A page in the order
 * of names is found in one of two ways: the entities that changed in between are looked up and
 * sorted, or, if they are many, all entities are read in the order of names, and those that did not
 * change are skipped.
 */
@ApplicationScoped
public class DiffReads {
  /**
   * Maximum versions and renames between two moments that are looked up and sorted for each page.
   */
  static final int MAX_SORTED = 10_000;

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
  // renames.
  static final String OF_ALL =
      COMPARE.formatted(
          """
          (select x.* from entity x
           where x.repo_id = ? and x.id + 0 >= ? and x.created_seq <= ?
             and (x.shape_name, x.name) > (?, ?)
             and (x.version > 1 or x.created_seq > ?
                  or exists (select from entity_rename r
                             where r.repo_id = x.repo_id and r.entity_id = x.id and r.seq + 0 > ?))
           order by x.shape_name, x.name)""");

  private final Database database;
  private final RepositoryHeads heads;
  private final Moments moments;
  private final ReadBounds bounds;
  private final Cursors cursors;

  /**
   * One difference.
   *
   * @param wref the entity by its current name
   * @param change {@code added}, {@code revised}, {@code retracted}, {@code restored} or {@code
   *     renamed}
   * @param fromVersion its version at the first moment; null if it did not exist yet
   * @param toVersion its version at the second moment
   * @param fromWref its wref at the first moment; null if it was not renamed since
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Difference(
      String wref, String change, Integer fromVersion, Integer toVersion, String fromWref) {}

  /**
   * What is compared.
   *
   * @param to empty for the current state; later pages keep the moment of the first page
   */
  public record Request(At from, Optional<At> to, int limit, Optional<String> cursor) {
    /** The names of the parameters. */
    public static final Set<String> PARAMETERS = Set.of("from", "to", LIMIT, CURSOR);

    /**
     * The request of parameters.
     *
     * @param parameters of {@link #PARAMETERS}
     */
    public static Request of(QueryParameters parameters) {
      var from =
          parameters
              .text("from")
              .map(text -> At.parse("?from", text))
              .orElseThrow(
                  () ->
                      Problem.invalid(
                          "?from", "`from` is required: a commit id or a `repoSeq`, or 0."));
      return new Request(
          from,
          parameters.text("to").map(text -> At.parse("?to", text)),
          Page.limit(parameters),
          parameters.text(CURSOR));
    }
  }

  /** A difference and its page key. */
  private record Row(Difference difference, PageKey key) {}

  /** A position in the list; the first page fixes the moment {@code to} for all pages. */
  private record Walk(long to, PageKey after) {
    static Walk of(List<String> keys) {
      return new Walk(Long.parseLong(keys.getFirst()), PageKey.of(keys.subList(1, keys.size())));
    }
  }

  DiffReads(
      Database database,
      RepositoryHeads heads,
      Moments moments,
      ReadBounds bounds,
      Cursors cursors) {
    this.database = database;
    this.heads = heads;
    this.moments = moments;
    this.bounds = bounds;
    this.cursors = cursors;
  }

  // `+ 0` keeps the planner from using the index on the sequence numbers of renames.
  private static String versionAt(String alias) {
    return VERSION_AT.formatted(
        alias, Moment.versionOf("e"), FormerNames.ofEntity("e", "later.seq + 0 > ?"));
  }

  /** A page of the differences between active entities, in the order of names. */
  public Page<Difference> page(RepositoryAccess access, Request request) {
    return bounds.within(access, () -> database.snapshot(() -> answer(access, request)));
  }

  private Page<Difference> answer(RepositoryAccess access, Request request) {
    int limit = request.limit();
    var list = "diff %s %s %s".formatted(access.repoId(), request.from(), request.to());
    var after = request.cursor().map(c -> cursors.read(list, c, Walk::of));
    long first = moments.find(access, request.from()).seq();
    var walk = after.orElseGet(() -> begin(access, request.to()));
    if (first > walk.to()) {
      throw Problem.invalid("?from", "`from` must not be later than `to`.");
    }
    var rows = rows(access.repoId(), first, walk, limit + 1);
    var page =
        Page.of(
            rows,
            limit,
            row -> cursors.of(list, walk.to(), row.key().shapeName(), row.key().name()));
    return new Page<>(page.items().stream().map(Row::difference).toList(), page.nextCursor())
        .withRepoSeq(walk.to(), request.cursor());
  }

  private Walk begin(RepositoryAccess access, Optional<At> to) {
    long end =
        to.map(at -> moments.find(access, at).seq())
            // Read in the same snapshot as the content, which may be newer than the access check.
            .orElseGet(() -> heads.newest(access.repoId()));
    return new Walk(end, new PageKey("", ""));
  }

  private List<Row> rows(UUID repoId, long from, Walk walk, int limit) {
    return changesBetween(repoId, from, walk.to()) <= MAX_SORTED
        ? list(database, OF_CHANGED, ofChanged(repoId, from, walk, limit))
        : list(database.inIndexOrder(), OF_ALL, ofAll(repoId, from, walk, limit));
  }

  private static List<Object> ofChanged(UUID repoId, long from, Walk walk, int limit) {
    long to = walk.to();
    var parameters = new ArrayList<Object>(List.of(repoId, from, to, repoId, from, to, repoId));
    parameters.addAll(List.of(walk.after().shapeName(), walk.after().name()));
    parameters.addAll(compared(from, to, limit));
    return parameters;
  }

  private static List<Object> ofAll(UUID repoId, long from, Walk walk, int limit) {
    var after = walk.after();
    var parameters = new ArrayList<Object>(List.of(repoId, BuiltinShape.FIRST_FREE_ID, walk.to()));
    parameters.addAll(List.of(after.shapeName(), after.name(), from, from));
    parameters.addAll(compared(from, walk.to(), limit));
    return parameters;
  }

  /** The parameters after those of the compared entities. */
  private static List<Object> compared(long from, long to, int limit) {
    return List.of(from, from, from, to, to, to, limit);
  }

  private static List<Row> list(Database database, String sql, List<Object> parameters) {
    return database.list(sql, DiffReads::row, parameters.toArray());
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

  private static Row row(ResultSet row) throws SQLException {
    var shapeName = row.getString("shape_name");
    var name = row.getString("name");
    var fromName = row.getString("from_name");
    var difference =
        new Difference(
            shapeName + "/" + name,
            row.getString("change"),
            row.getObject("from_version", Integer.class),
            row.getObject("to_version", Integer.class),
            fromName == null ? null : shapeName + "/" + fromName);
    return new Row(difference, new PageKey(shapeName, name));
  }
}
