package dev.cairn.commit;

import dev.cairn.model.Problem;
import java.util.List;

/**
 * The result of one operation.
 *
 * @param operation its effect: {@code add}, {@code revise}, {@code rename} or {@code noop}; the
 *     requested operation if it failed
 * @param entity its target; null if it failed
 * @param wref the entity's wref after the operation; null if it failed
 * @param problem the reason why it failed; null if it succeeded
 */
record OperationResult(
    int opIndex,
    Status status,
    String operation,
    EntityState entity,
    String wref,
    int version,
    byte[] dataHash,
    List<String> warnings,
    Problem problem) {

  /** All effects, in the order of a summary. */
  static final List<String> EFFECTS = List.of("add", "revise", "rename", "noop", "error");

  enum Status {
    APPLIED,
    NOOP,
    ERROR
  }

  /** What came of the operation, one of {@link #EFFECTS}. */
  String effect() {
    return status == Status.ERROR ? "error" : operation;
  }

  static OperationResult applied(
      int opIndex, String operation, EntityState entity, List<String> warnings) {
    return of(opIndex, Status.APPLIED, operation, entity, warnings);
  }

  static OperationResult noop(int opIndex, EntityState entity, List<String> warnings) {
    return of(opIndex, Status.NOOP, "noop", entity, warnings);
  }

  static OperationResult error(int opIndex, String operation, Problem problem) {
    return new OperationResult(
        opIndex, Status.ERROR, operation, null, null, 0, null, List.of(), problem);
  }

  private static OperationResult of(
      int opIndex, Status status, String operation, EntityState entity, List<String> warnings) {
    return new OperationResult(
        opIndex,
        status,
        operation,
        entity,
        entity.wref(),
        entity.version,
        entity.dataHash,
        warnings,
        null);
  }
}
