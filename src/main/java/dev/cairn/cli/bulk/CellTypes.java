package dev.cairn.cli.bulk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** What a shape declares for rows: turns the cells of CSV, which are texts, into values of it. */
final class CellTypes {
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

  /** The type of a declared field: as in a definition, {@code object} for nested fields. */
  private record Field(String type, boolean isOptional) {}

  private final Map<String, Field> fields = new HashMap<>();

  /**
   * Reads a definition.
   *
   * @param definition the data of a shape
   */
  CellTypes(JsonNode definition) {
    for (var member : definition.path("fields").properties()) {
      boolean isOptional = member.getKey().endsWith("?");
      var name =
          isOptional ? member.getKey().substring(0, member.getKey().length() - 1) : member.getKey();
      var type = type(member.getValue());
      fields.put(
          name,
          type.endsWith("?")
              ? new Field(type.substring(0, type.length() - 1), true)
              : new Field(type, isOptional));
    }
  }

  private static String type(JsonNode declared) {
    if (declared.isTextual()) {
      return declared.asText();
    }
    if (declared.isArray()) {
      return "array";
    }
    return declared.path("type").isTextual() ? declared.path("type").asText() : "object";
  }

  /** Whether a text is a number as JSON writes it; so {@code 007} is none. */
  static boolean isNumber(String text) {
    return NUMBER.matcher(text).matches();
  }

  /**
   * A row with typed values. An empty cell is a field that is absent, except in a required field of
   * text.
   *
   * @throws InputFault if a cell is not of the type that the shape declares
   */
  ObjectNode apply(ObjectNode row) throws InputFault {
    ObjectNode typed = Json.MAPPER.createObjectNode();
    for (var cell : row.properties()) {
      var text = cell.getValue().asText();
      var field = fields.getOrDefault(cell.getKey(), new Field("string", true));
      boolean isAbsent = text.isEmpty() && (field.isOptional || !field.type.equals("string"));
      if (!isAbsent) {
        typed.set(cell.getKey(), value(cell.getKey(), field.type, text));
      }
    }
    return typed;
  }

  /**
   * A row of JSON, whose references must not be {@code $0}: in a commit, that would be another row.
   *
   * @throws InputFault if one is
   */
  ObjectNode check(ObjectNode row) throws InputFault {
    for (var member : row.properties()) {
      var field = fields.get(member.getKey());
      if (field != null && field.type.equals("wref") && member.getValue().isTextual()) {
        reference(member.getKey(), member.getValue().textValue());
      }
    }
    return row;
  }

  private static JsonNode value(String name, String type, String text) throws InputFault {
    return switch (type) {
      case "number" -> number(name, text.strip());
      case "boolean" -> truth(name, text.strip());
      case "array", "object" -> json(name, type, text);
      case "wref" -> reference(name, text);
      default -> TextNode.valueOf(text);
    };
  }

  private static JsonNode number(String name, String text) throws InputFault {
    if (!isNumber(text)) {
      throw refused(name, "a number", text);
    }
    return new DecimalNode(new BigDecimal(text));
  }

  private static JsonNode truth(String name, String text) throws InputFault {
    return switch (text) {
      case "true" -> BooleanNode.TRUE;
      case "false" -> BooleanNode.FALSE;
      default -> throw refused(name, "`true` or `false`", text);
    };
  }

  private static JsonNode reference(String name, String text) throws InputFault {
    if (text.startsWith("$")) {
      throw refused(name, "a reference such as `Sensor/north`", text);
    }
    return TextNode.valueOf(text);
  }

  private static JsonNode json(String name, String type, String text) throws InputFault {
    try {
      return Json.MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw refused(name, "an %s in JSON".formatted(type), text);
    }
  }

  private static InputFault refused(String name, String expected, String found) {
    var excerpt = found.length() > 60 ? found.substring(0, 60) + "…" : found;
    return new InputFault("`%s` must be %s; found `%s`.".formatted(name, expected, excerpt));
  }
}
