package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Validates data against a shape's definition, see {@code docs/model.md}, Validation. */
public final class DataValidator {
  private static final int MAX_WARNINGS = 100;
  private static final Validated EXHAUSTED =
      new Validated(List.of(beyondBudget(FieldPath.ROOT)), 0, List.of(), List.of());

  private final ValidationBudget budget;
  private final List<Violation> violations = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<Reference> references = new ArrayList<>();
  private int unreportedViolations;
  private int unreportedWarnings;
  private boolean exhausted;

  private DataValidator(ValidationBudget budget) {
    this.budget = budget;
  }

  /**
   * The result of a validation.
   *
   * @param violations empty if the data is valid
   * @param unlisted number of further violations, which are not listed
   * @param warnings one sentence for each field that the shape does not declare; if not all are
   *     listed, the last entry says how many are missing
   * @param references the wref values, in the order of the fields in the definition
   */
  public record Validated(
      List<Violation> violations,
      int unlisted,
      List<String> warnings,
      List<Reference> references) {}

  /**
   * One value of the data that breaks the definition.
   *
   * @param pointer RFC 6901, from the root of the data
   * @param expected the value that the definition requires, in words
   * @param found the actual value, shortened
   */
  public record Violation(String pointer, String expected, String found) {}

  /**
   * A well-formed wref value of the data. Its target may not exist.
   *
   * @param node the node itself in the data; its text is a wref or {@code $} and digits
   * @param pointer from the root of the data
   * @param requiredShape the shape that the target must have, or null
   */
  public record Reference(TextNode node, FieldPath pointer, String requiredShape) {}

  /** Validates {@code data}, and reports everything at once instead of throwing. */
  public static Validated validate(
      ShapeDefinition definition, JsonNode data, ValidationBudget budget) {
    if (!budget.steps().take(ValidationBudget.STEPS_OF_VALUE)) {
      return EXHAUSTED;
    }
    var validator = new DataValidator(budget);
    validator.object(definition.fields(), data, FieldPath.ROOT);
    return validator.result();
  }

  private Validated result() {
    if (unreportedWarnings > 0) {
      warnings.add(unreportedWarnings + " more fields are not declared by the shape");
    }
    return new Validated(
        List.copyOf(violations),
        unreportedViolations,
        List.copyOf(warnings),
        List.copyOf(references));
  }

  private void object(Map<String, ShapeDefinition.Field> fields, JsonNode data, FieldPath at) {
    if (data == null || !data.isObject()) {
      violate(at, "an object", data);
      return;
    }
    // Fields that are absent take time too, and a few bytes of data may lack very many. So do
    // members that are not declared: the same data may be validated against many definitions.
    if (isBeyond(at, (long) fields.size() * ValidationBudget.STEPS_OF_FIELD + data.size())) {
      return;
    }
    for (var field : fields.values()) {
      field(field, data.get(field.name()), at);
    }
    for (var member : data.properties()) {
      if (!fields.containsKey(member.getKey())) {
        warn(at, member.getKey());
      }
    }
  }

  private void field(ShapeDefinition.Field field, JsonNode value, FieldPath parent) {
    boolean absent = value == null || value.isNull();
    if ((absent && field.optional()) || isBeyond(parent, ValidationBudget.STEPS_OF_VALUE)) {
      return;
    }
    var at = parent.member(field.name());
    if (absent) {
      if (mayList()) {
        list(at, Expectation.of(field.type()) + ", as the field is required", value);
      }
    } else {
      value(field.type(), value, at);
    }
  }

  private void value(FieldType type, JsonNode value, FieldPath at) {
    switch (type) {
      case FieldType.StringType string -> require(isValid(string, value, at), type, value, at);
      case FieldType.NumberType number -> require(isValid(number, value), type, value, at);
      case FieldType.BooleanType _ -> require(value.isBoolean(), type, value, at);
      case FieldType.WrefType wref -> wref(wref, value, at);
      case FieldType.ArrayType array -> array(array, value, at);
      case FieldType.ObjectType object -> object(object.fields(), value, at);
      case FieldType.AnyType _ -> {}
    }
  }

