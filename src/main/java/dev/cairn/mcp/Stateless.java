package dev.cairn.mcp;

import static dev.cairn.mcp.McpError.HEADER_MISMATCH;
import static dev.cairn.mcp.McpError.INVALID_PARAMS;
import static dev.cairn.mcp.McpError.METHOD_NOT_FOUND;
import static dev.cairn.mcp.McpError.UNSUPPORTED_VERSION;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.MultiMap;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Speaks the revision 2026-07-28: every request says all that there is to know about it, in its
 * headers as in its body. See {@code docs/mcp.md}, Revisions.
 */
@ApplicationScoped
class Stateless {
  /** The revision that is spoken here. */
  static final String VERSION = "2026-07-28";

  /** The revisions that begin with a handshake, newest first. */
  static final List<String> BY_HANDSHAKE =
      List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

  static final String VERSION_HEADER = "MCP-Protocol-Version";

  private static final String PREFIX = "io.modelcontextprotocol/";
  private static final String VERSION_KEY = PREFIX + "protocolVersion";
  private static final String CAPABILITIES_KEY = PREFIX + "clientCapabilities";
  private static final String ENCODED = "=?base64?";
  private static final String ENCODED_END = "?=";
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;

  /** What is listed changes with the service's version only. */
  private static final long FRESH_MILLIS = 300_000;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Catalogue catalogue;
  private final Offer offer;
  private final ToolRunner runner;
  private final Completions completions;
  private final String version;

  /**
   * A request.
   *
   * @param message the JSON-RPC message
   * @param repository {@code org/repo} where the path names one
   * @param isSignedIn whether somebody known calls, so that answers are his
   * @param notices sends a notification before the answer
   */
  record Request(
      MultiMap headers,
      ObjectNode message,
      Optional<String> repository,
      boolean isSignedIn,
      Consumer<ObjectNode> notices) {

    String method() {
      return message.path("method").asText();
    }

    JsonNode params() {
      return message.path("params");
    }

    JsonNode meta() {
      return params().path("_meta");
    }
  }

  Stateless(
      Catalogue catalogue,
      Offer offer,
      ToolRunner runner,
      Completions completions,
      @ConfigProperty(name = "quarkus.application.version") String version) {
    this.catalogue = catalogue;
    this.offer = offer;
    this.runner = runner;
    this.completions = completions;
    this.version = version;
  }

  /** Whether a message is of this revision, or of one that is not known here. */
  static boolean isSpoken(MultiMap headers, JsonNode message) {
    var named = headers.get(VERSION_HEADER);
    return (named != null && !BY_HANDSHAKE.contains(named))
        || message.path("params").path("_meta").has(VERSION_KEY);
  }

  /**
   * The result of a request.
   *
   * @throws McpError where it is not one by the protocol
   */
  ObjectNode answer(Request request) {
    check(request);
    var result = result(request);
    if (!result.has("resultType")) {
      result.put("resultType", "complete");
    }
    result
        .withObject("/_meta")
        .putObject(PREFIX + "serverInfo")
        .put("name", "cairn")
        .put("title", "Cairn")
        .put("version", version);
    return result;
  }

  /** The order in which the revision wants the rules of its envelope looked at. */
  private static void check(Request request) {
    var named = request.headers().get(VERSION_HEADER);
    if (named == null) {
      throw mismatch("The header " + VERSION_HEADER + " is missing.");
    }
    for (var header : List.of(VERSION_HEADER, "Mcp-Method", "Mcp-Name")) {
      if (request.headers().getAll(header).size() > 1) {
        throw mismatch("The header " + header + " is there twice.");
      }
    }
    var meta = request.meta();
    if (!meta.path(VERSION_KEY).isTextual() || !meta.path(CAPABILITIES_KEY).isObject()) {
      throw McpError.of(
          BAD_REQUEST,
          INVALID_PARAMS,
          "`params._meta` needs `%s` and `%s`.".formatted(VERSION_KEY, CAPABILITIES_KEY));
    }
    if (!named.equals(meta.path(VERSION_KEY).asText())) {
      throw mismatch("The header %s and `_meta` differ.".formatted(VERSION_HEADER));
    }
    if (!named.equals(VERSION)) {
      var unsupported =
          McpError.of(BAD_REQUEST, UNSUPPORTED_VERSION, "Unsupported protocol version.");
      supported(unsupported.data().putArray("supported"));
      unsupported.data().put("requested", named);
      throw unsupported;
    }
    if (!request.method().equals(request.headers().get("Mcp-Method"))) {
      throw mismatch("The header Mcp-Method must say the request's method.");
    }
    var target = target(request);
    if (target.isPresent() && !target.equals(name(request.headers().get("Mcp-Name")))) {
      throw mismatch("The header Mcp-Name must say what the request names.");
    }
  }

  private static Optional<String> target(Request request) {
    return switch (request.method()) {
      case "tools/call", "prompts/get" -> Optional.of(request.params().path("name").asText());
      case "resources/read" -> Optional.of(request.params().path("uri").asText());
      default -> Optional.empty();
    };
  }

