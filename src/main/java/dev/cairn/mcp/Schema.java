package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Builds the JSON Schemas (2020-12) of the arguments and results of tools. */
final class Schema {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String ANY = "any";
  private static final String LIST = "[]";

  private Schema() {}

  static ObjectNode string(String description) {
    return described("string", description);
  }

  /** A string that must be one of the given words. */
  static ObjectNode word(String description, String... words) {
    var schema = string(description);
    var list = schema.putArray("enum");
    for (var word : words) {
      list.add(word);
    }
    return schema;
  }

  /** An integer of at least 1. */
  static ObjectNode ordinal(String description) {
    return described("integer", description).put("minimum", 1);
  }

  /** An object with any members. */
  static ObjectNode map(String description) {
    return described("object", description);
  }

  private static ObjectNode described(String type, String description) {
    return NODES.objectNode().put("type", type).put("description", description);
  }

  /**
   * An object with members in short notation, {@code name:type}. A {@code ?} after the name makes a
   * member optional, the type {@code any} allows any value, and {@code []} after the type makes it
   * an array. Other members are allowed.
   */
  static ObjectNode object(String... members) {
    var schema = NODES.objectNode().put("type", "object");
    for (var member : members) {
      int colon = member.indexOf(':');
      var name = member.substring(0, colon);
      with(schema, name, type(member.substring(colon + 1)));
    }
    return schema;
  }

  private static ObjectNode with(ObjectNode object, String name, JsonNode type) {
    boolean optional = name.endsWith("?");
    var bare = optional ? name.substring(0, name.length() - 1) : name;
    object.withObject("/properties").set(bare, type);
    if (!optional) {
      object.withArray("/required").add(bare);
    }
    return object;
  }

  private static ObjectNode type(String text) {
    if (text.endsWith(LIST)) {
      return arrayOf(type(text.substring(0, text.length() - LIST.length())));
    }
    return text.equals(ANY) ? NODES.objectNode() : NODES.objectNode().put("type", text);
  }

  private static ObjectNode arrayOf(JsonNode item) {
    var array = NODES.objectNode().put("type", "array");
    array.set("items", item);
    return array;
  }
}
