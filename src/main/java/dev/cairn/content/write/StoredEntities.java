package dev.cairn.content.write;

import dev.cairn.content.ByKey;
import dev.cairn.content.CollectionShapes;
import dev.cairn.model.BuiltinShape;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;

/** Finds entities for commits by sets of names or keys, with one statement for one or thousands. */
@ApplicationScoped
public class StoredEntities {
  /** Maximum bytes of all definitions of one look-up; further definitions are left out. */
  public static final int MAX_DEFINITION_BYTES = 4 * 1024 * 1024;

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
              .formatted(ByKey.entityInOrder("?", "n.shape_name", "n.name"));

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
              .formatted(ByKey.entityInOrder("n.repo_id", "n.shape_name", "n.name"));

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
