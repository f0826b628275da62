package dev.cairn.commit;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.commit.EntityState.AboutTarget;
import dev.cairn.commit.NameCollector.Name;
import dev.cairn.commit.References.Home;
import dev.cairn.content.CollectionShapes;
import dev.cairn.model.Allowance;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.EntityKind;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.Wref;
import dev.cairn.platform.Database;
import dev.cairn.platform.ShapeDefinitions;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Loads what the names in a batch mean: the same few statements for one operation or thousands. */
@ApplicationScoped
class CommitLoader {
  private static final String COLUMNS =
      """
      e.id, e.kind, e.shape_id, e.name, e.version, e.active, e.shape_version, e.data_hash,
      e.about_repo_id, e.about_id, e.about_version, e.about_wref, e.collection_key
      """;

  /**
   * What the definitions of the shapes that one commit names may weigh together, see {@link
   * ShapeDefinitions#weight}: all of them are in memory until it is written.
   */
  private static final int MAX_DEFINITIONS = 4 * 1024 * 1024;

  /** A shape's definition; null if it and those before it have more bytes than they may weigh. */
  private static final String DEFINITION =
      """
      , case when e.shape_id = %1$d
              and sum(case when e.shape_id = %1$d then octet_length(e.data) end)
                    over (rows unbounded preceding) <= %2$d
             then e.data end as definition
      """
          .formatted(BuiltinShape.SHAPE.id(), MAX_DEFINITIONS);

  private static final String WITHOUT_DEFINITION = ", null::text as definition ";

  /** The subqueries cannot be turned around: each name is one probe of the index of names. */
  static final String BY_NAME =
      "select "
          + COLUMNS
          + DEFINITION
          + """
          from unnest(?, ?) as n (shape_name, name)
          cross join lateral (
            select * from entity x
            where x.repo_id = ? and x.shape_name = n.shape_name and x.name = n.name
            offset 0) e
          """;

  static final String FOREIGN =
      "select "
          + COLUMNS
          + WITHOUT_DEFINITION
          + """
          , n.ordinal
          from unnest(?, ?, ?) with ordinality as n (repo_id, shape_name, name, ordinal)
          cross join lateral (
            select * from entity x
            where x.repo_id = n.repo_id and x.shape_name = n.shape_name and x.name = n.name
            offset 0) e
          """;

  /** Collections by the names that they have unless they are renamed. */
  private static final String BY_DEFAULT_NAME =
      " from entity e where e.repo_id = ? and e.shape_name in ("
          + CollectionShapes.NAMES
          + ") and e.name = any (?)";

  private static final String BY_KEY =
      " from entity e where e.repo_id = ? and e.collection_key = any (?)";

  private final Database database;
  private final Authorizer authorizer;
  private final ShapeDefinitions definitions;

  /** What is loaded for one commit, and how much more its definitions may weigh. */
  private record Loading(
      KnownEntities known, Map<Long, EntityState> shapes, Allowance definitions) {}

  /** An entity's row, before its shape is found. */
  private record Row(
      long id,
      EntityKind kind,
      long shapeId,
      String name,
      int version,
      boolean active,
      int shapeVersion,
      byte[] dataHash,
      AboutTarget about,
      byte[] collectionKey,
      String definition) {}

  CommitLoader(Database database, Authorizer authorizer, ShapeDefinitions definitions) {
    this.database = database;
    this.authorizer = authorizer;
    this.definitions = definitions;
  }

  /**
   * Everything that planning these operations may look up.
   *
   * @param collectionKeys collections that planning has found to be named by their members
   * @param budget what matching with the patterns of a narrowed token may cost
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if the shapes have too large definitions
   */
  KnownEntities load(
      Caller caller,
      Home home,
      List<SubmittedOperation> operations,
      Collection<byte[]> collectionKeys,
      MatchingBudget budget) {
    var known = new KnownEntities();
    var loading = new Loading(known, new HashMap<>(), new Allowance(MAX_DEFINITIONS));
    var names = new NameCollector(operations, home);
    var first = names.shapes();
    put(home, first, loading);
    var others = names.others(known);
    others.removeAll(first);
    put(home, others, loading);
    loadForeign(caller, names.foreign(), known, budget);
    loadCollections(home, collectionKeys, loading);
    return known;
  }

  private void put(Home home, Set<Name> names, Loading loading) {
    if (names.isEmpty()) {
      return;
    }
    var rows =
        database.list(
            BY_NAME,
            CommitLoader::row,
            names.stream().map(Name::shapeName).toArray(String[]::new),
            names.stream().map(Name::name).toArray(String[]::new),
            home.repoId());
    put(rows, loading);
  }

