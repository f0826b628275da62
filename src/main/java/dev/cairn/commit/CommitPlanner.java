package dev.cairn.commit;

import static dev.cairn.model.ErrorCode.ALREADY_EXISTS;
import static dev.cairn.model.ErrorCode.ILLEGAL_OP_SEQUENCE;
import static dev.cairn.model.ErrorCode.NOT_FOUND;
import static dev.cairn.model.ErrorCode.RESERVED_NAME;
import static dev.cairn.model.ErrorCode.UNAVAILABLE;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.commit.CommitRequest.Numbering;
import dev.cairn.commit.EntityState.AboutTarget;
import dev.cairn.commit.References.Home;
import dev.cairn.model.Allowance;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.EntityKind;
import dev.cairn.model.Link;
import dev.cairn.model.Operation;
import dev.cairn.model.Operation.Kind;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The rules of operations: applies them in order, each to the state that the earlier ones left, and
 * collects the rows to store. Does not use the database. The rules are documented in {@code
 * docs/commits.md}.
 */
final class CommitPlanner {
  private final RepeatedData repeated = new RepeatedData();
  private final Allowance collected;
  private final KnownEntities known;
  private final Home home;
  private final References references;
  private final OperationTargets targets;
  private final PayloadRules payloads;
  private final OperationAbouts abouts;
  private final PatchedPayloads patches;
  private final CommitPlan plan;
  private final Admission admission;

  CommitPlanner(
      KnownEntities known,
      Home home,
      Admission admission,
      PatchedPayloads patches,
      Allowance collected,
      Numbering numbering,
      long nextEntityId) {
    this.collected = collected;
    this.known = known;
    this.admission = admission;
    this.home = home;
    this.references = new References(known, home, admission, numbering);
    this.targets = new OperationTargets(known, references, admission);
    this.payloads = new PayloadRules(references, admission.budget());
    this.abouts =
        new OperationAbouts(
            known, home, references, targets, payloads, admission, this::newCollection);
    this.patches = patches;
    this.plan = new CommitPlan(numbering, nextEntityId);
  }

  /**
   * Applies the operations.
   *
   * @param beforeEach called before each operation; what it throws ends the planning
   */
  CommitPlan plan(List<SubmittedOperation> operations, Runnable beforeEach) {
    for (var operation : operations) {
      beforeEach.run();
      plan.results.add(result(operation));
    }
    return plan;
  }

  private OperationResult result(SubmittedOperation submitted) {
    int index = submitted.index();
    if (submitted.problem() != null) {
      references.failed(index, submitted.failedName());
      return OperationResult.error(index, submitted.word(), submitted.problem());
    }
    try {
      admission.requireTarget(submitted.operation());
      var result =
          switch (submitted.operation()) {
            case Operation.Add add -> add(submitted, add);
            case Operation.Revise revise -> revise(submitted, revise);
            case Operation.Retract retract -> retract(index, retract);
            case Operation.Rename rename -> rename(index, rename);
          };
      references.succeeded(index, result.entity());
      return result;
    } catch (Problem e) {
      if (e.code() == UNAVAILABLE) {
        // No fault of the operation: the whole commit may succeed when it is sent again.
        throw e;
      }
      references.failed(index, targetOfAdd(submitted.operation()));
      return OperationResult.error(index, submitted.word(), e);
    }
  }

  private static String targetOfAdd(Operation operation) {
    return operation instanceof Operation.Add add && add.target() != null
        ? add.target().local()
        : null;
  }

  private OperationResult add(SubmittedOperation submitted, Operation.Add add) {
    return switch (add.kind()) {
      case SHAPE -> addShape(submitted, add);
      case COLLECTION -> addCollection(submitted, add);
      case THING, ASSERTION -> addThing(submitted, add);
    };
  }

  private OperationResult addShape(SubmittedOperation submitted, Operation.Add add) {
    var name = add.target().name();
    if (BuiltinShape.named(name).isPresent()) {
      throw builtinName(name);
    }
    var payload = definition(submitted);
    var existing = known.shape(name);
    if (existing != null) {
      return existing(submitted.index(), add, existing);
    }
    var shape = newEntity(EntityKind.SHAPE, null, name);
    define(shape, submitted);
    return added(submitted.index(), shape, add.data(), payload, 1);
  }

  private static Problem builtinName(String name) {
    return Problem.of(RESERVED_NAME, "`" + name + "` is a built-in shape.")
        .hint("Give your shape another name.");
  }

  private PayloadRules.Payload definition(SubmittedOperation submitted) {
    submitted.definition();
    admission.requireKnown(ShapeDefinition.shapeNames(submitted.data()));
    return payloads.ofShape(submitted);
  }

  private void define(EntityState shape, SubmittedOperation submitted) {
    shape.definition = submitted.definition();
    shape.definedAfter = payloads.shapesRenamed();
  }

