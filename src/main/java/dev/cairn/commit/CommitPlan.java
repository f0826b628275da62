package dev.cairn.commit;

import dev.cairn.access.limit.StoredBytes;
import dev.cairn.commit.CommitRequest.Numbering;
import dev.cairn.content.write.EntityName;
import dev.cairn.content.write.EntityRename;
import dev.cairn.model.EntityKind;
import dev.cairn.model.Problem;
import dev.cairn.model.Violations;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The rows that a commit will write, and the results of its operations. */
final class CommitPlan {
  /** How the operations are numbered in the commit; indexes are those within this batch. */
  final Numbering numbering;

  final List<OperationResult> results = new ArrayList<>();
  final List<VersionRow> versions = new ArrayList<>();
  final List<Rename> renames = new ArrayList<>();

  /** The entities that get new versions, in the order of their first one. */
  final Set<EntityState> touched = new LinkedHashSet<>();

  /** The keys of the collections that it adds. */
  final List<byte[]> newCollectionKeys = new ArrayList<>();

  /** The next entity id that is free. */
  long nextEntityId;

  /** A change of name. */
  record Rename(int opIndex, EntityState entity, String oldName) {
    /** The row to store, with the name at the end of the commit. */
    EntityRename row(Numbering numbering) {
      return new EntityRename(
          numbering.of(opIndex),
          entity.id,
          entity.shape == null,
          !entity.isNew(),
          oldName,
          entity.name);
    }
  }

  CommitPlan(Numbering numbering, long nextEntityId) {
    this.numbering = numbering;
    this.nextEntityId = nextEntityId;
  }

  /**
   * The renames of stored entities; those that the commit adds are inserted with their final name.
   */
  List<EntityRename> storedRenames() {
    return renames.stream()
        .filter(rename -> !rename.entity().isNew())
        .map(rename -> rename.row(numbering))
        .toList();
  }

  boolean isEmpty() {
    return versions.isEmpty() && renames.isEmpty();
  }

  /**
   * An estimate of the bytes that it would store. It does not include texts that renames lengthen,
   * and payloads that versions copy from earlier ones.
   */
  long bytes() {
    long bytes = StoredBytes.ROW + (long) renames.size() * StoredBytes.RENAME;
    for (var row : versions) {
      var text = row.storedText();
      int length = text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
      int copies = row.entity().isNew() && row.version() == row.entity().version ? 2 : 1;
      bytes +=
          copies * ((long) StoredBytes.ROW + length)
              + row.references().stream().mapToLong(CommitPlan::bytes).sum();
    }
    return bytes;
  }

  private static long bytes(VersionRow.ResolvedReference reference) {
    int wref = reference.target().foreign == null ? 0 : reference.wref().length();
    return (long) StoredBytes.REFERENCE + reference.pointer().length() + wref;
  }

  boolean hasErrors() {
    return results.stream().anyMatch(r -> r.status() == OperationResult.Status.ERROR);
  }

  /**
   * The problem of an atomic commit: the first failure's code and detail, and all violations. Those
   * of form come first, since others may follow from them.
   *
   * @param operations what was planned
   */
  Problem failure(List<SubmittedOperation> operations) {
    Predicate<OperationResult> isMalformed =
        result -> operations.get(result.opIndex()).problem() != null;
    var malformed = failed(isMalformed);
    var failed = new ArrayList<>(malformed);
    failed.addAll(failed(isMalformed.negate()));
    var violations = new Violations();
    for (var result : failed) {
      violations.addAll(result.problem(), "/operations/" + result.opIndex());
    }
    var first = failed.getFirst();
    var problem = violations.problem(first.problem().code());
    for (var detail : first.problem().details().entrySet()) {
      problem = problem.with(detail.getKey(), detail.getValue());
    }
    var complete = problem.with("opIndex", first.opIndex());
    return failed.stream()
        .map(OperationResult::problem)
        .filter(one -> one.details().containsKey(References.MISSING))
        .findFirst()
        .map(one -> References.alsoMissing(complete, one))
        .orElse(complete)
        .hint(malformed.isEmpty() ? first.problem().hint() : hint(malformed, failed.size()));
  }

  private List<OperationResult> failed(Predicate<OperationResult> among) {
    return results.stream()
        .filter(result -> result.status() == OperationResult.Status.ERROR && among.test(result))
        .toList();
  }

  /** The first hint, which says whose it is if more than one operation failed. */
  private static String hint(List<OperationResult> malformed, int failed) {
    return malformed.stream()
        .filter(result -> result.problem().hint() != null)
        .findFirst()
        .map(
            hinted ->
                failed == 1
                    ? hinted.problem().hint()
                    : "`/operations/%d`: %s".formatted(hinted.opIndex(), hinted.problem().hint()))
        .orElse(null);
  }

  /** The names of the entities that it adds or revises. */
  List<EntityName> changed() {
    return touched.stream().map(e -> new EntityName(e.shapeName(), e.name)).toList();
  }

  /**
   * The operations that changed something, with the names at the end of the commit. A collection
   * that an assertion adds inline is not an operation.
   */
  List<CommittedOperation> committed() {
    var committed = new ArrayList<CommittedOperation>();
    for (var row : versions) {
      if (isResult(row.opIndex(), row.entity())) {
        var operation =
            row.operation().equals("revise") && !row.active() ? "retract" : row.operation();
        committed.add(
            committed(row.opIndex(), operation, row.entity(), row.version(), row.active()));
      }
    }
    for (var rename : renames) {
      var result = results.get(rename.opIndex());
      var entity = rename.entity();
      committed.add(committed(rename.opIndex(), "rename", entity, result.version(), entity.active));
    }
    return committed;
  }

  private boolean isResult(int opIndex, EntityState entity) {
    return results.get(opIndex).entity() == entity;
  }

  private CommittedOperation committed(
      int opIndex, String operation, EntityState entity, int version, boolean active) {
    return new CommittedOperation(
        numbering.of(opIndex),
        operation,
        entity.kind,
        entity.id,
        entity.kind == EntityKind.SHAPE ? entity.id : entity.shapeId(),
        entity.shapeName(),
        entity.name,
        entity.local(),
        version,
        active,
        entity.about == null ? null : entity.about.wref());
  }
}
