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

  /** Where the arguments are in the schema of a tool's input, which has each under its name. */
  private static final String PROPERTIES = "#/properties/";

  /** What a schema has parts by. */
  private static final List<String> PARTS = List.of("properties", "items", "oneOf");

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
    // Those that are like another one come later, but keep their places.
    for (boolean isLikeOther : new boolean[] {false, true}) {
      for (var operation : api.operations()) {
        for (var tool : operation.node().path("x-mcp-tools").properties()) {
          boolean isNext = tool.getValue().has("like") == isLikeOther;
          all.set(tool.getKey(), isNext ? tool(operation, tool) : all.get(tool.getKey()));
        }
      }
    }
    return all;
  }

  private ObjectNode tool(OpenApi.Operation operation, Map.Entry<String, JsonNode> tool) {
    var without = tool.getValue().path("without").valueStream().map(JsonNode::asText);
    var schemas = new Arguments(arguments.get(tool.getValue().path("like").asText()));
    arguments.put(tool.getKey(), schemas);
    return tool(operation, without.toList(), schemas);
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
        arguments.set(name, schemas.of(schema, PROPERTIES + name));
        if (parameter.path("required").asBoolean()) {
          required.add(name);
        }
      }
    }
    var content = api.resolved(operation.node().path("requestBody")).path("content");
    var body = api.resolved(content.path(OpenApi.JSON).path("schema"));
    for (var member : body.path("properties").properties()) {
      if (!without.contains(member.getKey())) {
        var at = PROPERTIES + member.getKey();
        arguments.set(member.getKey(), schemas.of((ObjectNode) member.getValue(), at));
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

    /** The shared schemas with parts, each with the place where it is in full. */
    private final Map<String, String> references = new HashMap<>();

    /** After the arguments of another tool; null for none. */
    Arguments(Arguments other) {
      if (other != null) {
        sentences.addAll(other.sentences);
      }
    }

    /**
     * The schema of a value.
     *
     * @param at the place of the schema in that of the tool's input, a reference
     */
    ObjectNode of(ObjectNode reference, String at) {
      var schema = api.described(reference);
      var told = NODES.objectNode();
      var place = placeInFull(reference, schema, at);
      if (!place.equals(at)) {
        return described(told, schema).put("$ref", place);
      }
      for (var keyword : schema.properties()) {
        if (KEYWORDS.contains(keyword.getKey())) {
          told.set(keyword.getKey(), keyword.getValue());
        }
      }
      described(told, schema);
      if (schema.has("oneOf")) {
        var choices = told.putArray("oneOf");
        for (var choice : schema.get("oneOf")) {
          choices.add(of((ObjectNode) choice, at + "/oneOf/" + choices.size()));
        }
      }
      if (schema.has("items")) {
        told.set("items", of((ObjectNode) schema.get("items"), at + "/items"));
      }
      if (schema.has("properties")) {
        var members = told.putObject("properties");
        for (var member : schema.get("properties").properties()) {
          var name = member.getKey();
          members.set(name, of((ObjectNode) member.getValue(), at + "/properties/" + name));
        }
        if (schema.has("required")) {
          told.set("required", schema.get("required"));
        }
      }
      return told;
    }

    /** Where a schema is in full: at its first place if it is a shared one that has parts. */
    private String placeInFull(ObjectNode reference, ObjectNode schema, String at) {
      boolean isShared = reference.has("$ref") && PARTS.stream().anyMatch(schema::has);
      return isShared ? references.computeIfAbsent(reference.get("$ref").asText(), _ -> at) : at;
    }

    private ObjectNode described(ObjectNode told, ObjectNode schema) {
      var sentence = sentence(schema);
      if (!sentence.isEmpty() && !schema.has("const") && sentences.add(sentence)) {
        told.put("description", sentence);
      }
      return told;
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
