package dev.cairn.commit;

import dev.cairn.access.Authorizer;
import dev.cairn.commit.EntityState.AboutTarget;
import dev.cairn.commit.References.Home;
import dev.cairn.content.EntityName;
import dev.cairn.content.ShapeDefinitions;
import dev.cairn.content.StoredEntities;
import dev.cairn.content.StoredEntity;
import dev.cairn.model.Allowance;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.EntityKind;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Loads the entities that batches name, with the same few statements for one operation or
 * thousands, and for one batch or many of the same repository.
 */
@ApplicationScoped
class CommitLoader {
  /**
   * Maximum weight of all shape definitions that one commit needs, see {@link
   * ShapeDefinitions#weight}: all of them stay in memory until the commit is written.
   */
  private static final int MAX_DEFINITION_BYTES = StoredEntities.MAX_DEFINITION_BYTES;

  private final Database database;
  private final StoredEntities entities;
  private final Authorizer authorizer;
  private final ShapeDefinitions definitions;

  /**
   * What planning a batch begins with.
   *
   * @param names every name that it may look up
   * @param found rows of the look-up at hand
   * @param definitions the weight that the definitions of all batches may still have
   * @param matching bounds the cost of matching the patterns of a narrowed token
   */
  record Loading(
      PendingCommit commit,
      NameCollector collector,
      KnownEntities known,
      Map<Long, EntityState> shapes,
      Set<EntityName> names,
      List<StoredEntity> found,
      Allowance definitions,
      MatchingBudget matching) {
    static Loading of(PendingCommit commit, Allowance definitions, MatchingBudget matching) {
      return new Loading(
          commit,
          new NameCollector(commit.request().operations(), commit.home()),
          new KnownEntities(),
          new HashMap<>(),
          new LinkedHashSet<>(),
          new ArrayList<>(),
          definitions,
          matching);
    }
  }

  CommitLoader(
      Database database,
      StoredEntities entities,
      Authorizer authorizer,
      ShapeDefinitions definitions) {
    this.database = database;
    this.entities = entities;
    this.authorizer = authorizer;
    this.definitions = definitions;
  }

  /**
   * Begins to load every entity that planning may look up.
   *
   * @param batch takes the first look-up; to be sent before {@link #load}
   */
  Loading begin(PendingCommit commit, StatementBatch batch) {
    return begin(commit, MatchingBudget.ofCommit(), batch);
  }

  private static Loading begin(
      PendingCommit commit, MatchingBudget matching, StatementBatch batch) {
    var loading = Loading.of(commit, new Allowance(MAX_DEFINITION_BYTES), matching);
    lookUp(batch, List.of(loading), one -> one.collector().named());
    return loading;
  }

  /**
   * Loads what is missing.
   *
   * @param leader what has begun
   * @param followers further batches of the same repository
   * @return for each batch, the leader first
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if the definitions of the shapes are too
   *     large together
   */
  List<Loading> load(Loading leader, List<PendingCommit> followers) {
    put(List.of(leader));
    // All of them are in memory together, and so within one allowance.
    var following =
        followers.stream()
            .map(commit -> Loading.of(commit, leader.definitions(), MatchingBudget.ofCommit()))
            .toList();
    load(following, loading -> loading.collector().named());
    var all = Stream.concat(Stream.of(leader), following.stream()).toList();
    load(all, loading -> loading.collector().all(loading.known()));
    all.forEach(this::loadForeign);
    return all;
  }

  /**
   * Loads everything again, with collections that an earlier round of planning found the batch to
   * name by their members.
   */
  Loading loadAgain(Loading before, Collection<byte[]> collectionKeys) {
    var batch = new StatementBatch();
    var loading = begin(before.commit(), before.matching(), batch);
    database.send(batch);
    load(loading, List.of());
    loadCollections(before.commit().home(), collectionKeys, loading);
    return loading;
  }

  private void load(List<Loading> loadings, Function<Loading, Set<EntityName>> collected) {
    var batch = new StatementBatch();
    lookUp(batch, loadings, collected);
    database.send(batch);
    put(loadings);
  }

  /** Looks up the names that the collectors tell and that were not looked up yet. */
  private static void lookUp(
      StatementBatch batch, List<Loading> loadings, Function<Loading, Set<EntityName>> collected) {
    var missing = new LinkedHashSet<EntityName>();
    for (var loading : loadings) {
      collected.apply(loading).stream().filter(loading.names()::add).forEach(missing::add);
    }
    if (!missing.isEmpty()) {
      var repoId = loadings.getFirst().commit().repoId();
      StoredEntities.byName(
          batch, repoId, missing, row -> loadings.forEach(loading -> loading.found().add(row)));
    }
  }

