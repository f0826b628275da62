package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Reads the constraints of one typed object; a constraint that its type does not have is a
 * violation.
 */
final class ConstraintReader {
  private final ShapeParser parser;
  private final JsonNode object;
  private final String at;
  private final Set<String> read = new HashSet<>(Set.of("type", "description"));

  ConstraintReader(ShapeParser parser, JsonNode object, String at) {
    this.parser = parser;
    this.object = object;
    this.at = at;
  }

  /** For a type that is given by its name alone, without constraints. */
  ConstraintReader(ShapeParser parser, String at) {
    this(parser, JsonNodeFactory.instance.objectNode(), at);
  }

  FieldType string() {
    var min = count("minLength");
    var max = count("maxLength");
    requireOrder("minLength", min, "maxLength", max);
    return new FieldType.StringType(min, max, pattern(), allowed());
  }

  FieldType number() {
    var min = limit("minimum");
    var max = limit("maximum");
    requireOrder("minimum", min, "maximum", max);
    return new FieldType.NumberType(min, max, isInteger());
  }

  FieldType wref() {
    var shape = member("shape");
    if (shape != null && !(shape.isTextual() && Names.isShape(shape.textValue()))) {
      reject("shape", "'shape' must be the name of a shape");
      return new FieldType.WrefType(null);
    }
    return new FieldType.WrefType(shape == null ? null : shape.textValue());
  }

  FieldType array() {
    var items = member("items");
    var type =
        items == null
            ? new FieldType.AnyType()
            : parser.type(items, IJson.pointer(at, "items"), false);
    var min = count("minItems");
    var max = count("maxItems");
    requireOrder("minItems", min, "maxItems", max);
    return new FieldType.ArrayType(type, min, max);
  }

  /** Reports every member that the type does not have. */
  void rejectUnread(String type) {
    for (var member : object.properties()) {
      if (!read.contains(member.getKey())) {
        reject(member.getKey(), "The type " + type + " has no " + Excerpt.quoted(member.getKey()));
      }
    }
  }

  private JsonNode member(String name) {
    read.add(name);
    return object.get(name);
  }

  private Long count(String name) {
    var node = member(name);
    if (node == null) {
      return null;
    }
    boolean whole = node.isNumber() && node.doubleValue() == Math.rint(node.doubleValue());
    if (!whole || node.doubleValue() < 0 || node.doubleValue() > Integer.MAX_VALUE) {
      reject(name, "'" + name + "' must be an integer from 0 to 2147483647");
      return null;
    }
    return node.longValue();
  }

  private Double limit(String name) {
    var node = member(name);
    if (node == null) {
      return null;
    }
    if (!node.isNumber()) {
      reject(name, "'" + name + "' must be a number");
      return null;
    }
    return node.doubleValue();
  }

  private boolean isInteger() {
    var node = member("integer");
    if (node != null && !node.isBoolean()) {
      reject("integer", "'integer' must be true or false");
    }
    return node != null && node.booleanValue();
  }

  private <T extends Comparable<T>> void requireOrder(String less, T min, String more, T max) {
    if (min != null && max != null && min.compareTo(max) > 0) {
      reject(less, "'" + less + "' must not be greater than '" + more + "'");
    }
  }

  private Pattern pattern() {
    var node = member("pattern");
    if (node == null) {
      return null;
    }
    if (!node.isTextual()) {
      reject("pattern", "'pattern' must be a string");
      return null;
    }
    return compiled(node.textValue());
  }

  private Pattern compiled(String expression) {
    long size = PatternSize.of(expression);
    if (size > PatternSize.MAX) {
      reject("pattern", "'pattern' is too large after expanding its repetitions");
      return null;
    }
    var tooLarge = parser.rejectionOfPatternSize(size + PatternSize.ofClasses(expression));
    if (tooLarge != null) {
      reject("pattern", tooLarge);
      return null;
    }
    var rejection = CaseInsensitivePatterns.rejection(expression);
    if (rejection != null) {
      reject("pattern", rejection);
      return null;
    }
    try {
      return Pattern.compile(expression);
    } catch (PatternSyntaxException e) {
      reject(
          "pattern", "'pattern' is not a valid RE2 expression: " + Excerpt.of(e.getDescription()));
    }
    return null;
  }

  private Set<String> allowed() {
    var node = member("enum");
    if (node == null) {
      return null;
    }
    var values = new LinkedHashSet<String>();
    if (node.isArray()) {
      node.forEach(value -> values.add(value.textValue()));
    }
    if (values.isEmpty() || values.contains(null) || values.size() < node.size()) {
      reject("enum", "'enum' must be an array of strings, not empty and without duplicates");
      return null;
    }
    return Collections.unmodifiableSet(values);
  }

  private void reject(String member, String detail) {
    parser.reject(IJson.pointer(at, member), detail);
  }
}
