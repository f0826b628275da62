package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Function;

/** Collects what is wrong with the form of one operation. */
final class OperationViolations {
  private final Violations violations;
  private ErrorCode code = ErrorCode.VALIDATION_ERROR;

  /**
   * Whether only the data of a collection is wrong, whose shape is known without the repository.
   */
  private boolean onlyInData = true;

  /** Lists as many beside the first one as the allowance has left. */
  OperationViolations(Allowance listed) {
    this.violations = new Violations(listed);
  }

  void refuse(String pointer, String detail) {
    onlyInData &= pointer.startsWith("/data/");
    violations.add(pointer, detail);
  }

  /** For members that are looked at more than once. */
  void refuseOnce(String pointer, String detail) {
    if (violations.listed().stream().noneMatch(violation -> violation.pointer().equals(pointer))) {
      refuse(pointer, detail);
    }
  }

  /** What {@code read} makes of the text, or null where it throws a problem, which is noted. */
  <T> T attempt(String pointer, String text, Function<String, T> read) {
    try {
      return read.apply(text);
    } catch (Problem e) {
      if (violations.isEmpty()) {
        code = e.code();
      }
      refuse(pointer, e.detail());
      return null;
    }
  }

  /** A member's text; null where it is absent or, which is noted, of another type. */
  String text(JsonNode operation, String member) {
    var text = operation.get(member);
    if (text == null) {
      return null;
    }
    if (!text.isTextual()) {
      refuseOnce("/" + member, "`" + member + "` must be a string.");
      return null;
    }
    return text.textValue();
  }

  /** Throws one problem with everything that was noted, if anything was. */
  void throwIfAny() {
    if (!violations.isEmpty()) {
      throw violations.problem(onlyInData ? ErrorCode.SHAPE_MISMATCH : code);
    }
  }
}
