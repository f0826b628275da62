package dev.cairn.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What the fixtures of the conformance suites share. */
final class Fixtures {
  /** A picture of one point, in base64. */
  static final String PNG =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

  /** A sound of no length, in base64. */
  static final String WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

  private static final ObjectMapper JSON = new ObjectMapper();

  private Fixtures() {}

  /** What the client can do, as it says with each call of 2026-07-28; missing in the others. */
  static JsonNode capabilities(ToolCall call) {
    return call.request().meta().path(StatelessRevision.CAPABILITIES_KEY);
  }

  /** The client's answers to the questions of an earlier result; missing if there are none. */
  static JsonNode responses(ToolCall call) {
    return call.request().params().path("inputResponses");
  }

  /** What the earlier result asked the client to send back; null if nothing. */
  static String state(ToolCall call) {
    return call.request().params().path("requestState").textValue();
  }

  /** An object from its JSON, with ' for ". */
  static ObjectNode json(String text) {
    try {
      return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
