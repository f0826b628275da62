package dev.cairn.mcp;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * The schemas of a tool for an operation of the REST API. Its arguments and result are described
 * once, in {@code src/main/openapi}; {@code docs/api.md}, The OpenAPI document.
 *
 * @param open whether the operation can be called without credentials to read public content
 * @param inRepository whether its path names a repository
 * @param arguments the JSON Schemas of the arguments by their names, without {@code org} and {@code
 *     repo} if the path names a repository
 * @param required the names of the required arguments
 * @param result the JSON Schema of the result
 */
@RegisterForReflection
record ToolSchemas(
    boolean open,
    boolean inRepository,
    Map<String, ObjectNode> arguments,
    List<String> required,
    ObjectNode result) {

  private static final String FILE = "/META-INF/mcp-tools.json";
  private static final Map<String, ToolSchemas> ALL = read();

  private static Map<String, ToolSchemas> read() {
    try (var file = ToolSchemas.class.getResourceAsStream(FILE)) {
      return JsonMapper.builder().build().readValue(file, new TypeReference<>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The schemas of the tool of that name.
   *
   * @throws IllegalArgumentException if no operation names the tool
   */
  static ToolSchemas of(String tool) {
    var schemas = ALL.get(tool);
    if (schemas == null) {
      throw new IllegalArgumentException("no operation in src/main/openapi names the tool " + tool);
    }
    return schemas;
  }
}
