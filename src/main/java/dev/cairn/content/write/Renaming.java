package dev.cairn.content.write;

import dev.cairn.access.limit.StoredBytes;
import dev.cairn.content.StoredShapes;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.DatabaseException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Changes names in place, and all texts of the repository that contain them: the payloads that
 * refer to a renamed entity, in every version, the targets of assertions, and the definitions that
 * name a shape. It takes a few statements for any number of renames, whose time grows only with the
 * number of rows to change. Texts in other repositories are not changed.
 */
@ApplicationScoped
public class Renaming {
  /**
   * A rename must change every text before the commit is done: 200,000 references take about ten
   * seconds, and a repository may have millions.
   */
  private static final String TIMEOUT = "set local statement_timeout = '5min'";

  /**
   * The entities that are renamed themselves or by their shape, with {@code Shape/name} before and
   * after.
   */
  private static final String TARGETS =
      """
      with renamed as (
        select n.id, n.name, null as shape_name from unnest(?, ?) as n (id, name)
        union all
        select t.id, null, s.new_name
        from unnest(?, ?) as s (old_name, new_name)
        cross join lateral (
          select x.id from entity x where x.repo_id = ? and x.shape_name = s.old_name
          offset 0) t),
      target as (
        select r.id, coalesce(r.name, t.name) as name,
               coalesce(r.shape_name, t.shape_name) as shape_name,
               t.shape_name || '/' || t.name as before, t.place, t.row
        from (select id, max(name) as name, max(shape_name) as shape_name
              from renamed group by id) r
        cross join lateral (
          select x.shape_name, x.name, x.tableoid as place, x.ctid as row
          from entity x where x.repo_id = ? and x.id = r.id
          offset 0) t)
      """;

  /** The bytes by which the texts of versions and HEAD grew. */
  private static final String SUM =
      """
      select ((select coalesce(sum(bytes), 0) from version)
            + (select coalesce(sum(bytes), 0) from head))::bigint
      """;

  /**
   * Updates payloads. The quotation mark is the only character of a name that stored text escapes.
   */
  static final String TEXTS =
      TARGETS
          + """
          , change as (
            select r.from_id, r.from_version, r.head,
                   jsonb_object_agg(replace(t.before, '"', '\\"'),
                                    replace(t.shape_name || '/' || t.name, '"', '\\"')) as names
            from target t
            cross join lateral (
              select x.from_id, x.from_version, x.head from reference x
              where x.repo_id = ? and x.to_id = t.id and x.to_repo_id = x.repo_id
              offset 0) r
            group by r.from_id, r.from_version, r.head),
          version as (
            update entity_version v set data = rename_in(v.data, o.names)
            from (
              select c.names, x.place, x.row, x.length from change c
              cross join lateral (
                select y.tableoid as place, y.ctid as row, octet_length(y.data) as length
                from entity_version y
                where y.repo_id = ? and y.entity_id = c.from_id and y.version = c.from_version
                offset 0) x) o
            where v.ctid = o.row and v.tableoid = o.place
            returning octet_length(v.data) - o.length as bytes),
          head as (
            update entity e set data = rename_in(e.data, o.names), is_rewritten = true
            from (
              select c.names, x.place, x.row, x.length from change c
              cross join lateral (
                select y.tableoid as place, y.ctid as row, octet_length(y.data) as length
                from entity y
                where y.repo_id = ? and y.id = c.from_id
                offset 0) x
              where c.head) o
            where e.ctid = o.row and e.tableoid = o.place
            returning octet_length(e.data) - o.length as bytes)
          """
          + SUM;

  static final String ABOUTS =
      TARGETS
          + """
          update entity e
          set about_wref = o.shape_name || '/' || o.name || '@v' || e.about_version
          from (
            select t.shape_name, t.name, x.place, x.row from target t
            cross join lateral (
              select y.tableoid as place, y.ctid as row from entity y
              where y.repo_id = ? and y.about_id = t.id and y.about_repo_id = y.repo_id
              offset 0) x) o
          where e.ctid = o.row and e.tableoid = o.place
          """;

  static final String NAMES =
      TARGETS
          + """
          update entity e set shape_name = t.shape_name, name = t.name
          from target t where e.ctid = t.row and e.tableoid = t.place
          """;

