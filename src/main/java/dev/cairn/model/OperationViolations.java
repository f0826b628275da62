package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Function;

/** Collects the violations in the form of one operation. */
final class OperationViolations {
  private final Violations violations;
  private ErrorCode code = ErrorCode.VALIDATION_ERROR;
  private String hint;

  /**
   * Whether all violations are in the data of a collection, whose shape is known without the
   * repository.
   */
  private boolean onlyInData = true;

  /** Lists the first violation and as many more as the allowance has left. */
  OperationViolations(Allowance listed) {
    this.violations = new Violations(listed);
  }

  void refuse(String pointer, String detail) {
    onlyInData &= pointer.startsWith("/data/");
    violations.add(pointer, detail);
  }

  /** For members that are checked more than once. */
  void refuseOnce(String pointer, String detail) {
    if (violations.listed().stream().noneMatch(violation -> violation.pointer().equals(pointer))) {
      refuse(pointer, detail);
    }
  }

  /** The result of {@code read}, or null if it throws a problem, which is collected. */
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

  /**
   * A member's text; null if it is absent or of another type, which is collected as a violation.
   */
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

  /** Says in the problem what to do about its violations. */
  void hint(String sentence) {
    hint = sentence;
  }

  /** Throws one problem with all violations, if there are any. */
  void throwIfAny() {
    if (!violations.isEmpty()) {
      throw violations.problem(onlyInData ? ErrorCode.SHAPE_MISMATCH : code).hint(hint);
    }
  }
}
