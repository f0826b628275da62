package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Holds data against a shape's definition, see {@code docs/model.md}, Validation. */
public final class DataValidator {
  private static final int MAX_REPORTED = 100;

  private final List<Violation> violations = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<Reference> references = new ArrayList<>();
  private int unreportedViolations;
  private int unreportedWarnings;

  private DataValidator() {}

  /**
   * What came of a validation.
   *
   * @param violations empty where the data is valid; of more than 100, the last entry tells the
   *     number of the others
   * @param warnings one sentence for each field that the shape does not declare; capped likewise
   * @param references the wref values, in the order of the definition
   */
  public record Validated(
      List<Violation> violations, List<String> warnings, List<Reference> references) {}

  /**
   * One place where the data breaks the definition.
   *
   * @param pointer RFC 6901, from the root of the data
   * @param expected what the definition asks for
   * @param found what is there, shortened
   */
  public record Violation(String pointer, String expected, String found) {}

  /**
   * A wref value of the data, well-formed, which may yet lead nowhere.
   *
   * @param node the very node in the data; its text is a wref or {@code $} and digits
   * @param pointer RFC 6901, from the root of the data
   * @param requiredShape the shape that the target must have, or null
   */
  public record Reference(TextNode node, String pointer, String requiredShape) {}

  /** Validates {@code data}, and reports everything at once instead of throwing. */
  public static Validated validate(ShapeDefinition definition, JsonNode data) {
    var validator = new DataValidator();
    validator.object(definition.fields(), data, "");
    return validator.result();
  }

  private Validated result() {
    if (unreportedViolations > 0) {
      violations.add(
          new Violation("", "no violations", "another " + unreportedViolations + " violations"));
    }
    if (unreportedWarnings > 0) {
      warnings.add("Another " + unreportedWarnings + " fields are not declared by the shape");
    }
    return new Validated(List.copyOf(violations), List.copyOf(warnings), List.copyOf(references));
  }

  private void object(Map<String, ShapeDefinition.Field> fields, JsonNode data, String at) {
    if (data == null || !data.isObject()) {
      violate(at, "an object", data);
      return;
    }
    for (var field : fields.values()) {
      field(field, data.get(field.name()), at);
    }
    for (var member : data.properties()) {
      if (!fields.containsKey(member.getKey())) {
        warn(IJson.pointer(at, member.getKey()));
      }
    }
  }

  private void field(ShapeDefinition.Field field, JsonNode value, String parent) {
    boolean absent = value == null || value.isNull();
    if (absent && field.optional()) {
      return;
    }
    var at = IJson.pointer(parent, field.name());
    if (absent) {
      violate(at, Expectation.of(field.type()) + ", as the field is required", value);
    } else {
      value(field.type(), value, at);
    }
  }

  private void value(FieldType type, JsonNode value, String at) {
    switch (type) {
      case FieldType.StringType string -> require(holds(string, value), type, value, at);
      case FieldType.NumberType number -> require(holds(number, value), type, value, at);
      case FieldType.BooleanType _ -> require(value.isBoolean(), type, value, at);
      case FieldType.WrefType wref -> wref(wref, value, at);
      case FieldType.ArrayType array -> array(array, value, at);
      case FieldType.ObjectType object -> object(object.fields(), value, at);
      case FieldType.AnyType _ -> {}
    }
  }

  private void require(boolean holds, FieldType type, JsonNode value, String at) {
    if (!holds) {
      violate(at, Expectation.of(type), value);
    }
  }

  private static boolean holds(FieldType.StringType type, JsonNode value) {
    if (!value.isTextual()) {
      return false;
    }
    var text = value.textValue();
    return isWithin(type.minLength(), type.maxLength(), text.codePointCount(0, text.length()))
        && (type.allowed() == null || type.allowed().contains(text))
        && (type.pattern() == null || type.pattern().matcher(text).find());
  }

  private static boolean holds(FieldType.NumberType type, JsonNode value) {
    if (!value.isNumber()) {
      return false;
    }
    double number = value.doubleValue();
    return (type.minimum() == null || number >= type.minimum())
        && (type.maximum() == null || number <= type.maximum())
        && (!type.integer() || number == Math.rint(number));
  }

  private static boolean isWithin(Long min, Long max, int count) {
    return (min == null || count >= min) && (max == null || count <= max);
  }

  private void wref(FieldType.WrefType type, JsonNode value, String at) {
    if (value instanceof TextNode text && isReference(text.textValue())) {
      references.add(new Reference(text, at, type.shape()));
    } else {
      violate(at, Expectation.of(type), value);
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

  private void array(FieldType.ArrayType type, JsonNode value, String at) {
    if (!value.isArray()) {
      violate(at, Expectation.of(type), value);
      return;
    }
    require(isWithin(type.minItems(), type.maxItems(), value.size()), type, value, at);
    for (int i = 0; i < value.size(); i++) {
      value(type.items(), value.get(i), IJson.pointer(at, i));
    }
  }

  private void violate(String at, String expected, JsonNode found) {
    if (violations.size() < MAX_REPORTED) {
      violations.add(new Violation(at, expected, Expectation.found(found)));
    } else {
      unreportedViolations++;
    }
  }

  private void warn(String at) {
    if (warnings.size() < MAX_REPORTED) {
      warnings.add(at + " is not declared by the shape");
    } else {
      unreportedWarnings++;
    }
  }
}