  private static final String CONSTRAINTS =
      """
      with renamed as (
        select jsonb_object_agg(old_name, new_name) as names
        from unnest(?, ?) as s (old_name, new_name)),
      version as (
        update entity_version v
        set data = o.data, written_data = coalesce(v.written_data, v.data)
        from (
          select y.place, y.row, octet_length(y.data) as length,
                 coalesce(octet_length(y.written_data), 0) as written_length,
                 rename_in(y.data, r.names) as data
          from renamed r
          cross join lateral (
            select x.tableoid as place, x.ctid as row, x.data, x.written_data from entity_version x
            where x.repo_id = ? and x.shape_id = ? and x.entity_id >= ?
            offset 0) y) o
        where v.ctid = o.row and v.tableoid = o.place and v.data <> o.data
        returning octet_length(v.data) - o.length
                  + octet_length(v.written_data) - o.written_length as bytes),
      head as (
        update entity e set data = o.data, is_rewritten = true
        from (
          select y.place, y.row, octet_length(y.data) as length,
                 rename_in(y.data, r.names) as data
          from renamed r
          cross join lateral (
            select x.tableoid as place, x.ctid as row, x.data from entity x
            where x.repo_id = ? and %s
            offset 0) y) o
        where e.ctid = o.row and e.tableoid = o.place and e.data <> o.data
        returning octet_length(e.data) - o.length as bytes)
      """
              .formatted(StoredShapes.ofUsers("x"))
          + SUM;

  /**
   * The bytes of all rows that {@link #TEXTS}, {@link #ABOUTS} and {@link #NAMES} rewrite. HEAD has
   * the same text as its version. An unchanged payload counts with at most 2,048 bytes: PostgreSQL
   * stores longer ones outside of the row.
   */
  static final String REWRITTEN =
      TARGETS
          + """
          , change as (
            select distinct r.from_id, r.from_version, r.head
            from target t
            cross join lateral (
              select x.from_id, x.from_version, x.head from reference x
              where x.repo_id = ? and x.to_id = t.id and x.to_repo_id = x.repo_id
              offset 0) r),
          written as (
            select x.length, case when c.head then 2 else 1 end as times from change c
            cross join lateral (
              select octet_length(y.data) as length from entity_version y
              where y.repo_id = ? and y.entity_id = c.from_id and y.version = c.from_version
              offset 0) x
            union all
            select least(x.length, 2048), 1 from target t
            cross join lateral (
              select octet_length(y.data) as length from entity y
              where y.repo_id = ? and y.about_id = t.id and y.about_repo_id = y.repo_id
              union all
              select octet_length(y.data) from entity y
              where y.repo_id = ? and y.id = t.id
              offset 0) x)
          """
          + "select coalesce(sum(times * (length + %d)), 0)::bigint from written"
              .formatted(StoredBytes.ROW);

  /** The bytes of all rows that {@link #CONSTRAINTS} rewrites. */
  private static final String REWRITTEN_CONSTRAINTS =
      """
      with renamed as (
        select jsonb_object_agg(old_name, new_name) as names
        from unnest(?, ?) as s (old_name, new_name)),
      definition as (
        select x.data, coalesce(x.written_data, x.data) as written_data from entity_version x
        where x.repo_id = ? and x.shape_id = ? and x.entity_id >= ?
        union all
        select x.data, null from entity x
        where x.repo_id = ? and %s)
      select coalesce(sum(octet_length(concat(d.data, d.written_data)) + %d), 0)::bigint
      from renamed r cross join definition d
      where d.data <> rename_in(d.data, r.names)
      """
          .formatted(StoredShapes.ofUsers("x"), StoredBytes.ROW);

  private final Database database;

  Renaming(Database database) {
    this.database = database;
  }

  /**
   * Renames stored entities; to be called before the commit's own versions are written.
   *
   * @param renames renames of stored entities
   * @return the bytes by which the stored texts grew
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if a text with a new name gets too long
   */
  public long apply(UUID repoId, List<EntityRename> renames) {
    return withTimeout(renames, () -> rename(repoId, renames));
  }

