package dev.cairn.commit;

import static dev.cairn.model.ErrorCode.CONFLICT;
import static dev.cairn.model.ErrorCode.NOT_FOUND;
import static dev.cairn.model.ErrorCode.RESERVED_NAME;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;

import dev.cairn.commit.References.Pin;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.EntityKind;
import dev.cairn.model.Link;
import dev.cairn.model.Operation;
import dev.cairn.model.Operation.Kind;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;

/** Finds the targets of operations, and refuses those that may not be changed. */
final class OperationTargets {
  private final KnownEntities known;
  private final References references;
  private final Admission admission;

  OperationTargets(KnownEntities known, References references, Admission admission) {
    this.known = known;
    this.references = references;
    this.admission = admission;
  }

  /** The entity that a revise, retract or rename changes. */
  EntityState of(int index, Link link, Kind kind) {
    if (link instanceof Link.To(Wref wref)) {
      admission.requireMayWriteShape(wref);
    }
    EntityState entity;
    try {
      entity = references.pin(index, link, NOT_FOUND).entity();
    } catch (Problem e) {
      throw e.at("/name");
    }
    if (entity.isBuiltin()) {
      throw Problem.of(RESERVED_NAME, "`" + entity.local() + "` is built in and cannot be changed.")
          .hint("Add a shape of your own under another name.");
    }
    if (kind != null && !is(entity, kind)) {
      throw Problem.of(
              VALIDATION_ERROR,
              "`%s` is of kind %s, not %s."
                  .formatted(entity.local(), entity.kind.wire(), kind.wire()))
          .at("/kind");
    }
    return entity;
  }

  private static boolean is(EntityState entity, Kind kind) {
    return switch (kind) {
      case SHAPE -> entity.kind == EntityKind.SHAPE;
      case THING -> entity.kind == EntityKind.THING;
      case ASSERTION -> entity.kind == EntityKind.ASSERTION;
      case COLLECTION -> entity.isCollection();
    };
  }

  /** The shape of the entity that an add creates. */
  EntityState shapeForAdd(Wref target) {
    var name = target.shape();
    admission.requireMayWriteShape(target);
    var shape = known.shape(name);
    if (shape == null) {
      references.refuseIfFailed(target);
      var problem = Problem.of(NOT_FOUND, "There is no shape `" + name + "`.").at("/name");
      throw References.missing(problem, BuiltinShape.SHAPE.shapeName() + "/" + name)
          .hint("Add the shape first; an earlier operation of the same commit may add it.");
    }
    if (!shape.active) {
      throw Problem.of(
              CONFLICT, "The shape `" + name + "` is retracted and accepts no new entities.")
          .with("reason", "shape_inactive")
          .hint(
              "Add it under another shape, or first restore this one by a revise with `active: true`.");
    }
    return shape;
  }

  /** The target of an assertion. */
  Pin about(int index, Link link) {
    try {
      return references.pin(index, link, NOT_FOUND);
    } catch (Problem e) {
      throw e.at("/about");
    }
  }

  /** The local name that a rename gives. */
  static String newName(Operation.Rename rename, EntityState entity) {
    try {
      return Operation.localName(rename.newName(), entity.shapeName());
    } catch (Problem e) {
      throw e.at("/newName");
    }
  }

  /** Refuses the operation unless {@code version} is current; null accepts any version. */
  static void requireVersion(EntityState entity, Integer version) {
    if (version != null && version != entity.version) {
      throw Problem.of(
              CONFLICT,
              "`%s` is at version %d, not %d.".formatted(entity.local(), entity.version, version))
          .with("reason", "expected_version_mismatch")
          .with("expectedVersion", version)
          .with("currentVersion", entity.version)
          .hint(
              "Read the entity again, merge your change into what it is now, and send that version as `expectedVersion`.");
    }
  }
}
