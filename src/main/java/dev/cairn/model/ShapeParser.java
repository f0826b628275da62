package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Reads a {@link ShapeDefinition} and collects all its violations. */
final class ShapeParser {
  private static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,63}");
  private static final Set<String> TYPES =
      Set.of("string", "number", "boolean", "wref", "array", "any");
  private static final int MAX_TARGETS = 100;
  private static final String ANY_NAME = "**";
  private static final String TYPE_RULE =
      "A type must be string, number, boolean, wref, array or any, a list of one type, an object of"
          + " fields, or an object with 'type' and its constraints";

  private final ValidationBudget budget;
  private final Allowance patterns;
  private final Consumer<String> globSyntax;
  private final Violations violations;
  private long sizeOfPatterns;

  /**
   * Reads one definition.
   *
   * @param patterns maximum size of all its patterns together
   * @param globSyntax throws a problem if a text is not a glob
   */
  ShapeParser(ValidationBudget budget, Allowance patterns, Consumer<String> globSyntax) {
    this.budget = budget;
    this.globSyntax = globSyntax;
    this.patterns = patterns;
    this.violations = new Violations(budget.violations());
  }

  /** Whether the node is an object whose {@code type} names a type, rather than nested fields. */
  static boolean isTyped(JsonNode node) {
    var type = node.get("type");
    return node.isObject() && type != null && type.isTextual() && isType(type.textValue());
  }

  private static boolean isType(String text) {
    return TYPES.contains(text.endsWith("?") ? text.substring(0, text.length() - 1) : text);
  }

  /** The whole definition; throws one problem with everything that is wrong. */
  ShapeDefinition parse(JsonNode definition) {
    if (definition == null || !definition.isObject()) {
      throw Problem.invalid("", "A shape definition must be an object with 'fields'");
    }
    for (var member : definition.properties()) {
      if (!ShapeDefinition.MEMBERS.contains(member.getKey())) {
        reject(
            IJson.pointer("", member.getKey()),
            "A shape definition has no member " + Excerpt.quoted(member.getKey()));
      }
    }
    var description = description(definition, "");
    var about = about(definition.get("about"));
    var fields = fieldsOf(definition.get("fields"));
    if (!violations.isEmpty()) {
      throw violations.problem(ErrorCode.VALIDATION_ERROR);
    }
    return new ShapeDefinition(description, about, fields, sizeOfPatterns);
  }

  private AboutRule about(JsonNode about) {
    if (about == null) {
      return null;
    }
    if (about.isBoolean()) {
      return about.booleanValue() ? AboutRule.ALWAYS : AboutRule.NEVER;
    }
    if (!about.isArray() || about.isEmpty() || about.size() > MAX_TARGETS) {
      reject(
          "/about",
          "'about' must be false, true, or a list of 1 to 100 shapes and patterns of names");
      return null;
    }
    var shapes = new ArrayList<String>();
    var globs = new ArrayList<String>();
    for (int i = 0; i < about.size(); i++) {
      target(about.get(i), IJson.pointer("/about", i), shapes, globs);
    }
    return new AboutRule(true, shapes, globs);
  }

  private void target(JsonNode entry, String at, List<String> shapes, List<String> globs) {
    if (!entry.isTextual()) {
      reject(at, "An entry must be the name of a shape, or a pattern such as 'Sensor/north*'");
    } else if (Names.isShape(entry.textValue())) {
      shapes.add(entry.textValue());
    } else if (entry.textValue().indexOf('/') < 0 && !entry.textValue().equals(ANY_NAME)) {
      reject(
          at,
          "A pattern must match whole names, such as 'Sensor/north*'; found "
              + Excerpt.quoted(entry.textValue()));
    } else {
      if (!budget
          .steps()
          .take((long) ValidationBudget.STEPS_OF_COMPILING * entry.textValue().length())) {
        reject(at, "The globs of one commit are together too long: define fewer shapes at once");
        return;
      }
      try {
        globSyntax.accept(entry.textValue());
        globs.add(entry.textValue());
      } catch (Problem e) {
        reject(at, e.detail());
      }
    }
  }

  private Map<String, ShapeDefinition.Field> fieldsOf(JsonNode fields) {
    if (fields == null || !fields.isObject()) {
      reject("/fields", "A shape definition must have 'fields', an object");
      return Map.of();
    }
    return fields(fields, "/fields");
  }

  private Map<String, ShapeDefinition.Field> fields(JsonNode object, String pointer) {
    var fields = new LinkedHashMap<String, ShapeDefinition.Field>();
    for (var member : object.properties()) {
      var key = member.getKey();
      boolean optional = key.endsWith("?");
      var name = optional ? key.substring(0, key.length() - 1) : key;
      var at = IJson.pointer(pointer, key);
      if (!FIELD_NAME.matcher(name).matches()) {
        // Its type is not read: the pointer of every violation there would repeat this name.
        reject(
            at,
            "A field name must be a letter or '_' followed by at most 63 letters, digits, '_' or '-';"
                + " found "
                + Excerpt.quoted(name));
        continue;
      }
      var field = field(name, optional, member.getValue(), at);
      if (fields.putIfAbsent(name, field) != null) {
        reject(at, "The field " + Excerpt.quoted(name) + " is declared twice");
      }
    }
    return fields;
  }

  private ShapeDefinition.Field field(String name, boolean optional, JsonNode type, String at) {
    boolean typed = isTyped(type);
    return new ShapeDefinition.Field(
        name,
        type(type, at, true),
        optional || isOptionalType(typed ? type.get("type") : type),
        typed ? description(type, at) : null);
  }

  private static boolean isOptionalType(JsonNode type) {
    return type.isTextual() && type.textValue().endsWith("?");
  }

  /** A type in any notation; {@code ?} after it is allowed only directly in a field. */
  FieldType type(JsonNode type, String at, boolean inField) {
    if (type.isTextual()) {
      return named(type, at, inField);
    }
    if (type.isArray()) {
      return list(type, at);
    }
    if (isTyped(type)) {
      return typed(type, at, inField);
    }
    if (type.isObject()) {
      return new FieldType.ObjectType(fields(type, at));
    }
    reject(at, TYPE_RULE);
    return new FieldType.AnyType();
  }

  private FieldType named(JsonNode type, String at, boolean inField) {
    if (!isType(type.textValue())) {
      reject(at, TYPE_RULE + "; found " + Excerpt.quoted(type.textValue()));
      return new FieldType.AnyType();
    }
    return constrained(baseName(type, at, inField), new ConstraintReader(this, at));
  }

  private FieldType list(JsonNode type, String at) {
    if (type.size() != 1) {
      reject(at, "The list form of an array must have exactly one type");
      return new FieldType.AnyType();
    }
    return new FieldType.ArrayType(type(type.get(0), IJson.pointer(at, 0), false), null, null);
  }

  private FieldType typed(JsonNode type, String at, boolean inField) {
    if (!inField) {
      description(type, at);
    }
    var constraints = new ConstraintReader(this, type, at);
    var name = baseName(type.get("type"), IJson.pointer(at, "type"), inField);
    var result = constrained(name, constraints);
    constraints.rejectUnread(name);
    return result;
  }

  private String baseName(JsonNode type, String at, boolean inField) {
    var name = type.textValue();
    if (!name.endsWith("?")) {
      return name;
    }
    if (!inField) {
      reject(at, "Only a field can be optional: an item's type has no '?'");
    }
    return name.substring(0, name.length() - 1);
  }

  private static FieldType constrained(String name, ConstraintReader constraints) {
    return switch (name) {
      case "string" -> constraints.string();
      case "number" -> constraints.number();
      case "wref" -> constraints.wref();
      case "array" -> constraints.array();
      case "boolean" -> new FieldType.BooleanType();
      default -> new FieldType.AnyType();
    };
  }

  private String description(JsonNode object, String at) {
    var description = object.get("description");
    if (description == null) {
      return null;
    }
    if (!description.isTextual()) {
      reject(IJson.pointer(at, "description"), "A description must be a string");
      return null;
    }
    return description.textValue();
  }

  /** Adds one violation. */
  void reject(String pointer, String detail) {
    violations.add(pointer, detail);
  }

  /** Counts a pattern of this size; returns why it is rejected, or null if it is accepted. */
  String rejectionOfPatternSize(long size) {
    sizeOfPatterns += size;
    if (!patterns.take(size)) {
      return "The patterns of a shape are together too large after expanding their repetitions and classes";
    }
    return budget.steps().take(size * ValidationBudget.STEPS_OF_COMPILING)
        ? null
        : "The patterns of one commit are together too large: define fewer shapes at once";
  }
}
