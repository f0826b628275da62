package dev.cairn.commit;

import dev.cairn.model.Problem;
import java.util.List;

/**
 * What became of one operation.
 *
 * @param operation what it came to: {@code add}, {@code revise}, {@code rename} or {@code noop};
 *     what was asked for where it failed
 * @param entity what it worked on; null where it failed before that was known
 * @param wref the entity's wref after it; null where it failed
 * @param problem why it failed; null where it did not
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

  enum Status {
    APPLIED,
    NOOP,
    ERROR
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
        entity.local(),
        entity.version,
        entity.dataHash,
        warnings,
        null);
  }
}
