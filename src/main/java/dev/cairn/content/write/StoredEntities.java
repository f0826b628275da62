package dev.cairn.content.write;

import dev.cairn.access.Narrowing;
import dev.cairn.content.ByKey;
import dev.cairn.content.CollectionShapes;
import dev.cairn.content.Predicates;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.StoredJson;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;

/** Finds entities for commits by sets of names or keys, with one statement for one or thousands. */
@ApplicationScoped
public class StoredEntities {
  /** Maximum bytes of all definitions of one look-up; further definitions are left out. */
  public static final int MAX_DEFINITION_BYTES = 4 * 1024 * 1024;

  /** How many references the entities that a commit revises and retracts may have together. */
  public static final int MAX_REFERENCES = 300_000;

  private static final String DEFINITION =
      """
      , case when e.shape_id = %1$d
              and sum(case when e.shape_id = %1$d then octet_length(e.data) end)
                    over (rows unbounded preceding) <= %2$d
             then e.data end as definition
      """
          .formatted(BuiltinShape.SHAPE.id(), MAX_DEFINITION_BYTES);

  private static final String WITHOUT_DEFINITION = ", null::text as definition ";

  /** Each name is one probe of the index on names. */
  static final String BY_NAME =
      "select "
          + StoredEntity.COLUMNS
          + DEFINITION
          + """
          from unnest(?, ?) as n (shape_name, name)
          cross join lateral %s e
          """
              .formatted(ByKey.entity("?", "n.shape_name", "n.name"));

  /** The limits are on what is looked at, since that takes the time. */
  static final String REFERRERS =
      """
      select t.id, c.found, c.looked_at
      from unnest(?) as t (id)
      cross join lateral (
        select count(distinct e.id) as found,
               greatest(count(*) filter (where l.is_about), count(*) filter (where not l.is_about))
                 as looked_at
        from (
          (select x.id, x.about_repo_id as of_repo_id, true as is_about from entity x
           where x.repo_id = ? and x.about_id = t.id limit ?)
          union all
          (select x.from_id, x.to_repo_id, false from reference x
           where x.repo_id = ? and x.to_id = t.id and x.head limit ?)) l
        left join lateral (
          select e.id from %s e
          where e.active and e.id <> t.id and e.repo_id = l.of_repo_id) e on true) c
      """
          .formatted(ByKey.entity("?", "l.id"));

  /**
   * How many references the readable ones of some entities have; none is counted beyond a limit.
   */
  static final String COUNT_REFERENCES =
      """
      select count(*) from (
        select 1 from unnest(?, ?) as n (id, version)
        cross join lateral (select e.id from %s e %s) e
        cross join lateral (
          select 1 from reference x
          where x.repo_id = ? and x.from_id = n.id and x.from_version = n.version
          offset 0) x
        limit ?) l
      """;

  static final String NAMES =
      """
      select e.id, e.shape_name, e.name from unnest(?) as n (id)
      cross join lateral %s e
      """
          .formatted(ByKey.entity("?", "n.id"));

  static final String OF_REPOSITORIES =
      "select "
          + StoredEntity.COLUMNS
          + WITHOUT_DEFINITION
          + """
          , n.ordinal
          from unnest(?, ?, ?) with ordinality as n (repo_id, shape_name, name, ordinal)
          cross join lateral %s e
          """
              .formatted(ByKey.entity("n.repo_id", "n.shape_name", "n.name"));

  /**
   * The names of targets in the same repository are those of today, as in the stored payload. What
   * is wanted is the keys of an object, which is read once: no other form of the set is fast for
   * any number. A payload may have the same reference thousands of times. The limit is on what is
   * looked at.
   */
  static final String REFERENCES =
      """
      select distinct on (r.from_id, r.wref) r.* from (
        select x.from_id, x.to_repo_id, x.to_id, x.to_version, t.shape_id,
               coalesce(x.to_wref, t.shape_name || '/' || t.name || '@v' || x.to_version) as wref
        from (
          select distinct y.from_id, y.to_repo_id, y.to_id, y.to_version, y.to_wref
          from (
            select z.from_id, z.to_repo_id, z.to_id, z.to_version, z.to_wref
            from unnest(?, ?) as n (id, version)
            cross join lateral (
              select * from reference z
              where z.repo_id = ? and z.from_id = n.id and z.from_version = n.version
              offset 0) z
            limit ?) y
          offset 0) x
        left join lateral (
          select z.shape_id, z.shape_name, z.name from entity z
          where z.repo_id = ? and z.id = x.to_id and x.to_wref is null
          offset 0) t on true
        offset 0) r
      where jsonb_exists((select ?::jsonb), r.from_id || ' ' || r.wref)
      order by r.from_id, r.wref
      """;