  /** The value of a header, whose characters beyond those of headers are encoded. */
  private static Optional<String> name(String header) {
    if (header == null
        || header.length() < ENCODED.length() + ENCODED_END.length()
        || !header.startsWith(ENCODED)
        || !header.endsWith(ENCODED_END)) {
      return Optional.ofNullable(header);
    }
    try {
      var encoded = header.substring(ENCODED.length(), header.length() - ENCODED_END.length());
      return Optional.of(new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw mismatch("The header Mcp-Name is not the Base64 that it says it is.");
    }
  }

  private static McpError mismatch(String message) {
    return McpError.of(BAD_REQUEST, HEADER_MISMATCH, message);
  }

  private ObjectNode result(Request request) {
    return switch (request.method()) {
      case "server/discover" -> discover();
      case "tools/list" -> listed("tools", tools(request.repository()), request);
      case "tools/call" -> call(request);
      case "resources/list" -> listed("resources", resources(request.repository()), request);
      case "resources/templates/list" -> listed("resourceTemplates", templates(), request);
      case "resources/read" -> read(request);
      case "prompts/list" -> listed("prompts", prompts(), request);
      case "prompts/get" -> prompt(request);
      case "completion/complete" -> completions.complete(request.params());
      default -> throw McpError.of(NOT_FOUND, METHOD_NOT_FOUND, "There is no such method here.");
    };
  }

  private static ObjectNode discover() {
    var result = fresh(NODES.objectNode(), "public", FRESH_MILLIS);
    supported(result.putArray("supportedVersions"));
    var capabilities = result.putObject("capabilities");
    for (var capability : List.of("tools", "resources", "prompts", "completions")) {
      capabilities.putObject(capability);
    }
    return result.put("instructions", Guide.INSTRUCTIONS);
  }

  private static void supported(ArrayNode versions) {
    versions.add(VERSION);
    BY_HANDSHAKE.forEach(versions::add);
  }

  private static ObjectNode fresh(ObjectNode result, String scope, long millis) {
    return result.put("ttlMs", millis).put("cacheScope", scope);
  }

  /** A list that fits into one page. */
  private static ObjectNode listed(String name, ArrayNode items, Request request) {
    if (request.params().has("cursor")) {
      throw McpError.params("This list has one page; there is no such cursor.");
    }
    var result = NODES.objectNode();
    result.set(name, items);
    return fresh(result, "public", FRESH_MILLIS);
  }

  private ArrayNode tools(Optional<String> repository) {
    var tools = NODES.arrayNode();
    catalogue
        .tools(repository.isPresent())
        .forEach(tool -> tools.add(tool.listed(repository.isPresent())));
    return tools;
  }

  /** The resources that are listed, as every revision lists them. */
  ArrayNode resources(Optional<String> repository) {
    var resources = NODES.arrayNode();
    offer
        .resources(repository)
        .forEach(resource -> resources.add(listed(resource).put("uri", resource.uri())));
    return resources;
  }

  private ArrayNode templates() {
    var templates = NODES.arrayNode();
    offer
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
    offer.prompts().forEach(prompt -> prompts.add(prompt.listed()));
    return prompts;
  }

  private ObjectNode call(Request request) {
    var name = request.params().path("name").asText();
    var tool =
        catalogue
            .tool(name, request.repository().isPresent())
            .orElseThrow(() -> McpError.params("There is no tool `" + name + "` here."));
    var arguments =
        ToolCall.arguments(tool, request.params().path("arguments"), request.repository());
    return runner.run(tool, toolCall(request, arguments)).json();
  }

  private ObjectNode prompt(Request request) {
    var name = request.params().path("name").asText();
    return offer
        .prompt(name)
        .orElseThrow(() -> McpError.params("There is no prompt `" + name + "`."))
        .get(toolCall(request, ToolCall.arguments(request.params().path("arguments"))));
  }

  private ObjectNode read(Request request) {
    var uri = request.params().path("uri").asText();
    var content =
        runner
            .read(() -> offer.read(uri))
            .orElseThrow(
                () -> {
                  var missing = McpError.params("Resource not found");
                  missing.data().put("uri", uri);
                  return missing;
                });
    var result = NODES.objectNode();
    result.putArray("contents").add(content);
    return fresh(result, request.isSignedIn() ? "private" : "public", 0);
  }

  private static ToolCall toolCall(Request request, ObjectNode arguments) {
    var params = request.params();
    return new ToolCall(
        arguments,
        request.meta().path(CAPABILITIES_KEY),
        params.path("inputResponses"),
        params.path("requestState").textValue(),
        progress(request));
  }

  private static ToolCall.Progress progress(Request request) {
    var token = request.meta().path("progressToken");
    if (!token.isTextual() && !token.isIntegralNumber()) {
      return ToolCall.Progress.NONE;
    }
    return (done, total, message) -> {
      var notification = NODES.objectNode();
      notification.put("jsonrpc", "2.0").put("method", "notifications/progress");
      var params = notification.putObject("params");
      params.set("progressToken", token);
      params.put("progress", done).put("message", message);
      if (total != null) {
        params.put("total", total);
      }
      request.notices().accept(notification);
    };
  }
}
