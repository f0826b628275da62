package dev.cairn.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The document of the API as the tests read it. */
final class OpenApi {
  /** Where the document is. */
  static final Path FILE = Path.of("src/main/resources/META-INF/openapi.yaml");

  static final String JSON = "application/json";
  static final String PROBLEM = "application/problem+json";

  private static final String ID = "urn:cairn:openapi";
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final Path SOURCES = Path.of("src/main/openapi");
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final OpenApi INSTANCE = composed();

  private final JsonNode root;
  private final List<Operation> operations;

  /** The schemas by their names, closed: an answer has no member that its schema does not list. */
  private final ObjectNode schemas = YAML.createObjectNode();

  private final Map<JsonNode, Schema> compiled = new ConcurrentHashMap<>();

  /** The same by the node itself: to compare nodes is to walk through all that is in them. */
  private final Map<JsonNode, Schema> compiledByNode =
      Collections.synchronizedMap(new IdentityHashMap<>());

  /** What the paths of the operations look like, the most literal template first. */
  private final List<Map.Entry<Pattern, Operation>> patterns;

  /**
   * An operation.
   *
   * @param verb in upper case
   * @param path the template
   * @param node its description
   * @param parameters those of its path too, without references
   */
  record Operation(String verb, String path, JsonNode node, List<JsonNode> parameters) {
    String id() {
      return node.path("operationId").asText();
    }

    /** As {@code Routes} has it. */
    String route() {
      return verb + " " + path;
    }

    JsonNode response(int status) {
      return node.path("responses").path(String.valueOf(status));
    }

    /** What its path looks like; only a wref has slashes. */
    private Pattern pattern() {
      return Pattern.compile(
          path.replace(".", "\\.").replace("{wref}", ".+").replaceAll("\\{\\w+}", "[^/]+"));
    }
  }

  OpenApi(JsonNode root) {
    this.root = root;
    this.operations = operations(root.get("paths"));
    this.patterns =
        operations.stream()
            .sorted(Comparator.comparingInt(OpenApi::parameters))
            .map(operation -> Map.entry(operation.pattern(), operation))
            .toList();
    schemas.put("$id", ID);
    schemas.putObject("components").set("schemas", closed(root.at("/components/schemas")));
  }

  static OpenApi get() {
    return INSTANCE;
  }

  /** The document that the sources make, with the answers that the file has as examples. */
  private static OpenApi composed() {
    var sources = new TreeMap<String, JsonNode>();
    try (var files = Files.list(SOURCES)) {
      files.forEach(
          file ->
              sources.put(file.getFileName().toString().replace(".yaml", ""), yaml(read(file))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new OpenApi(new Composition(sources, yaml(text())).document());
  }

  /** The file's text. */
  static String text() {
    return read(FILE);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A text in YAML as a tree. */
  static JsonNode yaml(String text) {
    return tree(YAML, text);
  }

  /** A text in JSON as a tree. */
  static JsonNode json(String text) {
    return tree(MAPPER, text);
  }

  private static JsonNode tree(ObjectMapper mapper, String text) {
    try {
      return mapper.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JsonNode root() {
    return root;
  }

  List<Operation> operations() {
    return operations;
  }

  /** The operation of that id. */
  Operation operation(String id) {
    return operations.stream().filter(o -> o.id().equals(id)).findFirst().orElseThrow();
  }

  /** The operation of a verb at a path without its query. */
  Optional<Operation> at(String verb, String path) {
    return patterns.stream()
        .filter(entry -> entry.getValue().verb().equals(verb))
        .filter(entry -> entry.getKey().matcher(path).matches())
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static int parameters(Operation operation) {
    return operation.path().length() - operation.path().replace("{", "").length();
  }

  /** What a node is once its {@code $ref} is followed. */
  JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? resolved(root.at(node.get("$ref").asText().substring(1))) : node;
  }

  /** A schema with what stands beside its reference. */
  ObjectNode described(JsonNode reference) {
    var schema = (ObjectNode) resolved(reference).deepCopy();
    reference.properties().forEach(beside -> schema.set(beside.getKey(), beside.getValue()));
    return schema;
  }

  /** What is wrong with a value by a schema of the document. */
  List<String> violations(JsonNode schema, JsonNode value) {
    return compiledByNode
        .computeIfAbsent(schema, node -> compiled.computeIfAbsent(node, this::compile))
        .validate(value)
        .stream()
        .map(error -> error.getInstanceLocation() + ": " + error.getMessage())
        .toList();
  }

  private Schema compile(JsonNode schema) {
    var whole = schemas.deepCopy();
    whole.setAll((ObjectNode) closed(schema));
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(SchemaLocation.of(ID), whole);
  }

  private static JsonNode closed(JsonNode schema) {
    var copy = schema.deepCopy();
    close(copy);
    return copy;
  }

  private static void close(JsonNode schema) {
    if (schema instanceof ObjectNode object
        && object.path("properties").isObject()
        && !object.has("additionalProperties")) {
      object.put("additionalProperties", false);
    }
    schema.forEach(OpenApi::close);
  }

  private List<Operation> operations(JsonNode paths) {
    var found = new ArrayList<Operation>();
    for (var path : paths.properties()) {
      for (var verb : path.getValue().properties()) {
        if (!verb.getKey().equals("parameters")) {
          found.add(operation(path.getKey(), path.getValue(), verb));
        }
      }
    }
    return found;
  }

  private Operation operation(String path, JsonNode item, Map.Entry<String, JsonNode> verb) {
    var parameters = new ArrayList<JsonNode>();
    item.path("parameters").forEach(p -> parameters.add(resolved(p)));
    verb.getValue().path("parameters").forEach(p -> parameters.add(resolved(p)));
    return new Operation(verb.getKey().toUpperCase(Locale.ROOT), path, verb.getValue(), parameters);
  }
}
