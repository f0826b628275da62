package dev.cairn.commit;

import dev.cairn.content.ShapeDefinitions;
import dev.cairn.content.write.EntityName;
import dev.cairn.content.write.StoredEntity;
import dev.cairn.model.Allowance;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.EntityKind;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.Wref;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A batch whose entities are being loaded by {@link CommitLoader}, and then planned with them:
 * those that it names, as far as its token may know them.
 */
final class LoadingCommit {
  private static final String SHAPE = BuiltinShape.SHAPE.shapeName();

  private final PendingCommit commit;
  private final ShapeDefinitions definitions;
  private final Allowance allowance;
  private final LoadingBudget budget;

  /** The names that are looked up for a narrowed token: those that it may know. */
  private final Set<EntityName> lookedUp = new HashSet<>();

  private final NameCollector names;
  private final KnownEntities known = new KnownEntities();
  private final Map<Long, EntityState> shapes = new HashMap<>();
  private final List<StoredEntity> found = new ArrayList<>();
  private final LoadingVersions versions;

  /**
   * A batch of which nothing is loaded.
   *
   * @param allowance the weight that its definitions, and those of batches with the same allowance,
   *     may still have
   * @param budget what is left of it after former rounds
   */
  LoadingCommit(
      PendingCommit commit,
      ShapeDefinitions definitions,
      Allowance allowance,
      LoadingBudget budget) {
    this.commit = commit;
    this.definitions = definitions;
    this.allowance = allowance;
    this.budget = budget;
    this.names =
        new NameCollector(
            commit.request().operations(),
            commit.request().numbering(),
            commit.home(),
            bytes -> commit.room().add(bytes),
            budget.renames());
    this.versions = new LoadingVersions(commit, budget, names, known, shapes);
  }

  PendingCommit commit() {
    return commit;
  }

  Allowance allowance() {
    return allowance;
  }

  LoadingBudget budget() {
    return budget;
  }

  /** What is loaded of the stored versions of those that it revises or retracts. */
  LoadingVersions versions() {
    return versions;
  }

  /** The entities that are loaded. */
  KnownEntities known() {
    return known;
  }

  /** As {@link NameCollector#outsidePayloads}. */
  Set<EntityName> namesOutsidePayloads() {
    return knowable(names.outsidePayloads());
  }

  /** As {@link NameCollector#inPayloads}. */
  Set<EntityName> namesInPayloads() {
    return knowable(names.inPayloads(known));
  }

  /** As {@link NameCollector#foreign}. */
  Set<Wref> foreignNames() {
    return names.foreign();
  }

  /**
   * The names in the payloads that were loaded whole which are no references yet: a definition that
   * has changed since may make them some.
   */
  Set<EntityName> namesInPatched() {
    return knowable(names.inPatched(versions.revised()));
  }

  /**
   * Those that the token may know, and their shapes. If others were loaded, the size of their
   * definitions would show.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if that takes too many steps
   */
  private Set<EntityName> knowable(Set<EntityName> all) {
    var visible = commit.access().visible();
    if (visible.isUnrestricted()) {
      return all;
    }
    var found = new LinkedHashSet<EntityName>();
    for (var name : all) {
      var wref = Wref.local(name.shapeName(), name.name());
      if (isBuiltin(name) || budget.canRead(visible, wref)) {
        found.add(name);
        found.add(new EntityName(SHAPE, name.shapeName()));
      }
    }
    lookedUp.addAll(found);
    return found;
  }

  /** Whether a name is one that the batch looks up. */
  private boolean looksUp(EntityName name) {
    return commit.access().visible().isUnrestricted() ? names.names(name) : lookedUp.contains(name);
  }

  private static boolean isBuiltin(EntityName name) {
    return name.shapeName().equals(SHAPE) && BuiltinShape.named(name.name()).isPresent();
  }

  boolean namesAnyOf(Collection<EntityName> others) {
    return others.stream().anyMatch(names::names);
  }

  /** Takes a row of a look-up for this batch and others. */
  void found(StoredEntity row) {
    found.add(row);
  }

  /**
   * Adds those of the found rows that the batch looks up.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if the allowance is used up
   */
  void addFound() {
    add(found, this::looksUp);
    found.clear();
  }

  /** Adds collections with their members, which the batch does not name. */
  void addCollections(List<StoredEntity> rows) {
    add(rows, _ -> true);
  }

  /** Adds shapes first, since every other row refers to its shape. */
  private void add(List<StoredEntity> rows, Predicate<EntityName> isNamed) {
    for (var row : rows) {
      // What the batch has already must stay the same object: its things refer to it.
      if (row.kind() == EntityKind.SHAPE
          && !shapes.containsKey(row.id())
          && isNamed.test(new EntityName(SHAPE, row.name()))) {
        var shape = EntityState.stored(row, null);
        shape.definition = definition(row);
        shapes.put(shape.id, shape);
        known.put(shape);
      }
    }
    for (var row : rows) {
      var shape = row.kind() == EntityKind.SHAPE ? null : shapes.get(row.shapeId());
      if (shape != null && isNamed.test(new EntityName(shape.name, row.name()))) {
        known.put(EntityState.stored(row, shape));
      }
    }
  }

  private ShapeDefinition definition(StoredEntity row) {
    if (row.definition() != null) {
      var definition = definitions.of(row.definition());
      if (allowance.take(ShapeDefinitions.weight(row.definition(), definition))) {
        return definition;
      }
    }
    throw Problem.of(
            ErrorCode.PAYLOAD_TOO_LARGE,
            "The definitions of the shapes that one commit uses may count as at most %,d bytes together."
                .formatted(CommitLoader.MAX_DEFINITION_BYTES))
        .at("/operations")
        .hint("Split the operations into several commits by their shapes.");
  }
}
