package dev.cairn.cli.bulk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.cli.command.JsonText;

/** JSON values of rows: {@link JsonText} says how they are read. */
final class Json {
  static final ObjectMapper MAPPER = JsonText.mapper();

  private Json() {}

  /** Whether two values are the same data; {@code 1} and {@code 1.0} are. */
  static boolean isSame(JsonNode a, JsonNode b) {
    return a.equals(Json::compare, b);
  }

  private static int compare(JsonNode a, JsonNode b) {
    if (a.isNumber() && b.isNumber()) {
      return a.decimalValue().compareTo(b.decimalValue());
    }
    return a.equals(b) ? 0 : 1;
  }

  /** The text of a value, on one line. */
  static String text(JsonNode value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What is wrong with a text, without the excerpts that the parser adds. */
  static String fault(JsonProcessingException e) {
    var message = "This is not JSON: " + e.getOriginalMessage();
    return e.getLocation() == null
        ? message
        : message + " (column " + e.getLocation().getColumnNr() + ")";
  }
}
