package dev.cairn.mcp;

import static dev.cairn.mcp.McpError.HEADER_MISMATCH;
import static dev.cairn.mcp.McpError.INVALID_PARAMS;
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

/**
 * The revision 2026-07-28, which has no handshake: the headers of every request repeat the version,
 * method and name in its body. See {@code docs/mcp.md}, Revisions.
 */
@ApplicationScoped
class StatelessRevision implements Revision {
  private static final String VERSION = "2026-07-28";
  static final String VERSION_HEADER = "MCP-Protocol-Version";
  private static final String PREFIX = "io.modelcontextprotocol/";
  private static final String VERSION_KEY = PREFIX + "protocolVersion";

  /** The member of {@code _meta} with the client's capabilities. */
  static final String CAPABILITIES_KEY = PREFIX + "clientCapabilities";

  /** The member of {@code _meta} with the id of the request that a stream answers. */
  static final String SUBSCRIPTION_KEY = PREFIX + "subscriptionId";

  /** The member of {@code _meta} of a result with the service's name. */
  static final String SERVER_KEY = PREFIX + "serverInfo";

  private static final String BASE64 = "=?base64?";
  private static final String BASE64_END = "?=";
  private static final int BAD_REQUEST = 400;

  /** Lists change only with the version of the service. */
  private static final long LIST_TTL_MILLIS = 300_000;

  private final McpMethods methods;
  private final ResourceSubscriptions subscriptions;

  StatelessRevision(McpMethods methods, ResourceSubscriptions subscriptions) {
    this.methods = methods;
    this.subscriptions = subscriptions;
  }

  /** Whether a message is of this revision, or of an unsupported one. */
  static boolean isNamed(MultiMap headers, JsonNode message) {
    var version = headers.get(VERSION_HEADER);
    return (version != null && !HandshakeRevisions.VERSIONS.contains(version))
        || message.path("params").path("_meta").has(VERSION_KEY);
  }

  @Override
  public List<ObjectNode> requests(MultiMap headers, JsonNode body) {
    var request = MessageReader.message(body);
    if (!request.path("method").isTextual()) {
      throw McpError.notARequest();
    }
    return request.has("id") ? List.of(request) : List.of();
  }

  @Override
  public ObjectNode result(McpRequest request) {
    checkVersion(request);
    checkHeaders(request);
    var result = request.method().equals("server/discover") ? discover() : methods.result(request);
    switch (request.method()) {
      case "server/discover", "prompts/list", "resources/list", "resources/templates/list" ->
          result.put("ttlMs", LIST_TTL_MILLIS).put("cacheScope", "public");
      case "tools/list" ->
          result
              .put("ttlMs", LIST_TTL_MILLIS)
              .put(
                  "cacheScope",
                  ToolSelection.isInHeaders(request.headers()) ? "private" : "public");
      case "resources/read" ->
          result.put("ttlMs", 0).put("cacheScope", request.isSignedIn() ? "private" : "public");
      default -> {}
    }
    if (!result.has("resultType")) {
      result.put("resultType", "complete");
    }
    result.withObject("/_meta").set(SERVER_KEY, methods.serverInfo());
    return result;
  }

  @Override
  public Optional<ResourceSubscription> subscription(McpRequest request) {
    if (!request.method().equals(ResourceSubscriptions.METHOD)) {
      return Optional.empty();
    }
    checkVersion(request);
    checkHeaders(request);
    return Optional.of(subscriptions.of(request));
  }

  /** Must run before {@link #checkHeaders}: the revision prescribes the order of its checks. */
  private static void checkVersion(McpRequest request) {
    var version = request.headers().get(VERSION_HEADER);
    if (version == null) {
      throw mismatch("The header " + VERSION_HEADER + " is missing.");
    }
    for (var header : List.of(VERSION_HEADER, "Mcp-Method", "Mcp-Name")) {
      if (request.headers().getAll(header).size() > 1) {
        throw mismatch("The header " + header + " occurs more than once.");
      }
    }
    var meta = request.meta();
    if (!meta.path(VERSION_KEY).isTextual() || !meta.path(CAPABILITIES_KEY).isObject()) {
      throw McpError.of(
          BAD_REQUEST,
          INVALID_PARAMS,
          "`params._meta` must have `%s` and `%s`.".formatted(VERSION_KEY, CAPABILITIES_KEY));
    }
    if (!version.equals(meta.path(VERSION_KEY).asText())) {
      throw mismatch(
          "The header %s must be equal to the version in `_meta`.".formatted(VERSION_HEADER));
    }
    if (!version.equals(VERSION)) {
      var error = McpError.of(BAD_REQUEST, UNSUPPORTED_VERSION, "Unsupported protocol version.");
      addSupported(error.data().putArray("supported"));
      error.data().put("requested", version);
      throw error;
    }
  }

  private static void checkHeaders(McpRequest request) {
    if (!request.method().equals(request.headers().get("Mcp-Method"))) {
      throw mismatch("The header Mcp-Method must be equal to the request's method.");
    }
    var target = target(request);
    if (target.isPresent() && !target.equals(decoded(request.headers().get("Mcp-Name")))) {
      throw mismatch("The header Mcp-Name must be equal to the name or URI in the request.");
    }
  }

  private static Optional<String> target(McpRequest request) {
    return switch (request.method()) {
      case "tools/call", "prompts/get" -> Optional.of(request.parameter("name"));
      case "resources/read" -> Optional.of(request.parameter("uri"));
      default -> Optional.empty();
    };
  }

  /**
   * The value of a header; a value with characters that a header cannot contain is Base64-encoded.
   */
  private static Optional<String> decoded(String header) {
    if (header == null
        || header.length() < BASE64.length() + BASE64_END.length()
        || !header.startsWith(BASE64)
        || !header.endsWith(BASE64_END)) {
      return Optional.ofNullable(header);
    }
    try {
      var encoded = header.substring(BASE64.length(), header.length() - BASE64_END.length());
      return Optional.of(new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw mismatch("The header Mcp-Name is not valid Base64.");
    }
  }

  private static McpError mismatch(String message) {
    return McpError.of(BAD_REQUEST, HEADER_MISMATCH, message);
  }

  private ObjectNode discover() {
    var result = JsonNodeFactory.instance.objectNode();
    addSupported(result.putArray("supportedVersions"));
    var capabilities = methods.capabilities();
    capabilities.withObject("/resources").put("subscribe", true);
    result.set("capabilities", capabilities);
    return result.put("instructions", Guide.INSTRUCTIONS);
  }

  private static void addSupported(ArrayNode versions) {
    versions.add(VERSION);
    HandshakeRevisions.VERSIONS.forEach(versions::add);
  }
}