  /** How many former names of an entity, and of its shape, are tried: the last ones. */
  private static final int MAX_FORMER_NAMES = 100;

  /**
   * The names that an entity has had since a version was written, each with the numbers of the
   * commits after which and until which.
   *
   * @param name the present name
   * @param id of the entity
   * @param version the alias of what has its repository and the number of the version's commit
   */
  private static String namesSince(String name, String id, String version) {
    return """
        (select l.name, l.until,
                coalesce(lead(l.until) over (order by l.until desc), %3$s.valid_from) as since
         from (
           select %1$s as name, %4$d as until union all (
             select z.old_name, z.seq from entity_rename z
             where z.repo_id = %3$s.repo_id and z.entity_id = %2$s and z.seq > %3$s.valid_from
             order by z.seq desc limit %5$d)) l)
        """
        .formatted(name, id, version, Long.MAX_VALUE, MAX_FORMER_NAMES);
  }

  /**
   * The references, and what the entity is about, by a name that the target and its shape have had
   * at a time since the entity's version was written, so that a read has shown it; if two targets
   * have had that name, the one that had it first. As in {@link #REFERENCES}, what is wanted is the
   * keys of an object: first the names alone, so that few are combined with those of shapes.
   */
  static final String FORMER_REFERENCES =
      """
      with wanted as materialized (select ?::jsonb as keys)
      select distinct on (r.from_id, r.is_about, r.former) r.* from (
        select x.from_id, x.is_about, x.to_repo_id, x.to_id, x.to_version, x.shape_id,
               x.shape_name || '/' || x.name || '@v' || x.to_version as wref,
               s.name || '/' || x.former || '@v' || x.to_version as former,
               least(x.until, s.until) as until
        from (
          select y.*, t.repo_id, t.shape_id, t.shape_name, t.name,
                 n.name as former, n.since, n.until
          from (
            select distinct z.from_id, false as is_about, z.to_repo_id, z.to_id, z.to_version,
                   v.repo_id as of_repo_id, v.valid_from
            from unnest(?, ?) as f (id, version)
            cross join lateral %1$s v
            cross join lateral (
              select 1 from entity_rename z
              where z.repo_id = v.repo_id and z.seq > v.valid_from limit 1) any_rename
            cross join lateral (
              select * from reference z
              where z.repo_id = v.repo_id and z.from_id = f.id and z.from_version = f.version
                and z.to_wref is null
              offset 0) z
            union all
            select a.id, true, a.about_repo_id, a.about_id, a.about_version,
                   v.repo_id, v.valid_from
            from unnest(?, ?) as f (id, version)
            cross join lateral %2$s a
            cross join lateral %1$s v
            where a.about_repo_id = a.repo_id) y
          cross join lateral %3$s t
          cross join lateral (
            select y.of_repo_id as repo_id, y.valid_from) v
          cross join lateral %4$s n
          where jsonb_exists((select keys from wanted), 'v' || y.to_version || ' ' || n.name)
          offset 0) x
        cross join lateral %5$s s
        where greatest(x.since, s.since) < least(x.until, s.until)
        offset 0) r
      where jsonb_exists((select keys from wanted), r.from_id || ' ' || r.former)
      order by r.from_id, r.is_about, r.former, r.until, r.to_id
      """
          .formatted(
              ByKey.version("?", "f.id", "f.version"),
              ByKey.entity("?", "f.id"),
              ByKey.entity("y.to_repo_id", "y.to_id"),
              namesSince("t.name", "t.id", "v"),
              namesSince("x.shape_name", "x.shape_id", "x"));

  static final String DATA =
      """
      select e.id, e.data from unnest(?) as n (id)
      cross join lateral (
        select x.id, x.data from entity x where x.repo_id = ? and x.id = n.id offset 0) e
      """;

  private static final String BY_KEY =
      " from entity e where e.repo_id = ? and e.collection_key = any (?)";

