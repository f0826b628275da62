package dev.cairn.content.write;

import dev.cairn.access.Narrowing;
import dev.cairn.content.ByKey;
import dev.cairn.content.Predicates;
import dev.cairn.model.StoredJson;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.StatementBatch;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * Reads the references of stored entities for commits, and counts what refers to entities, by sets
 * of keys, with one statement for one or thousands.
 */
public final class ReferenceReader {
  /** How many references the entities that a commit revises and retracts may have together. */
  public static final int MAX_REFERENCES = 300_000;

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

  private ReferenceReader() {}

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
}
