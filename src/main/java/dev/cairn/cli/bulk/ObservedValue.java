package dev.cairn.cli.bulk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.Set;

/** What was seen of the values of one field. */
final class ObservedValue {
  private enum Kind {
    STRING,
    NUMBER,
    BOOLEAN,
    ARRAY,
    OBJECT
  }

  private static final BigDecimal MAX_INTEGER = new BigDecimal("9007199254740991");

  private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);
  private long present;
  private boolean hasFraction;
  private ObservedObject nested;
  private ObservedValue element;

  void observe(JsonNode value) {
    if (value.isNull()) {
      return;
    }
    present++;
    switch (value) {
      case ObjectNode object -> observeObject(object);
      case ArrayNode array -> observeArray(array);
      default -> observeScalar(value);
    }
  }

  private void observeObject(ObjectNode object) {
    kinds.add(Kind.OBJECT);
    nested = nested == null ? new ObservedObject() : nested;
    nested.observe(object, false);
  }

  private void observeArray(ArrayNode array) {
    kinds.add(Kind.ARRAY);
    element = element == null ? new ObservedValue() : element;
    array.forEach(
        item -> {
          if (item.isNull()) {
            element.kinds.addAll(EnumSet.allOf(Kind.class)); // null is only of type `any` there
          }
          element.observe(item);
        });
  }

  private void observeScalar(JsonNode value) {
    if (value.isNumber()) {
      observeNumber(value.decimalValue());
    } else {
      kinds.add(value.isBoolean() ? Kind.BOOLEAN : Kind.STRING);
    }
  }

  private void observeNumber(BigDecimal number) {
    kinds.add(Kind.NUMBER);
    hasFraction |= number.stripTrailingZeros().scale() > 0;
  }

  /** A cell: a number only if JSON writes it so, and the service keeps it as it is. */
  void observeCell(String cell) {
    if (cell.isEmpty()) {
      return;
    }
    present++;
    var text = cell.strip();
    if (text.equals("true") || text.equals("false")) {
      kinds.add(Kind.BOOLEAN);
    } else if (CellTypes.isNumber(text) && isExact(text)) {
      observeNumber(new BigDecimal(text));
    } else {
      kinds.add(Kind.STRING);
    }
    if (kinds.size() > 1) {
      kinds.retainAll(EnumSet.noneOf(Kind.class));
      kinds.add(Kind.STRING); // of mixed cells, all are texts
    }
  }

  private static boolean isExact(String text) {
    if (text.length() > 32) {
      return false;
    }
    var number = new BigDecimal(text);
    return number.abs().compareTo(MAX_INTEGER) <= 0
        && new BigDecimal(Double.toString(number.doubleValue())).compareTo(number) == 0;
  }

  /** Whether it was in every object, and never null. */
  boolean isIn(long objects) {
    return present == objects;
  }

  /** How many fields it has within it. */
  int fields() {
    int inElement = element == null ? 0 : element.fields();
    return inElement + (nested == null || !nested.canBeNested() ? 0 : nested.fields());
  }

  /** The type that all values have. */
  JsonNode type() {
    if (kinds.size() != 1) {
      return TextNode.valueOf("any");
    }
    return switch (kinds.iterator().next()) {
      case STRING -> TextNode.valueOf("string");
      case BOOLEAN -> TextNode.valueOf("boolean");
      case NUMBER -> number();
      case ARRAY -> array();
      case OBJECT -> nested.canBeNested() ? nested.definition() : TextNode.valueOf("any");
    };
  }

  private JsonNode number() {
    if (hasFraction) {
      return TextNode.valueOf("number");
    }
    return Json.MAPPER.createObjectNode().put("type", "number").put("integer", true);
  }

  private JsonNode array() {
    return element.kinds.isEmpty()
        ? TextNode.valueOf("array")
        : Json.MAPPER.createArrayNode().add(element.type());
  }
}