  /** Collections by their default names, which they have unless they are renamed. */
  private static final String BY_DEFAULT_NAME =
      " from entity e where e.repo_id = ? and e.shape_name in (%s) and e.name = any (?)"
          .formatted(CollectionShapes.NAMES);

  private static final String COLLECTIONS =
      "select %1$s%2$s union all select %1$s%3$s"
          .formatted(StoredEntity.COLUMNS + WITHOUT_DEFINITION, BY_KEY, BY_DEFAULT_NAME);

  private static final String ANY_COLLECTION =
      "select exists (select%s) or exists (select%s)".formatted(BY_KEY, BY_DEFAULT_NAME);

  private final Database database;

  StoredEntities(Database database) {
    this.database = database;
  }

  /**
   * Looks up the entities with the given names that exist, active or not. Shapes have their
   * definitions, up to {@link #MAX_DEFINITION_BYTES} together.
   *
   * @param batch takes the look-up
   * @param found takes the entities when the batch is sent
   */
  public static void byName(
      StatementBatch batch,
      UUID repoId,
      Collection<EntityName> names,
      Consumer<StoredEntity> found) {
    batch.add(
        BY_NAME,
        row -> {
          found.accept(StoredEntity.read(row));
          return true;
        },
        Columns.strings(names, EntityName::shapeName),
        Columns.strings(names, EntityName::name),
        repoId);
  }

  /**
   * Reads references out of the current payloads of entities.
   *
   * @param batch takes the look-up
   * @param versions the current versions of the entities, in the order of {@code ids}
   * @param wrefs the texts of the references to read, by the ids of the entities
   * @param isCounted whether {@link #countReferences} counts all of them, so that no more need be
   *     looked at than a commit may revise
   * @param found takes the references when the batch is sent
   */
  public static void references(
      StatementBatch batch,
      UUID repoId,
      long[] ids,
      int[] versions,
      Map<Long, Set<String>> wrefs,
      boolean isCounted,
      Consumer<StoredReference> found) {
    batch.add(
        REFERENCES,
        row -> {
          found.accept(reference(row));
          return true;
        },
        ids,
        versions,
        repoId,
        isCounted ? MAX_REFERENCES + 1 : Integer.MAX_VALUE,
        repoId,
        keys(wrefs));
  }

  /**
   * Reads references out of the current versions of entities by names that their targets have had
   * since, and what the entities are about by such names.
   *
   * @param batch takes the look-up
   * @param versions the current versions of the entities, in the order of {@code ids}
   * @param wrefs local wrefs with versions, by the ids of the entities
   * @param found takes the references when the batch is sent
   */
  public static void formerReferences(
      StatementBatch batch,
      UUID repoId,
      long[] ids,
      int[] versions,
      Map<Long, Set<Wref>> wrefs,
      Consumer<FormerReference> found) {
    batch.add(
        FORMER_REFERENCES,
        row -> {
          found.accept(
              new FormerReference(
                  row.getString("former"), row.getBoolean("is_about"), reference(row)));
          return true;
        },
        formerKeys(wrefs),
        ids,
        versions,
        repoId,
        ids,
        versions,
        repoId,
        repoId);
  }

  private static String formerKeys(Map<Long, Set<Wref>> wrefs) {
    var keys = new JsonKeys();
    wrefs.forEach(
        (id, each) -> {
          for (var wref : each) {
            keys.add(wref.modifier().text().substring(1) + " " + wref.name());
            keys.add(id + " " + wref);
          }
        });
    return keys.toString();
  }

  /** The text of a JSON object of which only the keys matter. */
  private static final class JsonKeys {
    private final StringBuilder text = new StringBuilder("{");

    void add(String key) {
      text.append(text.length() == 1 ? "\"" : ",\"").append(StoredJson.escape(key)).append("\":0");
    }

    @Override
    public String toString() {
      return text + "}";
    }
  }

  /** What {@link #referrers} finds. */
  @FunctionalInterface
  public interface ReferrersFound {
    /**
     * Takes the referrers of one entity.
     *
     * @param count how many of those that were looked at are counted, at least one
     * @param areAll whether all were looked at
     */
    void accept(long id, int count, boolean areAll);
  }

