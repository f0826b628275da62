package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.vertx.core.MultiMap;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The revisions from 2024-11-05 to 2025-11-25, which begin with {@code initialize}. The answer
 * names a session, because clients expect one, but no session is kept: every request is
 * independent, and any replica can serve it. See {@code docs/mcp.md}, Revisions.
 */
@ApplicationScoped
class HandshakeRevisions implements Revision {
  /** Newest first. */
  static final List<String> VERSIONS =
      List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

  /** The only revision with batches. */
  private static final String WITH_BATCHES = "2025-03-26";

  private static final int BAD_REQUEST = 400;
  private static final int RESOURCE_NOT_FOUND = -32_002;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final McpMethods methods;

  HandshakeRevisions(McpMethods methods) {
    this.methods = methods;
  }

  @Override
  public List<ObjectNode> requests(MultiMap headers, JsonNode body) {
    var accepted = String.join(",", headers.getAll("Accept"));
    if (!accepted.contains("application/json") || !accepted.contains("text/event-stream")) {
      throw Problem.of(
          ErrorCode.NOT_ACCEPTABLE, "`Accept` must name application/json and text/event-stream.");
    }
    if (body.isArray() && !hasBatches(headers)) {
      throw McpError.of(
          BAD_REQUEST,
          McpError.INVALID_REQUEST,
          "Only revision %s allows several messages at once: send each of them by itself."
              .formatted(WITH_BATCHES));
    }
    return isExpectedResponse(body) ? List.of() : MessageReader.requests(body);
  }

  /** Clients of that revision send no header with its name. */
  private static boolean hasBatches(MultiMap headers) {
    return headers.getAll(StatelessRevision.VERSION_HEADER).stream().allMatch(WITH_BATCHES::equals);
  }

  /**
   * Whether a message is the response to a request to the client. No tool of the service sends such
   * a request; the fixtures of the conformance suites do.
   */
  boolean isExpectedResponse(JsonNode message) {
    return false;
  }

  @Override
  public ObjectNode result(McpRequest request) {
    return switch (request.method()) {
      case "initialize" -> initialize(request);
      case "ping" -> NODES.objectNode();
      case "resources/read" -> read(request);
      default -> methods.result(request);
    };
  }

  /** They would need a stream of a session; see {@code docs/mcp.md}, Subscriptions to resources. */
  @Override
  public Optional<ResourceSubscription> subscription(McpRequest request) {
    return Optional.empty();
  }

  private ObjectNode initialize(McpRequest request) {
    request.responseHeaders().set("Mcp-Session-Id", UUID.randomUUID().toString());
    var version = request.parameter("protocolVersion");
    var result =
        NODES
            .objectNode()
            .put("protocolVersion", VERSIONS.contains(version) ? version : VERSIONS.getFirst())
            .put("instructions", Guide.INSTRUCTIONS);
    result.set("serverInfo", methods.serverInfo());
    result.set("capabilities", methods.capabilities());
    return result;
  }

  private ObjectNode read(McpRequest request) {
    try {
      return methods.result(request);
    } catch (McpError e) {
      throw e.withCode(RESOURCE_NOT_FOUND);
    }
  }
}
