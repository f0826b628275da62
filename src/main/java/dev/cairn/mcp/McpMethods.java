package dev.cairn.mcp;

import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The methods that all revisions of the protocol share; {@code docs/mcp.md}. */
@ApplicationScoped
class McpMethods {
  private static final int NOT_FOUND = 404;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Catalogue catalogue;
  private final ToolRunner runner;
  private final Completions completions;
  private final String version;
  private final Map<Object, SerializedString> prepared = new ConcurrentHashMap<>();

  McpMethods(
      Catalogue catalogue,
      ToolRunner runner,
      Completions completions,
      @ConfigProperty(name = "quarkus.application.version") String version) {
    this.catalogue = catalogue;
    this.runner = runner;
    this.completions = completions;
    this.version = version;
  }

  /** The service's name and version, which every revision sends. */
  ObjectNode serverInfo() {
    return NODES.objectNode().put("name", "cairn").put("title", "Cairn").put("version", version);
  }

  /** What every revision has: lists never change at run time, and nothing is logged. */
  ObjectNode capabilities() {
    var capabilities = NODES.objectNode();
    for (var capability : List.of("tools", "resources", "prompts", "completions")) {
      capabilities.putObject(capability);
    }
    return capabilities;
  }

  /**
   * The result of a request, without the members that only one revision adds.
   *
   * @throws McpError if the method is unknown, or the protocol does not allow the request
   */
  ObjectNode result(McpRequest request) {
    return switch (request.method()) {
      case "tools/list" ->
          list("tools", prepared(request.selection(), () -> tools(request.selection())), request);
      case "tools/call" -> callTool(request);
      case "resources/list" -> list("resources", json(resources(request.repository())), request);
      case "resources/templates/list" ->
          list("resourceTemplates", prepared("templates", this::templates), request);
      case "resources/read" -> readResource(request);
      case "prompts/list" -> list("prompts", prepared("prompts", this::prompts), request);
      case "prompts/get" -> getPrompt(request);
      case "completion/complete" -> completions.complete(request.params());
      default -> throw McpError.noMethod(NOT_FOUND);
    };
  }

  /** A list as a single page. */
  private ObjectNode list(String name, SerializedString items, McpRequest request) {
    if (request.params().has("cursor")) {
      throw McpError.params("This list has only one page: there is no such cursor.");
    }
    runner.read(request.budget(), () -> Optional.of(items), SerializedString::charLength);
    return NODES.objectNode().putRawValue(name, new RawValue(items));
  }

  /** A list that is the same for all requests; it is serialized once, since it can be long. */
  private SerializedString prepared(Object list, Supplier<ArrayNode> items) {
    return prepared.computeIfAbsent(list, _ -> json(items.get()));
  }

  private static SerializedString json(ArrayNode items) {
    return new SerializedString(items.toString());
  }

  private ArrayNode tools(ToolSelection selection) {
    var tools = NODES.arrayNode();
    catalogue.tools(selection).forEach(tool -> tools.add(tool.listed(selection.isBound())));
    return tools;
  }

  private ArrayNode resources(Optional<String> repository) {
    var resources = NODES.arrayNode();
    catalogue
        .resources(repository)
        .forEach(resource -> resources.add(listed(resource).put("uri", resource.uri())));
    return resources;
  }

  private ArrayNode templates() {
    var templates = NODES.arrayNode();
    catalogue
        .templates()
        .forEach(template -> templates.add(listed(template).put("uriTemplate", template.uri())));
    return templates;
  }

  private static ObjectNode listed(ResourceSource.Resource resource) {
    return NODES
        .objectNode()
        .put("name", resource.name())
        .put("title", resource.title())
        .put("description", resource.description())
        .put("mimeType", resource.mimeType());
  }

  private ArrayNode prompts() {
    var prompts = NODES.arrayNode();
    catalogue.prompts().forEach(prompt -> prompts.add(prompt.listed()));
    return prompts;
  }

  private ObjectNode callTool(McpRequest request) {
    var name = request.parameter("name");
    var tool =
        catalogue
            .tool(name, request.selection())
            .orElseThrow(() -> McpError.params("There is no tool `" + name + "` here."));
    return runner.run(tool, ToolCall.of(tool, request)).json();
  }

  private ObjectNode getPrompt(McpRequest request) {
    var name = request.parameter("name");
    return catalogue
        .prompt(name)
        .orElseThrow(() -> McpError.params("There is no prompt `" + name + "`."))
        .get(ToolCall.of(request));
  }

  private ObjectNode readResource(McpRequest request) {
    var uri = request.parameter("uri");
    var content =
        runner
            .read(
                request.budget(),
                () -> catalogue.read(uri),
                found -> found.path("text").asText().length())
            .orElseThrow(() -> McpError.noResource(uri));
    var result = NODES.objectNode();
    result.putArray("contents").add(content);
    return result;
  }
}