  /**
   * Counts the active entities that refer to each of some entities of the repository, by what they
   * are about or by their data.
   *
   * @param batch takes the look-up
   * @param limit how many of each kind are looked at for an entity, counted or not
   * @param found takes those of each entity that has any when the batch is sent
   */
  public static void referrers(
      StatementBatch batch, UUID repoId, long[] ids, int limit, ReferrersFound found) {
    batch.add(
        REFERRERS,
        row -> {
          int count = row.getInt("found");
          if (count > 0) {
            found.accept(row.getLong("id"), count, row.getInt("looked_at") < limit);
          }
          return true;
        },
        ids,
        repoId,
        limit,
        repoId,
        limit,
        repoId);
  }

  /**
   * Counts the references of the current payloads of entities, up to one more than {@link
   * #MAX_REFERENCES}.
   *
   * @param batch takes the look-up
   * @param readable only those of entities that the caller may read are counted
   * @param versions the current versions of the entities, in the order of {@code ids}
   * @param found takes the number when the batch is sent
   */
  public static void countReferences(
      StatementBatch batch,
      UUID repoId,
      Narrowing readable,
      long[] ids,
      int[] versions,
      IntConsumer found) {
    var where = new Predicates("e.id = n.id").narrowed(readable);
    batch.add(
        COUNT_REFERENCES.formatted(ByKey.entity("?", "n.id"), where.sql()),
        row -> {
          found.accept(row.getInt(1));
          return false;
        },
        Stream.of(
                new Object[] {ids, versions, repoId},
                where.parameters(),
                new Object[] {repoId, MAX_REFERENCES + 1})
            .flatMap(Arrays::stream)
            .toArray());
  }

  private static StoredReference reference(ResultSet row) throws SQLException {
    return new StoredReference(
        row.getLong("from_id"),
        row.getString("wref"),
        row.getObject("to_repo_id", UUID.class),
        row.getLong("to_id"),
        row.getInt("to_version"),
        row.getLong("shape_id"));
  }

  private static String keys(Map<Long, Set<String>> wrefs) {
    var keys = new JsonKeys();
    wrefs.forEach((id, texts) -> texts.forEach(text -> keys.add(id + " " + text)));
    return keys.toString();
  }

  /**
   * Reads the current payloads of entities, as they are stored.
   *
   * @param batch takes the look-up
   * @param found takes each entity's id and payload when the batch is sent
   */
  public static void payloads(
      StatementBatch batch, UUID repoId, long[] ids, BiConsumer<Long, String> found) {
    batch.add(
        DATA,
        row -> {
          found.accept(row.getLong("id"), row.getString("data"));
          return true;
        },
        ids,
        repoId);
  }

  /**
   * The names that entities have now.
   *
   * @param found called for each entity that exists, with its id
   */
  public void names(UUID repoId, long[] ids, BiConsumer<Long, EntityName> found) {
    database.each(
        NAMES,
        0,
        row -> {
          found.accept(row.getLong(1), new EntityName(row.getString(2), row.getString(3)));
          return true;
        },
        ids,
        repoId);
  }

  /**
   * The entities with the given names in several repositories, without definitions.
   *
   * @param repoIds for each name, its repository
   * @param found called for each entity with the index of its name
   */
  public void byName(
      List<UUID> repoIds, List<EntityName> names, ObjIntConsumer<StoredEntity> found) {
    database.each(
        OF_REPOSITORIES,
        0,
        row -> {
          found.accept(StoredEntity.read(row), row.getInt("ordinal") - 1);
          return true;
        },
        repoIds.toArray(UUID[]::new),
        Columns.strings(names, EntityName::shapeName),
        Columns.strings(names, EntityName::name));
  }

  /**
   * The collections with one of these keys or one of these names.
   *
   * @param defaultNames the default names of the collections with these keys
   */
  public List<StoredEntity> collections(
      UUID repoId, Collection<byte[]> keys, Collection<String> defaultNames) {
    return database.list(COLLECTIONS, StoredEntity::read, parameters(repoId, keys, defaultNames));
  }

  /** Whether {@link #collections} would find any. */
  public boolean anyCollection(
      UUID repoId, Collection<byte[]> keys, Collection<String> defaultNames) {
    return database
        .first(ANY_COLLECTION, row -> row.getBoolean(1), parameters(repoId, keys, defaultNames))
        .orElseThrow();
  }

  private static Object[] parameters(
      UUID repoId, Collection<byte[]> keys, Collection<String> defaultNames) {
    return new Object[] {
      repoId, keys.toArray(byte[][]::new), repoId, defaultNames.toArray(String[]::new)
    };
  }
}
