package dev.cairn.content.read;

import dev.cairn.access.Narrowing;
import dev.cairn.content.ByKey;
import dev.cairn.content.Predicates;
import dev.cairn.content.Statement;
import dev.cairn.content.StoredText;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The references of an entity: the assertions about it, the references to it in the data of others,
 * and its own, of which the target of an assertion is the first.
 */
@ApplicationScoped
public class EntityReferences {
  private static final String FROM_ASSERTIONS =
      """
      select e.shape_name, e.name, e.kind, null as pointer, e.about_version as to_version,
             e.created_seq as key_1, e.created_op as key_2, 0 as key_3
      from entity e
      """;

  private static final String FROM_DATA =
      """
      select e.shape_name, e.name, e.kind, r.pointer, r.to_version,
             r.from_shape_id as key_1, r.from_id as key_2, r.ordinal as key_3
      from reference r
      cross join lateral %s e
      """
          .formatted(ByKey.entity("r.repo_id", "r.from_id"));

  private static final String BY_SHAPE = " order by r.from_shape_id, r.from_id, r.ordinal limit ?";

  /** The assertion's target has the ordinal -1, before the references in the data. */
  private static final String OUTBOUND =
      """
      select e.shape_name, e.name, e.kind, r.pointer, r.to_version, r.ordinal, r.wref
      from (
        select -1 as ordinal, null as pointer, a.about_repo_id as to_repo_id, a.about_id as to_id,
               a.about_version as to_version, a.about_wref as wref
        from entity a
        where a.repo_id = ? and a.id = ? and a.about_id is not null
        union all
        select x.ordinal, x.pointer, x.to_repo_id, x.to_id, x.to_version,
               d.data #>> string_to_array(substr(x.pointer, 2), '/')
        from (select %s::jsonb as data from entity_version v
              where v.repo_id = ? and v.entity_id = ? and v.version = ?
              offset 0) d,
             reference x
        where x.repo_id = ? and x.from_id = ? and x.from_version = ?) r
      left join lateral (
        select * from entity y
        where y.repo_id = r.to_repo_id and y.repo_id = ? and y.id = r.to_id
        offset 0) e on true
      """
          .formatted(StoredText.plain("v.data"));

  private final Database database;

  /** A position in the references to an entity: its three keys. */
  public record Key(long first, long second, long third) {}

  /**
   * A reference to the entity.
   *
   * @param shapeName the shape of the referring entity
   * @param name the name of the referring entity
   * @param kind the kind of the referring entity
   * @param pointer where the reference is in the data; null for an assertion about the entity
   * @param version the version of the entity that is referred to
   */
  public record Inbound(
      String shapeName, String name, String kind, String pointer, int version, Key key) {}

  /**
   * A reference of the entity.
   *
   * @param shapeName the shape of the target; null for a target in another repository
   * @param name the name of the target; null for a target in another repository
   * @param kind the kind of the target; null for a target in another repository
   * @param pointer where the reference is in the data; null for the target of an assertion
   * @param version the version of the target
   * @param ordinal the position in the list; that of the target of an assertion is -1
   * @param wref the target as it was written
   */
  public record Outbound(
      String shapeName,
      String name,
      String kind,
      String pointer,
      int version,
      long ordinal,
      String wref) {}

  EntityReferences(Database database) {
    this.database = database;
  }

  /**
   * The active assertions about an entity that a token may read, newest first.
   *
   * @param version the version that they are about; null for any
   * @param after the last one before them
   */
  public List<Inbound> assertions(
      UUID repoId, Narrowing narrowing, long id, Integer version, Optional<Key> after, int limit) {
    var where =
        new Predicates(
                "e.repo_id = ? and e.about_id = ? and e.about_repo_id = e.repo_id and e.active",
                repoId,
                id)
            .narrowed(narrowing);
    if (version != null) {
      where.and("e.about_version = ?", version);
    }
    after.ifPresent(key -> AboutOrder.after(where, key.first(), key.second()));
    return database.list(
        FROM_ASSERTIONS + where.sql() + " order by " + AboutOrder.NEWEST_FIRST + " limit ?",
        EntityReferences::inbound,
        where.parameters(limit));
  }

  /**
   * The references to an entity in the data of active entities that a token may read, in the order
   * of their shapes.
   *
   * @param version the version that they refer to; null for any
   * @param after the last one before them
   */
  public List<Inbound> inData(
      UUID repoId, Narrowing narrowing, long id, Integer version, Optional<Key> after, int limit) {
    var statement = statement(repoId, narrowing, id, version, after, limit);
    return database
        .inIndexOrder()
        .list(statement.sql(), EntityReferences::inbound, statement.parameters());
  }

  static Statement statement(
      UUID repoId, Narrowing narrowing, long id, Integer version, Optional<Key> after, int limit) {
    var where =
        new Predicates(
                "r.repo_id = ? and r.to_id = ? and r.to_repo_id = r.repo_id and r.head and e.active",
                repoId,
                id)
            .narrowed(narrowing);
    if (version != null) {
      where.and("r.to_version = ?", version);
    }
    after.ifPresent(
        key ->
            where.and(
                "(r.from_shape_id, r.from_id, r.ordinal) > (?, ?, ?)",
                key.first(),
                key.second(),
                key.third()));
    return new Statement(FROM_DATA + where.sql() + BY_SHAPE, where.parameters(limit));
  }

  private static Inbound inbound(ResultSet row) throws SQLException {
    return new Inbound(
        row.getString("shape_name"),
        row.getString("name"),
        row.getString("kind"),
        row.getString("pointer"),
        row.getInt("to_version"),
        new Key(row.getLong("key_1"), row.getLong("key_2"), row.getLong("key_3")));
  }

  /**
   * The references of a version of an entity, as far as a token may read their targets.
   *
   * @param after the ordinal of the last one before them
   */
  public List<Outbound> of(
      UUID repoId, Narrowing narrowing, long id, int version, Optional<Long> after, int limit) {
    var where = new Predicates("r.ordinal > ?", after.orElse(-2L));
    if (!narrowing.isUnrestricted()) {
      // The token's patterns grant nothing outside of the repository.
      where.and("e.id is not null").narrowed(narrowing);
    }
    return database.list(
        OUTBOUND + where.sql() + " order by r.ordinal limit ?",
        EntityReferences::outbound,
        where.parameters(
            List.of(repoId, id, repoId, id, version, repoId, id, version, repoId), limit));
  }

  private static Outbound outbound(ResultSet row) throws SQLException {
    return new Outbound(
        row.getString("shape_name"),
        row.getString("name"),
        row.getString("kind"),
        row.getString("pointer"),
        row.getInt("to_version"),
        row.getLong("ordinal"),
        row.getString("wref"));
  }
}