  /** Shapes first, since every other row needs its own. */
  private void put(List<Row> rows, Loading loading) {
    for (var row : rows) {
      if (row.kind() == EntityKind.SHAPE) {
        var shape = entity(row, null);
        shape.definition = definition(row, loading.definitions());
        loading.shapes().put(shape.id, shape);
        loading.known().put(shape);
      }
    }
    for (var row : rows) {
      if (row.kind() != EntityKind.SHAPE) {
        loading.known().put(entity(row, loading.shapes().get(row.shapeId())));
      }
    }
  }

  private ShapeDefinition definition(Row row, Allowance left) {
    if (row.definition() != null) {
      var definition = definitions.of(row.definition());
      if (left.take(ShapeDefinitions.weight(row.definition(), definition))) {
        return definition;
      }
    }
    throw Problem.of(
            ErrorCode.PAYLOAD_TOO_LARGE,
            "The definitions of the shapes that one commit names count as at most %,d bytes together."
                .formatted(MAX_DEFINITIONS))
        .at("/operations")
        .hint("Send the operations in several commits, by their shapes.");
  }

  private void loadCollections(Home home, Collection<byte[]> keys, Loading loading) {
    if (keys.isEmpty()) {
      return;
    }
    var rows =
        database.list(
            "select %1$s%2$s union all select %1$s%3$s"
                .formatted(COLUMNS + WITHOUT_DEFINITION, BY_KEY, BY_DEFAULT_NAME),
            CommitLoader::row,
            home.repoId(),
            keys.toArray(byte[][]::new),
            home.repoId(),
            defaultNames(keys));
    put(rows, loading);
  }

  private static String[] defaultNames(Collection<byte[]> keys) {
    return keys.stream().map(Collections::defaultName).toArray(String[]::new);
  }

  /** Whether any of the keys, or of the names that go with them, belongs to what exists. */
  boolean anyCollection(Home home, Collection<byte[]> keys) {
    return database
        .first(
            "select exists (select%s) or exists (select%s)".formatted(BY_KEY, BY_DEFAULT_NAME),
            row -> row.getBoolean(1),
            home.repoId(),
            keys.toArray(byte[][]::new),
            home.repoId(),
            defaultNames(keys))
        .orElseThrow();
  }

  /** What the caller may not read in another repository is, to it, not there. */
  private void loadForeign(
      Caller caller, Set<Wref> wrefs, KnownEntities known, MatchingBudget budget) {
    if (wrefs.isEmpty()) {
      return;
    }
    var readable =
        authorizer.readable(
            caller, wrefs.stream().map(CommitLoader::repository).collect(Collectors.toSet()));
    var found =
        wrefs.stream()
            .filter(w -> readable.containsKey(repository(w)))
            .filter(w -> readable.get(repository(w)).narrowing().shows(w, budget))
            .toList();
    if (found.isEmpty()) {
      return;
    }
    var repoIds =
        found.stream().map(w -> readable.get(repository(w)).repoId()).toArray(UUID[]::new);
    database.each(
        FOREIGN,
        0,
        row -> {
          var wref = found.get(row.getInt("ordinal") - 1);
          known.put(foreign(row(row), wref, readable.get(repository(wref)).repoId()));
          return true;
        },
        repoIds,
        found.stream().map(Wref::shape).toArray(String[]::new),
        found.stream().map(Wref::name).toArray(String[]::new));
  }

  private static String repository(Wref wref) {
    return wref.org() + "/" + wref.repo();
  }

  private static EntityState foreign(Row row, Wref wref, UUID repoId) {
    var place = new EntityState.Foreign(repoId, wref.org(), wref.repo());
    return filled(
        new EntityState(place, row.id(), row.kind(), null, wref.shape(), row.name(), row.version()),
        row);
  }

  private static EntityState entity(Row row, EntityState shape) {
    var shapeName = shape == null ? BuiltinShape.SHAPE.shapeName() : null;
    return filled(
        new EntityState(null, row.id(), row.kind(), shape, shapeName, row.name(), row.version()),
        row);
  }

  private static EntityState filled(EntityState entity, Row row) {
    entity.active = row.active();
    entity.shapeVersion = row.shapeVersion();
    entity.dataHash = row.dataHash();
    entity.about = row.about();
    entity.collectionKey = row.collectionKey();
    return entity;
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(
        row.getLong("id"),
        EntityKind.of(row.getString("kind")).orElseThrow(),
        row.getLong("shape_id"),
        row.getString("name"),
        row.getInt("version"),
        row.getBoolean("active"),
        row.getInt("shape_version"),
        row.getBytes("data_hash"),
        about(row),
        row.getBytes("collection_key"),
        row.getString("definition"));
  }

  private static AboutTarget about(ResultSet row) throws SQLException {
    var repoId = row.getObject("about_repo_id", UUID.class);
    return repoId == null
        ? null
        : new AboutTarget(
            repoId,
            row.getLong("about_id"),
            row.getInt("about_version"),
            null,
            row.getString("about_wref"));
  }
}
