package dev.cairn.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.ReadBounds;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.At;
import dev.cairn.content.Moments;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.Problem;
import dev.cairn.platform.Cursor;
import dev.cairn.platform.Database;
import dev.cairn.platform.Page;
import dev.cairn.query.FormerNames.Place;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Compares two moments of a repository; see {@code docs/reads.md}, Differences. There are two ways
 * to a page in the order of names: to look up all that changed in between and sort it, or, where
 * that is much, to walk the names and leave out what did not change.
 */
@ApplicationScoped
public class DiffReads {
  /** So many versions and renames between two moments are looked up and sorted for each page. */
  static final int FEW = 10_000;

  private static final String CHANGES_BETWEEN =
      """
      select count(*) from (
        (select from entity_version v
         where v.repo_id = ? and v.valid_from > ? and v.valid_from <= ? limit ?)
        union all
        (select from entity_rename r
         where r.repo_id = ? and r.seq > ? and r.seq <= ? limit ?)) c
      """;

  /** A version as it was at a moment; none where the entity was not there yet. */
  private static final String THEN =
      """
      left join lateral (
        select y.version, y.active from entity_version y
        where y.repo_id = e.repo_id and y.entity_id = e.id and e.created_seq <= ?
          and y.version = case when e.version = 1 then 1 else coalesce((
            select z.version from entity_version z
            where z.repo_id = e.repo_id and z.entity_id = e.id and z.version > 1
              and z.valid_from <= ?
            order by z.valid_from desc, z.version desc limit 1), 1) end
        offset 0) %1$s on true
      left join lateral (
        select coalesce((
          select r.old_name from entity_rename r
          where r.repo_id = e.repo_id and r.entity_id = e.id and r.seq + 0 > ?
          order by r.seq, r.op_index limit 1), e.name) as name
        offset 0) %1$s_name on true
      """;

