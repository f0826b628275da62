package dev.cairn.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.cairn.openapi.Contract;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Holds what tools give against what they say that they give. */
final class Outputs {
  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, JsonNode> KNOWN = new ConcurrentHashMap<>();

  private Outputs() {}

  /** What is wrong with a value by a schema. */
  static List<String> violations(JsonNode schema, JsonNode value) {
    return SCHEMAS.getSchema(schema).validate(value).stream().map(Error::toString).toList();
  }

  /**
   * Fails if the response to a call of a tool is not as the tool says, or if a refusal lacks a
   * hint.
   */
  static void check(String tool, String response) {
    var result = parsed(response).path("result");
    if (!result.has("structuredContent")) {
      return;
    }
    var content = result.get("structuredContent");
    var wrong =
        result.path("isError").booleanValue()
            ? Contract.missingHint(content)
            : violations(schemas().get(tool), content);
    if (!wrong.isEmpty()) {
      throw new AssertionError(tool + ": " + wrong + " in " + response);
    }
  }

  private static Map<String, JsonNode> schemas() {
    if (KNOWN.isEmpty()) {
      var listed = Mcp.anonymous(Mcp.NEW).send("tools/list", Map.of()).extract().asString();
      for (var tool : parsed(listed).path("result").path("tools")) {
        KNOWN.put(tool.get("name").asText(), tool.get("outputSchema"));
      }
    }
    return KNOWN;
  }

  /** JSON, with the members of an object as a map. */
  static Map<String, Object> map(String text) {
    return JSON.convertValue(parsed(text), new TypeReference<>() {});
  }

  /** A value as JSON. */
  static JsonNode json(Object value) {
    return JSON.valueToTree(value);
  }

  static JsonNode parsed(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
