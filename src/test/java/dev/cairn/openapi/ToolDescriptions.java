package dev.cairn.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the tools of MCP take and give, out of the document: the file that {@code mcp.ToolSchemas}
 * reads. A tool's arguments are the parameters and the members of the body of its operation. Agents
 * pay for each word, so they get the first sentence of a description, no limits of texts, and of a
 * result the types, without optional members of its parts, and not which members there always are.
 */
final class ToolDescriptions {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** How deep the members of an argument or of a result are told. */
  private static final int MAX_DEPTH = 2;

  /** What is told of a value of an argument, besides its description, members and items. */
  private static final Set<String> KEYWORDS =
      Set.of("type", "enum", "const", "minimum", "maximum", "maxItems");

  /** The arguments that headers become. */
  private static final Map<String, String> HEADERS =
      Map.of("Idempotency-Key", "idempotencyKey", "If-Match", "ifMatch");

  private final OpenApi api;

  ToolDescriptions(OpenApi api) {
    this.api = api;
  }

  /** All tools by their names. */
  ObjectNode all() {
    var all = NODES.objectNode();
    for (var operation : api.operations()) {
      for (var tool : operation.node().path("x-mcp-tools").properties()) {
        var without = tool.getValue().path("without").valueStream().map(JsonNode::asText);
        all.set(tool.getKey(), tool(operation, without.toList()));
      }
    }
    return all;
  }

  private ObjectNode tool(OpenApi.Operation operation, List<String> without) {
    var tool = NODES.objectNode();
    boolean inRepository = operation.path().contains("{repo}");
    tool.put("open", operation.node().get("security").get(0).isEmpty());
    tool.put("inRepository", inRepository);
    var arguments = tool.putObject("arguments");
    var required = tool.putArray("required");
    for (var parameter : operation.parameters()) {
      var name = argument(parameter, inRepository);
      if (!name.isEmpty() && !without.contains(name)) {
        var schema = argument((ObjectNode) parameter.get("schema"), 0);
        arguments.set(name, schema.put("description", sentence(parameter)));
        if (parameter.path("required").asBoolean()) {
          required.add(name);
        }
      }
    }
    var content = api.resolved(operation.node().path("requestBody")).path("content");
    var body = api.resolved(content.path(OpenApi.JSON).path("schema"));
    for (var member : body.path("properties").properties()) {
      if (!without.contains(member.getKey())) {
        arguments.set(member.getKey(), argument((ObjectNode) member.getValue(), 0));
      }
    }
    body.path("required").forEach(required::add);
    tool.set("result", result(operation));
    return tool;
  }

  /** The name of the argument that a parameter becomes, or nothing. */
  private static String argument(JsonNode parameter, boolean inRepository) {
    var name = parameter.get("name").asText();
    if (parameter.get("in").asText().equals("header")) {
      return HEADERS.getOrDefault(name, "");
    }
    return inRepository && Set.of("org", "repo").contains(name) ? "" : name;
  }

  private ObjectNode argument(ObjectNode reference, int depth) {
    var schema = described(reference);
    var told = NODES.objectNode();
    for (var keyword : schema.properties()) {
      if (KEYWORDS.contains(keyword.getKey())) {
        told.set(keyword.getKey(), keyword.getValue());
      }
    }
    if (schema.has("oneOf")) {
      told.put("type", "object");
    }
    if (schema.has("description") && depth < MAX_DEPTH) {
      told.put("description", sentence(schema));
    }
    if (schema.has("items")) {
      told.set("items", argument((ObjectNode) schema.get("items"), MAX_DEPTH));
    }
    if (schema.has("properties") && depth < MAX_DEPTH) {
      var members = told.putObject("properties");
      for (var member : schema.get("properties").properties()) {
        members.set(member.getKey(), argument((ObjectNode) member.getValue(), depth + 1));
      }
      if (schema.has("required")) {
        told.set("required", schema.get("required"));
      }
    }
    return told;
  }

  /** A schema with what stands beside its reference. */
  private ObjectNode described(ObjectNode reference) {
    var schema = ((ObjectNode) api.resolved(reference)).deepCopy();
    reference.properties().forEach(beside -> schema.set(beside.getKey(), beside.getValue()));
    return schema;
  }

  /** The first sentence of a description, without what it says about the docs. */
  private static String sentence(JsonNode described) {
    var text = described.path("description").asText().strip().replaceAll("\\s+", " ");
    var bare = text.replaceAll(",? [Ss]ee `docs/[^`]*`(, [A-Z][A-Za-z ]*)?", "");
    return bare.replaceAll("[.] .*|[.]$", "").strip();
  }

  private ObjectNode result(OpenApi.Operation operation) {
    var schema =
        Stream.of(200, 201)
            .map(operation::response)
            .map(response -> api.resolved(response).path("content").path(OpenApi.JSON))
            .filter(JsonNode::isObject)
            .findFirst()
            .orElseThrow()
            .get("schema");
    if (!schema.path("type").asText().equals("array")) {
      return result(schema, 0);
    }
    var page = NODES.objectNode().put("type", "object");
    page.putObject("properties").set("items", result(schema, 1));
    page.withObject("/properties").putObject("nextCursor").put("type", "string");
    return page;
  }

  private ObjectNode result(JsonNode reference, int depth) {
    var schema = api.resolved(reference);
    var told = NODES.objectNode();
    if (schema.has("type")) {
      told.set("type", schema.get("type"));
    }
    if (schema.has("items")) {
      told.set("items", result(schema.get("items"), depth));
    }
    if (schema.has("properties") && depth < MAX_DEPTH) {
      var required = schema.path("required").valueStream().map(JsonNode::asText).toList();
      var members = told.putObject("properties");
      for (var member : schema.get("properties").properties()) {
        if (depth == 0 || required.contains(member.getKey())) {
          members.set(member.getKey(), result(member.getValue(), depth + 1));
        }
      }
    }
    return told;
  }
}