  private void put(List<Loading> loadings) {
    for (var loading : loadings) {
      put(loading.found(), loading, loading.names()::contains);
      loading.found().clear();
    }
  }

  /**
   * Adds those rows that a batch names: shapes first, since every other row refers to its shape.
   */
  private void put(List<StoredEntity> rows, Loading loading, Predicate<EntityName> isNamed) {
    for (var row : rows) {
      // What the batch has already must stay the same object: its things refer to it.
      if (row.kind() == EntityKind.SHAPE
          && !loading.shapes().containsKey(row.id())
          && isNamed.test(new EntityName(BuiltinShape.SHAPE.shapeName(), row.name()))) {
        var shape = entity(row, null);
        shape.definition = definition(row, loading.definitions());
        loading.shapes().put(shape.id, shape);
        loading.known().put(shape);
      }
    }
    for (var row : rows) {
      var shape = row.kind() == EntityKind.SHAPE ? null : loading.shapes().get(row.shapeId());
      if (shape != null && isNamed.test(new EntityName(shape.name, row.name()))) {
        loading.known().put(entity(row, shape));
      }
    }
  }

  private ShapeDefinition definition(StoredEntity row, Allowance left) {
    if (row.definition() != null) {
      var definition = definitions.of(row.definition());
      if (left.take(ShapeDefinitions.weight(row.definition(), definition))) {
        return definition;
      }
    }
    throw Problem.of(
            ErrorCode.PAYLOAD_TOO_LARGE,
            "The definitions of the shapes that one commit uses may count as at most %,d bytes together."
                .formatted(MAX_DEFINITION_BYTES))
        .at("/operations")
        .hint("Split the operations into several commits by their shapes.");
  }

  private void loadCollections(Home home, Collection<byte[]> keys, Loading loading) {
    if (!keys.isEmpty()) {
      put(entities.collections(home.repoId(), keys, defaultNames(keys)), loading, _ -> true);
    }
  }

  private static List<String> defaultNames(Collection<byte[]> keys) {
    return keys.stream().map(Collections::defaultName).toList();
  }

  /** Whether any of the keys, or of their default names, belongs to an existing entity. */
  boolean anyCollection(Home home, Collection<byte[]> keys) {
    return entities.anyCollection(home.repoId(), keys, defaultNames(keys));
  }

  /** Loads entities of other repositories; those that the caller may not read count as missing. */
  private void loadForeign(Loading loading) {
    var wrefs = loading.collector().foreign();
    if (wrefs.isEmpty()) {
      return;
    }
    var readable =
        authorizer.readable(
            loading.commit().access().caller(),
            wrefs.stream().map(CommitLoader::repository).collect(Collectors.toSet()));
    var found =
        wrefs.stream()
            .filter(w -> readable.containsKey(repository(w)))
            .filter(w -> readable.get(repository(w)).narrowing().canRead(w, loading.matching()))
            .toList();
    if (found.isEmpty()) {
      return;
    }
    var repoIds = found.stream().map(w -> readable.get(repository(w)).repoId()).toList();
    entities.byName(
        repoIds,
        found.stream().map(w -> new EntityName(w.shape(), w.name())).toList(),
        (row, i) -> loading.known().put(foreign(row, found.get(i), repoIds.get(i))));
  }

  private static String repository(Wref wref) {
    return wref.org() + "/" + wref.repo();
  }

  private static EntityState foreign(StoredEntity row, Wref wref, UUID repoId) {
    var repository = new EntityState.Foreign(repoId, wref.org(), wref.repo());
    return filled(
        new EntityState(
            repository, row.id(), row.kind(), null, wref.shape(), row.name(), row.version()),
        row);
  }

  /**
   * An entity of the repository.
   *
   * @param shape null for a shape
   */
  private static EntityState entity(StoredEntity row, EntityState shape) {
    var shapeName = shape == null ? BuiltinShape.SHAPE.shapeName() : null;
    return filled(
        new EntityState(null, row.id(), row.kind(), shape, shapeName, row.name(), row.version()),
        row);
  }

  private static EntityState filled(EntityState entity, StoredEntity row) {
    entity.active = row.active();
    entity.shapeVersion = row.shapeVersion();
    entity.dataHash = row.dataHash();
    entity.about = about(row.about());
    entity.collectionKey = row.collectionKey();
    return entity;
  }

  private static AboutTarget about(StoredEntity.About about) {
    return about == null
        ? null
        : new AboutTarget(about.repoId(), about.id(), about.version(), null, about.wref());
  }
}
