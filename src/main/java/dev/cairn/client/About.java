package dev.cairn.client;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The target of an assertion: a wref, or a collection that is created if there is none. */
public sealed interface About permits About.Wref, InlineCollection {
  /** The target as JSON has it: a string, or an object with one key. */
  @JsonCreator
  static About of(JsonNode json) {
    if (json.isTextual()) {
      return new Wref(json.textValue());
    }
    return new InlineCollection(
        members(json, "pair"),
        members(json, "triple"),
        members(json, "set"),
        members(json, "list"));
  }

  private static @Nullable List<String> members(JsonNode json, String type) {
    if (!json.has(type)) {
      return null;
    }
    var members = new ArrayList<String>();
    json.get(type).forEach(member -> members.add(member.asText()));
    return members;
  }

  /**
   * An entity.
   *
   * @param wref its wref, or {@code $n} for the result of an earlier operation
   */
  record Wref(@JsonValue String wref) implements About {}
}