  private OperationResult addThing(SubmittedOperation submitted, Operation.Add add) {
    int index = submitted.index();
    var shape = shapeForAdd(submitted, add);
    var about = abouts.find(submitted, add.about(), shape);
    var payload =
        payloads.ofThing(submitted, shape, about == null ? null : about.target(), Map.of());
    var existing = known.find(add.target());
    if (existing != null) {
      return existing(index, add, existing);
    }
    var kind = add.kind() == Kind.ASSERTION ? EntityKind.ASSERTION : EntityKind.THING;
    var target = about == null ? null : about.pin().get();
    var thing = newEntity(kind, shape, add.target().name());
    if (target != null) {
      var entity = target.entity();
      thing.about =
          new AboutTarget(entity.repoId(home.repoId()), entity.id, target.version(), entity, null);
    }
    return added(index, thing, add.data(), payload, shape.version);
  }

  /** If the shape is missing, the problem also says whether the target is. */
  private EntityState shapeForAdd(SubmittedOperation submitted, Operation.Add add) {
    try {
      return targets.shapeForAdd(add.target());
    } catch (Problem e) {
      throw e.code() == NOT_FOUND && add.about() instanceof Operation.About.To(Link link)
          ? References.together(
              e,
              submitted.violations(),
              () -> {
                var _ = targets.about(submitted.index(), link);
              })
          : e;
    }
  }

  private OperationResult addCollection(SubmittedOperation submitted, Operation.Add add) {
    int index = submitted.index();
    var draft = Collections.draft(index, add.members(), references, home.repoId());
    var same = known.collection(draft.key());
    if (same != null) {
      admission.requireVisible("/members", same);
      return OperationResult.noop(index, same, List.of());
    }
    var taken = add.target() == null ? null : known.find(add.target());
    if (taken != null) {
      return existing(index, add, taken);
    }
    var name = add.target() == null ? draft.defaultName() : add.target().name();
    admission.require("/members", draft.type().shape().shapeName() + "/" + name);
    return OperationResult.applied(index, "add", newCollection(index, draft, name), List.of());
  }

  private EntityState newCollection(int index, Collections.Draft draft, String name) {
    var shape = known.shape(draft.type().shape().shapeName());
    if (known.find(shape.name, name) != null) {
      throw Problem.of(
              ALREADY_EXISTS,
              "`%s/%s` is the name of another collection.".formatted(shape.name, name))
          .hint("Add this collection by an operation of its own that gives it a `name`.");
    }
    var payload = Collections.payload(draft);
    var collection = newEntity(EntityKind.THING, shape, name);
    collection.collectionKey = draft.key();
    plan.newCollectionKeys.add(draft.key());
    var hashed = payloads.ofReferences(payload.data(), payload.references());
    added(index, collection, payload.data(), hashed, shape.version);
    return collection;
  }

  private OperationResult existing(int index, Operation.Add add, EntityState existing) {
    if (add.skipExisting()) {
      return OperationResult.noop(index, existing, List.of());
    }
    if (existing.isNew()) {
      throw Problem.of(ILLEGAL_OP_SEQUENCE, "This commit adds `" + existing.local() + "` twice.")
          .hint("Revise it instead of adding it again, or send `skipExisting`.");
    }
    throw Problem.of(ALREADY_EXISTS, "`" + existing.local() + "` exists already.")
        .with("currentVersion", existing.version)
        .hint("Revise it, add it under another name, or send `skipExisting`.");
  }

  private OperationResult revise(SubmittedOperation submitted, Operation.Revise revise) {
    int index = submitted.index();
    var entity = target(index, revise.target(), revise.kind());
    requireSameAbout(submitted, revise, entity);
    boolean active = revise.active() == null ? entity.active : revise.active();
    if (revise.data() == null && revise.patch() == null) {
      OperationTargets.requireVersion(entity, revise.expectedVersion());
      return changeActive(index, entity, active);
    }
    if (entity.isCollection()) {
      throw Problem.of(VALIDATION_ERROR, "A collection cannot be revised; add another one.")
          .at(revise.patch() == null ? "/data" : "/patch");
    }
    boolean isShape = entity.kind == EntityKind.SHAPE;
    var payload = revised(submitted, revise, entity);
    OperationTargets.requireVersion(entity, revise.expectedVersion());
    if (active == entity.active
        && Arrays.equals(payload.hash(), entity.dataHash)
        && entity.refersToTheSame(
            home.repoId(),
            payload.references(),
            payload.shapeNames().values(),
            payloads.renamedShapes())) {
      return OperationResult.noop(index, entity, payload.warnings());
    }
    if (isShape) {
      define(entity, submitted);
    }
    if (entity.active && !active) {
      payload = payload.with(entity.referrerWarnings());
    }
    entity.shapeVersion = isShape ? 1 : entity.shape.version;
    entity.dataHash = payload.hash();
    entity.payloadLength = payload.length();
    entity.active = active;
    return versioned(index, "revise", entity, index, submitted.data(), payload);
  }

  /** If {@code about} is wrong, the problem also lists what is wrong with the data. */
  private void requireSameAbout(
      SubmittedOperation submitted, Operation.Revise revise, EntityState entity) {
    try {
      abouts.requireSame(submitted, entity, revise.about());
    } catch (Problem e) {
      throw revise.data() == null || entity.isCollection()
          ? e
          : References.together(
              e,
              submitted.violations(),
              () -> {
                var _ = payload(submitted, entity);
              });
    }
  }

