package dev.cairn.client;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares a record of the client with its schema; all differences are told at once. */
final class RecordComparison {
  private final ApiDocument document;
  private final List<String> differences = new ArrayList<>();

  RecordComparison(ApiDocument document) {
    this.document = document;
  }

  List<String> differences() {
    return differences;
  }

  /**
   * Compares a record.
   *
   * @param leftOut members of the schema that the record may leave out
   */
  void compare(Class<?> type, JsonNode schema, Set<String> leftOut) {
    var members = new TreeSet<String>();
    for (var component : type.getRecordComponents()) {
      members.add(name(component));
      var member = schema.path("properties").path(name(component));
      if (!member.isMissingNode()) {
        compare(type.getSimpleName() + "." + component.getName(), component, schema, member);
      }
    }
    var expected = new TreeSet<String>();
    schema.path("properties").fieldNames().forEachRemaining(expected::add);
    expected.removeAll(leftOut);
    if (!members.equals(expected)) {
      differences.add(type.getSimpleName() + " has " + members + ", its schema " + expected);
    }
  }

  /** The name of a component in JSON. */
  static String name(RecordComponent component) {
    var property = component.getAccessor().getAnnotation(JsonProperty.class);
    return property == null ? component.getName() : property.value();
  }

  private void compare(String place, RecordComponent component, JsonNode schema, JsonNode member) {
    boolean required =
        schema.path("required").valueStream().anyMatch(n -> n.asText().equals(name(component)))
            && types(member).noneMatch("null"::equals);
    boolean nullable = component.getAccessor().isAnnotationPresent(Nullable.class);
    if (required == nullable) {
      differences.add(place + (required ? " is never null" : " may be null"));
    }
    if (!required && component.getType().isPrimitive()) {
      differences.add(place + " cannot be null");
    }
    var values = component.getAccessor().getAnnotation(Values.class);
    var has = values == null ? List.of() : List.of(values.value());
    var should = component.getType() == JsonNode.class ? List.of() : values(member);
    if (!has.equals(should)) {
      differences.add(place + " has the values " + has + ", its schema " + should);
    }
    compare(place, component.getGenericType(), member);
  }

  private Stream<String> types(JsonNode schema) {
    var type = document.resolved(schema).path("type");
    return type.isArray()
        ? type.valueStream().map(JsonNode::asText)
        : Stream.of(type.asText("any"));
  }

  /** The values of a text, or of the texts of a list. */
  private List<String> values(JsonNode schema) {
    var resolved = document.resolved(schema);
    if (resolved.has("items")) {
      return values(resolved.get("items"));
    }
    return resolved.path("enum").valueStream().map(JsonNode::asText).toList();
  }

  private void compare(String place, Type type, JsonNode schema) {
    // JSON as it is suits everything.
    if (type == JsonNode.class) {
      return;
    }
    var resolved = document.resolved(schema);
    var kinds = types(schema).filter(kind -> !kind.equals("null")).collect(Collectors.toSet());
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      require(place, kinds.contains("array"), type, kinds);
      compare(place, list.getActualTypeArguments()[0], resolved.path("items"));
      return;
    }
    if (type instanceof ParameterizedType) {
      require(place, kinds.equals(Set.of("object")), type, kinds);
      return;
    }
    var raw = (Class<?>) type;
    if (raw.isRecord() && raw.isMemberClass()) {
      compare(raw, resolved, Set.of());
      return;
    }
    var named = ApiDocument.nameOf(schema);
    if (raw.isRecord() || raw.isInterface()) {
      boolean same =
          named != null && ClientDocumentTest.recordOf(named).equals(raw.getSimpleName());
      require(place, same, type, Set.of(String.valueOf(named)));
      return;
    }
    require(place, kinds.equals(Set.of(kind(raw, resolved))), type, kinds);
  }

  private static String kind(Class<?> type, JsonNode schema) {
    boolean isLong = schema.path("format").asText().equals("int64");
    return switch (type.getSimpleName()) {
      case "String" -> "string";
      case "int", "Integer" -> isLong ? "a number that is too small" : "integer";
      case "long", "Long" -> isLong ? "integer" : "a number that is too large";
      case "double", "Double" -> "number";
      case "boolean", "Boolean" -> "boolean";
      default -> type.getSimpleName();
    };
  }

  private void require(String place, boolean isRight, Type type, Set<String> kinds) {
    if (!isRight) {
      differences.add(place + " is a " + type.getTypeName() + ", in its schema " + kinds);
    }
  }
}