  /**
   * Counts the bytes that {@link #apply} rewrites: the texts that it changes, in every version and
   * in HEAD, and the rows whose name or target it changes. Reads no texts except definitions.
   *
   * @throws Problem as {@link #apply}, but only for definitions
   */
  public long rewrittenBytes(UUID repoId, List<EntityRename> renames) {
    return withTimeout(renames, () -> rewritten(repoId, renames));
  }

  private long withTimeout(List<EntityRename> renames, LongSupplier statements) {
    if (renames.isEmpty()) {
      return 0;
    }
    try {
      database.update(TIMEOUT);
      long bytes = statements.getAsLong();
      database.update("set local statement_timeout to default");
      return bytes;
    } catch (DatabaseException e) {
      throw DatabaseException.isLimit(e) ? PayloadSize.tooLong() : e;
    }
  }

  private long rename(UUID repoId, List<EntityRename> renames) {
    var shapes = shapes(renames);
    var targets = targets(repoId, renames, shapes);
    long bytes = bytes(TEXTS, with(targets, repoId, repoId, repoId));
    database.update(ABOUTS, with(targets, repoId));
    if (!shapes.isEmpty()) {
      bytes += bytes(CONSTRAINTS, definitions(repoId, shapes));
    }
    int renamed = database.update(NAMES, targets);
    long named = renames.stream().mapToLong(EntityRename::id).distinct().count();
    if (renamed < named) {
      throw new IllegalStateException(
          "renames reached %d of %d entities".formatted(renamed, named));
    }
    return bytes;
  }

  private long rewritten(UUID repoId, List<EntityRename> renames) {
    var shapes = shapes(renames);
    long bytes =
        bytes(REWRITTEN, with(targets(repoId, renames, shapes), repoId, repoId, repoId, repoId));
    return shapes.isEmpty()
        ? bytes
        : bytes + bytes(REWRITTEN_CONSTRAINTS, definitions(repoId, shapes));
  }

  private static List<EntityRename> shapes(List<EntityRename> renames) {
    return renames.stream().filter(EntityRename::isShape).toList();
  }

  /** The parameters of {@link #TARGETS}. */
  private static Object[] targets(
      UUID repoId, List<EntityRename> renames, List<EntityRename> shapes) {
    return new Object[] {
      ids(renames), newNames(renames), oldNames(shapes), newNames(shapes), repoId, repoId
    };
  }

  /** The parameters of {@link #CONSTRAINTS} and {@link #REWRITTEN_CONSTRAINTS}. */
  private static Object[] definitions(UUID repoId, List<EntityRename> shapes) {
    return new Object[] {
      oldNames(shapes),
      newNames(shapes),
      repoId,
      BuiltinShape.SHAPE.id(),
      BuiltinShape.FIRST_FREE_ID,
      repoId
    };
  }

  private long bytes(String sql, Object... parameters) {
    return database.first(sql, row -> row.getLong(1), parameters).orElseThrow();
  }

  /**
   * Records the former names; to be called when all entities have been written.
   *
   * @return the bytes that they take
   */
  public long record(UUID repoId, long seq, List<EntityRename> renames) {
    if (renames.isEmpty()) {
      return 0;
    }
    database.update(
        """
        insert into entity_rename (repo_id, seq, entity_id, op_index, old_name, new_name,
                                   in_definitions)
        select ?, ?, n.*
        from unnest(?, ?, ?, ?, ?) as n (id, op_index, old_name, new_name, in_definitions)
        """,
        repoId,
        seq,
        ids(renames),
        Columns.ints(renames, EntityRename::opIndex),
        oldNames(renames),
        newNames(renames),
        Columns.booleans(renames, rename -> rename.isShape() && rename.isStored()));
    return (long) renames.size() * StoredBytes.RENAME;
  }

  private static Object[] with(Object[] parameters, Object... more) {
    return Stream.of(parameters, more).flatMap(Stream::of).toArray();
  }

  private static long[] ids(List<EntityRename> renames) {
    return Columns.longs(renames, EntityRename::id);
  }

  private static String[] oldNames(List<EntityRename> renames) {
    return Columns.strings(renames, EntityRename::oldName);
  }

  private static String[] newNames(List<EntityRename> renames) {
    return Columns.strings(renames, EntityRename::newName);
  }
}