  private PayloadRules.Payload revised(
      SubmittedOperation submitted, Operation.Revise revise, EntityState entity) {
    if (revise.patch() == null) {
      return payload(submitted, entity);
    }
    admission.requirePatch(entity);
    OperationTargets.requireVersion(entity, revise.expectedVersion());
    submitted.applyPatch(patches.payloadOf(entity, payloads::today));
    try {
      return payload(submitted, entity);
    } catch (Problem e) {
      throw e.moved("/data", "/patch");
    }
  }

  private PayloadRules.Payload payload(SubmittedOperation submitted, EntityState entity) {
    return entity.kind == EntityKind.SHAPE
        ? definition(submitted)
        : payloads.ofThing(
            submitted,
            entity.shape,
            abouts.of(entity),
            entity.references(plan.renames.size(), collected));
  }

  private OperationResult retract(int index, Operation.Retract retract) {
    var entity = target(index, retract.target(), retract.kind());
    OperationTargets.requireVersion(entity, retract.expectedVersion());
    return changeActive(index, entity, false);
  }

  /**
   * Makes a version that keeps the entity's payload, from the database or from an earlier
   * operation.
   */
  private OperationResult changeActive(int index, EntityState entity, boolean active) {
    if (entity.active == active) {
      return OperationResult.noop(index, entity, List.of());
    }
    var planned = entity.lastPlanned;
    repeated.take(entity, admission.mayRead(entity));
    entity.active = active;
    var warnings = active ? List.<String>of() : entity.referrerWarnings();
    var payload =
        planned == null
            ? new PayloadRules.Payload(
                entity.dataHash, entity.payloadLength, List.of(), Map.of(), warnings)
            : new PayloadRules.Payload(
                entity.dataHash,
                entity.payloadLength,
                planned.references(),
                planned.shapeNames(),
                warnings);
    return planned == null
        ? versioned(index, "revise", entity, index, null, payload)
        : versioned(index, "revise", entity, planned.hashedAt(), planned.data(), payload);
  }

  /** The entity that an operation changes, checked here because {@code $n} is resolved only now. */
  private EntityState target(int index, Link link, Kind kind) {
    var entity = targets.of(index, link, kind);
    admission.require("/name", entity.local());
    return entity;
  }

  private OperationResult rename(int index, Operation.Rename rename) {
    var entity = target(index, rename.target(), rename.kind());
    admission.requireRename(entity);
    var newName = OperationTargets.newName(rename, entity);
    admission.require("/newName", entity.shapeName() + "/" + newName);
    if (entity.kind == EntityKind.SHAPE && BuiltinShape.named(newName).isPresent()) {
      throw builtinName(newName);
    }
    OperationTargets.requireVersion(entity, rename.expectedVersion());
    if (newName.equals(entity.name)) {
      return OperationResult.noop(index, entity, List.of());
    }
    if (entity.renamedAt >= 0) {
      throw Problem.of(ILLEGAL_OP_SEQUENCE, "This commit renames `" + entity.local() + "` twice.")
          .hint("Rename it once, to the last of the new names.");
    }
    if (known.find(entity.shapeName(), newName) != null) {
      throw Problem.of(
              ALREADY_EXISTS, "`%s/%s` exists already.".formatted(entity.shapeName(), newName))
          .hint("Choose another name; a retracted entity keeps its own until it is renamed.");
    }
    var oldName = entity.name;
    known.rename(entity, newName);
    entity.renamedAt = index;
    if (entity.kind == EntityKind.SHAPE) {
      payloads.shapeRenamed(oldName, newName);
    }
    plan.renames.add(new CommitPlan.Rename(index, entity, oldName));
    return OperationResult.applied(index, "rename", entity, List.of());
  }

  private EntityState newEntity(EntityKind kind, EntityState shape, String name) {
    var shapeName = shape == null ? BuiltinShape.SHAPE.shapeName() : null;
    var entity = new EntityState(null, plan.nextEntityId++, kind, shape, shapeName, name, 0);
    entity.active = true;
    return entity;
  }

  private OperationResult added(
      int index,
      EntityState entity,
      JsonNode data,
      PayloadRules.Payload payload,
      int shapeVersion) {
    entity.dataHash = payload.hash();
    entity.payloadLength = payload.length();
    entity.shapeVersion = shapeVersion;
    known.put(entity);
    return versioned(index, "add", entity, index, data, payload);
  }

  private OperationResult versioned(
      int index,
      String operation,
      EntityState entity,
      int hashedAt,
      JsonNode data,
      PayloadRules.Payload payload) {
    entity.version++;
    var row =
        new VersionRow(
            index,
            operation,
            entity,
            entity.version,
            entity.active,
            entity.shapeVersion,
            entity.dataHash,
            hashedAt,
            data,
            payload.references(),
            payload.shapeNames());
    entity.lastPlanned = data == null ? entity.lastPlanned : row;
    plan.versions.add(row);
    plan.touched.add(entity);
    return OperationResult.applied(index, operation, entity, payload.warnings());
  }
}
