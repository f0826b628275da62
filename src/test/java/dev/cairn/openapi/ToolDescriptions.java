package dev.cairn.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the tools of MCP take and give, out of the document: the file that {@code mcp.ToolSchemas}
 * reads. A tool's arguments are the parameters and the members of the body of its operation, with
 * all that these contain. Agents pay for each word, so they get the first sentence of a
 * description, once for a tool, and no limits of texts. Of a result they get the members that there
 * always are. A tool may be {@code like} another one, whose descriptions of arguments it does not
 * repeat.
 */
final class ToolDescriptions {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** What is told of a value of an argument, besides its description, members and items. */
  private static final Set<String> KEYWORDS =
      Set.of("type", "enum", "const", "minimum", "maximum", "maxItems");

  /** Arguments whose names and limits say all there is to say. */
  private static final Set<String> PLAIN = Set.of("limit", "cursor", "org");

  /** The arguments that headers become. */
  private static final Map<String, String> HEADERS =
      Map.of("Idempotency-Key", "idempotencyKey", "If-Match", "ifMatch");

  private final OpenApi api;

  ToolDescriptions(OpenApi api) {
    this.api = api;
  }

  /** What the arguments of each tool have told, by its name. */
  private final Map<String, Arguments> arguments = new HashMap<>();

  /** All tools by their names. */
  ObjectNode all() {
    var all = NODES.objectNode();
    for (var operation : api.operations()) {
      for (var tool : operation.node().path("x-mcp-tools").properties()) {
        var without = tool.getValue().path("without").valueStream().map(JsonNode::asText);
        var schemas = new Arguments(arguments.get(tool.getValue().path("like").asText()));
        arguments.put(tool.getKey(), schemas);
        all.set(tool.getKey(), tool(operation, without.toList(), schemas));
      }
    }
    return all;
  }

  private ObjectNode tool(OpenApi.Operation operation, List<String> without, Arguments schemas) {
    var tool = NODES.objectNode();
    boolean inRepository = operation.path().contains("{repo}");
    tool.put("open", operation.node().get("security").get(0).isEmpty());
    tool.put("inRepository", inRepository);
    var arguments = tool.putObject("arguments");
    var required = tool.putArray("required");
    for (var parameter : operation.parameters()) {
      var name = argument(parameter, inRepository);
      if (!name.isEmpty() && !without.contains(name)) {
        var schema = ((ObjectNode) parameter.get("schema")).deepCopy();
        if (PLAIN.contains(name)) {
          schema.put("description", "");
        } else {
          schema.set("description", parameter.get("description"));
        }
        arguments.set(name, schemas.of(schema));
        if (parameter.path("required").asBoolean()) {
          required.add(name);
        }
      }
    }
    var content = api.resolved(operation.node().path("requestBody")).path("content");
    var body = api.resolved(content.path(OpenApi.JSON).path("schema"));
    for (var member : body.path("properties").properties()) {
      if (!without.contains(member.getKey())) {
        arguments.set(member.getKey(), schemas.of((ObjectNode) member.getValue()));
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

  /** The schemas of the arguments of one tool, each description and each shared schema once. */
  private final class Arguments {
    private final Set<String> sentences = new HashSet<>();
    private final Set<String> references = new HashSet<>();

    /** After the arguments of another tool; null for none. */
    Arguments(Arguments other) {
      if (other != null) {
        sentences.addAll(other.sentences);
      }
    }

    ObjectNode of(ObjectNode reference) {
      var schema = described(reference);
      var told = NODES.objectNode();
      for (var keyword : schema.properties()) {
        if (KEYWORDS.contains(keyword.getKey())) {
          told.set(keyword.getKey(), keyword.getValue());
        }
      }
      var sentence = sentence(schema);
      if (!sentence.isEmpty() && !schema.has("const") && sentences.add(sentence)) {
        told.put("description", sentence);
      }
      if (reference.has("$ref") && !references.add(reference.get("$ref").asText())) {
        return told;
      }
      if (schema.has("oneOf")) {
        var choices = told.putArray("oneOf");
        schema.get("oneOf").forEach(choice -> choices.add(of((ObjectNode) choice)));
      }
      if (schema.has("items")) {
        told.set("items", of((ObjectNode) schema.get("items")));
      }
      if (schema.has("properties")) {
        var members = told.putObject("properties");
        for (var member : schema.get("properties").properties()) {
          members.set(member.getKey(), of((ObjectNode) member.getValue()));
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
            .map(media -> api.resolved(media.get("schema")))
            .orElseThrow();
    var result = NODES.objectNode().put("type", "object");
    if (schema.path("type").asText().equals("array")) {
      result.putArray("required").add("items");
    } else if (schema.has("required")) {
      result.set("required", schema.get("required"));
    }
    return result;
  }
}