  private void require(boolean isValid, FieldType type, JsonNode value, FieldPath at) {
    if (!isValid && mayList()) {
      list(at, Expectation.of(type), value);
    }
  }

  private boolean isValid(FieldType.StringType type, JsonNode value, FieldPath at) {
    if (!value.isTextual()) {
      return false;
    }
    var text = value.textValue();
    if (isBeyond(at, text.length() / ValidationBudget.CHARACTERS_PER_STEP)) {
      return true;
    }
    int length = text.codePointCount(0, text.length());
    return isWithin(type.minLength(), type.maxLength(), length)
        && (type.allowed() == null || type.allowed().contains(text))
        && (type.pattern() == null
            || isBeyond(at, type.pattern().programSize() * (length + 1L))
            || type.pattern().matcher(text).find());
  }

  private static boolean isValid(FieldType.NumberType type, JsonNode value) {
    if (!value.isNumber()) {
      return false;
    }
    double number = value.doubleValue();
    return (type.minimum() == null || number >= type.minimum())
        && (type.maximum() == null || number <= type.maximum())
        && (!type.isInteger() || number == Math.rint(number));
  }

  private static boolean isWithin(Long min, Long max, int count) {
    return (min == null || count >= min) && (max == null || count <= max);
  }

  private void wref(FieldType.WrefType type, JsonNode value, FieldPath at) {
    if (!(value instanceof TextNode text)) {
      require(false, type, value, at);
    } else if (isBeyond(at, ValidationBudget.stepsOfReference(text.textValue()) + at.length())) {
      return;
    } else if (!isReference(text.textValue())) {
      if (!isBeyond(at, ValidationBudget.STEPS_OF_WRONG_REFERENCE)) {
        require(false, type, value, at);
      }
    } else {
      references.add(new Reference(text, at, type.shape()));
    }
  }

  private static boolean isReference(String text) {
    try {
      var _ = Link.parse(text);
      return true;
    } catch (Problem _) {
      return false;
    }
  }

  private void array(FieldType.ArrayType type, JsonNode value, FieldPath at) {
    if (!value.isArray()) {
      require(false, type, value, at);
      return;
    }
    require(isWithin(type.minItems(), type.maxItems(), value.size()), type, value, at);
    if (isBeyond(at, (long) value.size() * ValidationBudget.STEPS_OF_VALUE)) {
      return;
    }
    for (int i = 0; i < value.size(); i++) {
      value(type.items(), value.get(i), at.item(i));
    }
  }

  /** Whether fewer steps are left than needed; adds a violation only the first time. */
  private boolean isBeyond(FieldPath at, long steps) {
    if (!exhausted && budget.steps().take(steps)) {
      return false;
    }
    if (!exhausted) {
      exhausted = true;
      violations.add(beyondBudget(at));
    }
    return true;
  }

  private static Violation beyondBudget(FieldPath at) {
    var expected =
        "data that can be validated within the %,d steps of one commit"
            .formatted(ValidationBudget.MAX_STEPS);
    return new Violation(at.toString(), expected, "data that needs more steps than are left");
  }

  private void violate(FieldPath at, String expected, JsonNode found) {
    if (mayList()) {
      list(at, expected, found);
    }
  }

  /** Whether one more violation may be listed; counts it as unlisted if not. */
  private boolean mayList() {
    if (budget.violations().take(1) || violations.isEmpty()) {
      return true;
    }
    unreportedViolations++;
    return false;
  }

  private void list(FieldPath at, String expected, JsonNode found) {
    if (isBeyond(at, ValidationBudget.STEPS_OF_MESSAGE)) {
      unreportedViolations++;
      return;
    }
    violations.add(new Violation(at.toString(), expected, Expectation.found(found)));
  }

  private void warn(FieldPath at, String member) {
    boolean isListed =
        warnings.isEmpty() || (warnings.size() < MAX_WARNINGS && budget.warnings().take(1));
    if (isListed && !isBeyond(at, ValidationBudget.STEPS_OF_MESSAGE)) {
      warnings.add(Masking.of(at.member(member) + " is not declared by the shape"));
    } else {
      unreportedWarnings++;
    }
  }
}
