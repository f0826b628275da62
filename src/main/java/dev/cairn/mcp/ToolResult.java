package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;

/**
 * What a call of a tool comes to.
 *
 * @param json the result's members, as the protocol has them
 */
record ToolResult(ObjectNode json) {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /**
   * JSON for programs, and the same as text for models.
   *
   * @param structured an object's JSON on one line, which is never parsed: a tree takes many times
   *     its length
   */
  static ToolResult of(String structured) {
    return text(structured, NODES.rawValueNode(new RawValue(structured)));
  }

  /** A text that reads better as it is than within JSON, and the JSON. */
  static ToolResult text(String text, JsonNode structured) {
    var json = NODES.objectNode();
    json.putArray("content").addObject().put("type", "text").put("text", text);
    json.set("structuredContent", structured);
    return new ToolResult(json.put("isError", false));
  }

  /** What went wrong, as the JSON of a problem document. */
  static ToolResult error(String problem) {
    var result = of(problem);
    result.json().put("isError", true);
    return result;
  }

  /**
   * A question that the client has to put to its user before it calls again.
   *
   * @param key what the answer comes under
   * @param fields the JSON Schema of what the user fills in
   */
  static ToolResult question(String key, String message, JsonNode fields) {
    var json = NODES.objectNode().put("resultType", "input_required");
    json.withObject("/inputRequests/" + key)
        .put("method", "elicitation/create")
        .putObject("params")
        .put("message", message)
        .set("requestedSchema", fields);
    return new ToolResult(json);
  }

  /** The length of its texts, each of which may be in its JSON again. */
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
