package dev.cairn.content;

import dev.cairn.model.BuiltinShape;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;

/**
 * Finds the entities that commits have changed, for what is kept beside HEAD and follows it. All of
 * them are read as they are now.
 */
@ApplicationScoped
public class ChangedEntities {
  /**
   * The ids {@code id} of what the renames of some commits have changed: names, shape names, data
   * that refers to what was renamed, and definitions. The parameters are {@link #renamed}.
   */
  public static final String RENAMED =
      """
      with renamed as (
        select distinct r.entity_id as id from entity_rename r
        where r.repo_id = ? and r.seq > ? and r.seq <= ?),
      shape as (
        select e.name from renamed r cross join lateral %s e where %s),
      named as (
        select id from renamed
        union
        select x.id from shape s
        cross join lateral (
          select e.id from entity e where e.repo_id = ? and e.shape_name = s.name offset 0) x)
      select id from named
      union
      select x.from_id from named n
      cross join lateral (
        select r.from_id from reference r
        where r.repo_id = ? and r.to_id = n.id and r.head and r.to_repo_id = r.repo_id
        offset 0) x
      union
      select e.id from entity e where e.repo_id = ? and %s and exists (select from shape)
      """
          .formatted(ByKey.entity("?", "r.id"), StoredShapes.any("e"), StoredShapes.ofUsers("e"));

  static final String VERSIONS =
      """
      select v.valid_from, v.op_index, v.entity_id, octet_length(e.data)
      from (
        select valid_from, op_index, entity_id from entity_version
        where repo_id = ? and (valid_from, op_index, entity_id) > (?, ?, ?) and valid_from <= ?
        order by valid_from, op_index, entity_id limit ?) v
      cross join lateral %s e
      order by v.valid_from, v.op_index, v.entity_id
      """
          .formatted(ByKey.entity("?", "v.entity_id"));

  static final String BY_ID =
      """
      select id, octet_length(data) from entity
      where repo_id = ? and id >= ? and id > ? order by id limit ?
      """;

  static final String SIZES =
      """
      select n.id, octet_length(e.data)
      from unnest(?) as n (id) cross join lateral %s e
      """
          .formatted(ByKey.entity("?", "n.id"));

  static final String ROWS =
      """
      select n.id, e.shape_id, e.shape_name, e.name, e.data
      from unnest(?) as n (id) cross join lateral %s e
      """
          .formatted(ByKey.entity("?", "n.id"));

  private final Database database;

  /** A version in the order in which commits made them. */
  public record Position(long seq, int opIndex, long entityId) {}

  /**
   * An entity that has changed.
   *
   * @param position the version that changed it
   * @param bytes the length of its data now
   */
  public record Changed(Position position, int bytes) {}

  /** An entity by its id, and the length of its data. */
  public record Sized(long id, int bytes) {}

  /** An entity as it is now. */
  public record Row(long id, long shapeId, String shapeName, String name, String data) {}

  ChangedEntities(Database database) {
    this.database = database;
  }

  /** The versions after a position, up to those of a commit; an entity may be among them twice. */
  public List<Changed> after(UUID repoId, Position position, long untilSeq, int max) {
    return database
        .inIndexOrder()
        .list(
            VERSIONS,
            row ->
                new Changed(
                    new Position(row.getLong(1), row.getInt(2), row.getLong(3)), row.getInt(4)),
            repoId,
            position.seq(),
            position.opIndex(),
            position.entityId(),
            untilSeq,
            max,
            repoId);
  }

  /** The parameters of {@link #RENAMED}. */
  public static Object[] renamed(UUID repoId, long afterSeq, long untilSeq) {
    return new Object[] {repoId, afterSeq, untilSeq, repoId, repoId, repoId, repoId};
  }

  /** The entities with ids greater than this one, without the built-in shapes. */
  public List<Sized> after(UUID repoId, long id, int max) {
    return database.list(
        BY_ID,
        row -> new Sized(row.getLong(1), row.getInt(2)),
        repoId,
        BuiltinShape.FIRST_FREE_ID,
        id,
        max);
  }

  /** The lengths of the data of entities. */
  public List<Sized> sized(UUID repoId, long[] ids) {
    return database.list(SIZES, row -> new Sized(row.getLong(1), row.getInt(2)), ids, repoId);
  }

  /** The entities with these ids. */
  public List<Row> rows(UUID repoId, long[] ids) {
    return database.list(
        ROWS,
        row ->
            new Row(
                row.getLong("id"),
                row.getLong("shape_id"),
                row.getString("shape_name"),
                row.getString("name"),
                row.getString("data")),
        ids,
        repoId);
  }
}
