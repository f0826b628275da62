package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The OpenAPI document, as the client is compared with it. */
final class ApiDocument {
  private static final Path FILE = Path.of("src/main/resources/META-INF/openapi.yaml");

  private final JsonNode root;

  private ApiDocument(JsonNode root) {
    this.root = root;
  }

  static ApiDocument read() {
    try {
      return new ApiDocument(new YAMLMapper().readTree(FILE.toFile()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The schemas with members, by their names. */
  Map<String, JsonNode> objects() {
    var objects = new HashMap<String, JsonNode>();
    for (var schema : root.at("/components/schemas").properties()) {
      if (schema.getValue().has("properties")) {
        objects.put(schema.getKey(), schema.getValue());
      }
    }
    return objects;
  }

  /** A schema by its name. */
  JsonNode schema(String name) {
    return root.at("/components/schemas/" + name);
  }

  /** The schema itself, if this one only refers to it. */
  JsonNode resolved(JsonNode schema) {
    return schema.has("$ref") ? schema(nameOf(schema)) : schema;
  }

  /** The name that a reference has; null if it is none. */
  static String nameOf(JsonNode schema) {
    var reference = schema.path("$ref").textValue();
    return reference == null ? null : reference.substring(reference.lastIndexOf('/') + 1);
  }

  /** The ids of all operations, with their methods and paths. */
  Map<String, String> operations() {
    var operations = new HashMap<String, String>();
    for (var path : root.path("paths").properties()) {
      for (var operation : path.getValue().properties()) {
        var id = operation.getValue().path("operationId").textValue();
        if (id != null) {
          operations.put(id, operation.getKey() + " " + path.getKey());
        }
      }
    }
    return operations;
  }

  /** The error codes. */
  Set<String> errorCodes() {
    return schema("Problem")
        .at("/properties/code/examples")
        .valueStream()
        .map(JsonNode::textValue)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
