package dev.cairn.cli.content;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.cli.output.Details;

/** The payload of an entity, for people. */
final class Data {
  private Data() {}

  /** A value in a cell: a text as it is, anything else as JSON. */
  static String text(JsonNode value) {
    return value.isTextual() ? value.textValue() : value.toString();
  }

  /** The payload in one line. */
  static String line(JsonNode data) {
    return data == null || data.isMissingNode() ? null : data.toString();
  }

  /**
   * The value at a path of members, such as {@code room.name}.
   *
   * @return null if there is none
   */
  static String at(JsonNode data, String path) {
    var value = data;
    for (var member : path.split("\\.", -1)) {
      value = value.path(member);
    }
    return value.isMissingNode() ? null : text(value);
  }

  /** Adds each member. */
  static void add(Details details, JsonNode data) {
    data.properties().forEach(member -> details.add(member.getKey(), text(member.getValue())));
  }
}