  private static final String COMPARE =
      """
      select d.shape_name, d.name, d.change, d.from_version, d.to_version, d.from_name,
             d.place_shape, d.place_name
      from (
        select e.shape_name, e.name, e.place_shape, e.place_name,
               f.version as from_version, t.version as to_version,
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
          + THEN.formatted("f")
          + THEN.formatted("t")
          + """
            ) d
          where d.change is not null
          order by %s limit ?
          """;

  private static final String BY_PLACE = "d.place_shape, d.place_name";

  /** All that changed, each entity once. */
  private static final String CHANGED =
      """
      select v.entity_id from entity_version v
      where v.repo_id = ? and v.valid_from > ? and v.valid_from <= ?
      union
      select r.entity_id from entity_rename r
      where r.repo_id = ? and r.seq > ? and r.seq <= ?""";

  /** All that was renamed since a sequence number. */
  private static final String RENAMED =
      "select distinct entity_id from entity_rename where repo_id = ? and seq > ?";

  private static final String FORMER_SHAPE = FormerNames.then("e.shape_id", "e.shape_name");
  private static final String FORMER_NAME = FormerNames.then("e.id", "e.name");

  static final String OF_CHANGED = ofSome(CHANGED, "e.shape_name", "e.name");

  /**
   * The same in the order of the names at a sequence number, which stands twice before the rest.
   */
  private static final String OF_CHANGED_FORMERLY = ofSome(CHANGED, FORMER_SHAPE, FORMER_NAME);

  // The sums keep the planner from taking the index of ids, or that of renames by number, for it.
  static final String OF_ALL =
      COMPARE.formatted(
          """
          (select x.*, x.shape_name as place_shape, x.name as place_name from entity x
           where x.repo_id = ? and x.id + 0 >= ? and x.created_seq <= ?
             and (x.shape_name, x.name) > (?, ?)
             and (x.version > 1 or x.created_seq > ?
                  or exists (select from entity_rename r
                             where r.repo_id = x.repo_id and r.entity_id = x.id and r.seq + 0 > ?))
           order by x.shape_name, x.name)""",
          BY_PLACE);

  private static final String OF_SHAPE =
      COMPARE.formatted(
          """
          (select x.*, s.former as place_shape, x.name as place_name from entity x
           where x.repo_id = ? and x.shape_name = s.name and x.id + 0 >= ? and x.created_seq <= ?
             and x.name > case when s.former > ? then '' else ? end
             and (x.version > 1 or x.created_seq > ?
                  or exists (select from entity_rename r
                             where r.repo_id = x.repo_id and r.entity_id = x.id and r.seq + 0 > ?))
             and not exists (select from entity_rename r
                             where r.repo_id = x.repo_id and r.entity_id = x.id and r.seq + 0 > ?
                             offset 0)
           order by x.name)""",
          "d.place_name");

  /**
   * The walk in the order of the names at a sequence number: shape by shape, as far as nothing was
   * renamed itself since then, and each that was.
   */
  static final String OF_ALL_FORMERLY =
      """
      select d.* from (
        (select d.* from (
           select e.name, %s as former from entity e
           where e.repo_id = ? and e.shape_name = 'Shape' offset 0) s
         cross join lateral (%s) d
         where s.former >= ?
         order by s.former, d.place_name limit ?)
        union all
        (%s)) d
      order by d.place_shape, d.place_name limit ?
      """
          .formatted(FORMER_NAME, OF_SHAPE, ofSome(RENAMED, FORMER_SHAPE, FORMER_NAME));

  private final Database database;
  private final RepositoryHeads heads;
  private final Moments moments;
  private final FormerNames formerNames;
  private final ReadBounds bounds;

  /**
   * One difference.
   *
   * @param wref the entity by its name of today
   * @param change {@code added}, {@code revised}, {@code retracted}, {@code restored} or {@code
   *     renamed}
   * @param fromVersion its version at the first moment; null where it was not there yet
   * @param toVersion its version at the second moment
   * @param fromWref the name that it had at the first moment; null where it was not renamed since
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Difference(
      String wref, String change, Integer fromVersion, Integer toVersion, String fromWref) {}

  /** A difference with its place in the list. */
  private record Placed(Difference difference, String shapeName, String name) {}

  /** A walk through the list, of which the first page decided where it ends. */
  record Walk(long to, Place place) {
    static Walk of(List<String> keys) {
      return new Walk(Long.parseLong(keys.getFirst()), Place.of(keys.subList(1, keys.size())));
    }
  }

  DiffReads(
      Database database,
      RepositoryHeads heads,
      Moments moments,
      FormerNames formerNames,
      ReadBounds bounds) {
    this.database = database;
    this.heads = heads;
    this.moments = moments;
    this.formerNames = formerNames;
    this.bounds = bounds;
  }

  private static String ofSome(String ids, String placeShape, String placeName) {
    return COMPARE.formatted(
        """
        (select e.* from (
           select e.*, %s as place_shape, %s as place_name
           from (%s) n
           cross join lateral (
             select * from entity y where y.repo_id = ? and y.id = n.entity_id offset 0) e) e
         where (e.place_shape, e.place_name) > (?, ?)
         order by e.place_shape, e.place_name offset 0)"""
            .formatted(placeShape, placeName, ids),
        BY_PLACE);
  }

  /**
   * A page of the differences in what is active, in the order of today's names.
   *
   * @param to empty for the present; a walk through the pages keeps to that of its first page
   */
  public Page<Difference> page(
      RepositoryAccess access, At from, Optional<At> to, int limit, Optional<String> cursor) {
    return bounds.within(
        access, () -> database.snapshot(() -> answer(access, from, to, limit, cursor)));
  }

  private Page<Difference> answer(
      RepositoryAccess access, At from, Optional<At> to, int limit, Optional<String> cursor) {
    var list = "diff %s %s %s".formatted(access.repoId(), from, to);
    var after = cursor.map(c -> Walk.of(Cursor.keys(list, c)));
    long first = moments.find(access, from).seq();
    var walk = after.orElseGet(() -> begin(access, to));
    if (first > walk.to()) {
      throw Problem.invalid("from", "`from` must not be later than `to`.");
    }
    var rows = rows(access.repoId(), first, walk, limit + 1);
    var page =
        Page.of(
            rows,
            limit,
            row -> Cursor.of(list, walk.to(), row.shapeName(), row.name(), walk.place().seq()));
    return new Page<>(page.items().stream().map(Placed::difference).toList(), page.nextCursor());
  }

  private Walk begin(RepositoryAccess access, Optional<At> to) {
    // Read at the same moment as the content, which may be later than the access.
    long newest = heads.newest(access.repoId());
    return new Walk(
        to.map(at -> moments.find(access, at).seq()).orElse(newest), new Place("", "", newest));
  }

  private List<Placed> rows(UUID repoId, long from, Walk walk, int most) {
    boolean renamed = formerNames.any(repoId, walk.place().seq());
    if (changesBetween(repoId, from, walk.to()) <= FEW) {
      return list(
          database,
          renamed ? OF_CHANGED_FORMERLY : OF_CHANGED,
          ofChanged(repoId, from, walk, renamed, most));
    }
    return renamed
        ? list(database.inIndexOrder(), OF_ALL_FORMERLY, ofAllFormerly(repoId, from, walk, most))
        : list(database.inIndexOrder(), OF_ALL, ofAll(repoId, from, walk, most));
  }

  private static List<Object> ofChanged(
      UUID repoId, long from, Walk walk, boolean renamed, int most) {
    var place = walk.place();
    long to = walk.to();
    var parameters = new ArrayList<Object>();
    if (renamed) {
      parameters.addAll(List.of(place.seq(), place.seq()));
    }
    parameters.addAll(List.of(repoId, from, to, repoId, from, to, repoId));
    parameters.addAll(List.of(place.shapeName(), place.name()));
    parameters.addAll(compared(from, to, most));
    return parameters;
  }

  private static List<Object> ofAll(UUID repoId, long from, Walk walk, int most) {
    var place = walk.place();
    var parameters = new ArrayList<Object>(List.of(repoId, BuiltinShape.FIRST_FREE_ID, walk.to()));
    parameters.addAll(List.of(place.shapeName(), place.name(), from, from));
    parameters.addAll(compared(from, walk.to(), most));
    return parameters;
  }

  static List<Object> ofAllFormerly(UUID repoId, long from, Walk walk, int most) {
    var place = walk.place();
    long to = walk.to();
    var parameters = new ArrayList<Object>(List.of(place.seq(), repoId));
    parameters.addAll(List.of(repoId, BuiltinShape.FIRST_FREE_ID, to));
    parameters.addAll(List.of(place.shapeName(), place.name(), from, from, place.seq()));
    parameters.addAll(compared(from, to, most));
    parameters.addAll(List.of(place.shapeName(), most));
    parameters.addAll(List.of(place.seq(), place.seq(), repoId, place.seq(), repoId));
    parameters.addAll(List.of(place.shapeName(), place.name()));
    parameters.addAll(compared(from, to, most));
    parameters.add(most);
    return parameters;
  }

  /** The parameters behind those of what is compared. */
  private static List<Object> compared(long from, long to, int most) {
    return List.of(from, from, from, to, to, to, most);
  }

  private static List<Placed> list(Database database, String sql, List<Object> parameters) {
    return database.list(sql, DiffReads::placed, parameters.toArray());
  }

  private long changesBetween(UUID repoId, long from, long to) {
    return database
        .first(
            CHANGES_BETWEEN,
            row -> row.getLong(1),
            repoId,
            from,
            to,
            FEW + 1,
            repoId,
            from,
            to,
            FEW + 1)
        .orElseThrow();
  }

  private static Placed placed(ResultSet row) throws SQLException {
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
    return new Placed(difference, row.getString("place_shape"), row.getString("place_name"));
  }
}
