package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;

/**
 * The result of a tool call.
 *
 * @param json the members of the result, as the protocol defines them
 */
record ToolResult(ObjectNode json) {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /**
   * A result as JSON for programs, and the same JSON as text for models.
   *
   * @param structured the JSON of an object on one line, which is never parsed, because a tree
   *     takes many times its length
   */
  static ToolResult of(String structured) {
    return text(structured, NODES.rawValueNode(new RawValue(structured)));
  }

  /** A result as JSON, and a text that is easier to read than the JSON. */
  static ToolResult text(String text, JsonNode structured) {
    var json = NODES.objectNode();
    json.putArray("content").addObject().put("type", "text").put("text", text);
    json.set("structuredContent", structured);
    return new ToolResult(json.put("isError", false));
  }

  /** A failed call, with the JSON of a problem document. */
  static ToolResult error(String problem) {
    var result = of(problem);
    result.json().put("isError", true);
    return result;
  }

  /** The length of its texts, in characters; the JSON may repeat each text. */
  long length() {
    return json.path("content")
        .valueStream()
        .mapToLong(content -> content.path("text").asText().length())
        .sum();
  }

  boolean isError() {
    return json.path("isError").booleanValue();
  }
}
