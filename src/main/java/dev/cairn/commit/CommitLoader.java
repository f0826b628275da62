package dev.cairn.commit;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
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
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Loads the entities that a batch names, with the same few statements for one operation or
 * thousands.
 */
@ApplicationScoped
class CommitLoader {
  /**
   * Maximum weight of all shape definitions that one commit needs, see {@link
   * ShapeDefinitions#weight}: all of them stay in memory until the commit is written.
   */
  private static final int MAX_DEFINITION_BYTES = StoredEntities.MAX_DEFINITION_BYTES;

  private final StoredEntities entities;
  private final Authorizer authorizer;
  private final ShapeDefinitions definitions;

  /**
   * The entities that are loaded for one commit, and the weight that its definitions may still
   * have.
   */
  private record Loading(
      KnownEntities known, Map<Long, EntityState> shapes, Allowance definitions) {}

  CommitLoader(StoredEntities entities, Authorizer authorizer, ShapeDefinitions definitions) {
    this.entities = entities;
    this.authorizer = authorizer;
    this.definitions = definitions;
  }

  /**
   * Loads every entity that planning these operations may look up.
   *
   * @param collectionKeys keys of collections that an earlier round of planning found the
   *     operations to name by their members
   * @param budget bounds the cost of matching the patterns of a narrowed token
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if the definitions of the shapes are too
   *     large together
   */
  KnownEntities load(
      Caller caller,
      Home home,
      List<SubmittedOperation> operations,
      Collection<byte[]> collectionKeys,
      MatchingBudget budget) {
    var known = new KnownEntities();
    var loading = new Loading(known, new HashMap<>(), new Allowance(MAX_DEFINITION_BYTES));
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

  private void put(Home home, Set<EntityName> names, Loading loading) {
    if (!names.isEmpty()) {
      put(entities.byName(home.repoId(), names), loading);
    }
  }

  /** Adds shapes first, since every other row refers to its shape. */
  private void put(List<StoredEntity> rows, Loading loading) {
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
      put(entities.collections(home.repoId(), keys, defaultNames(keys)), loading);
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
            .filter(w -> readable.get(repository(w)).narrowing().canRead(w, budget))
            .toList();
    if (found.isEmpty()) {
      return;
    }
    var repoIds = found.stream().map(w -> readable.get(repository(w)).repoId()).toList();
    entities.byName(
        repoIds,
        found.stream().map(w -> new EntityName(w.shape(), w.name())).toList(),
        (row, i) -> known.put(foreign(row, found.get(i), repoIds.get(i))));
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
