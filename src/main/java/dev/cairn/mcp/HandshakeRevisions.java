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

  private static final int RESOURCE_NOT_FOUND = -32_002;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final McpMethods methods;
  private final Catalogue catalogue;

  HandshakeRevisions(McpMethods methods, Catalogue catalogue) {
    this.methods = methods;
    this.catalogue = catalogue;
  }

  @Override
  public List<ObjectNode> requests(MultiMap headers, JsonNode body) {
    var accepted = String.join(",", headers.getAll("Accept"));
    if (!accepted.contains("application/json") || !accepted.contains("text/event-stream")) {
      throw Problem.of(
          ErrorCode.NOT_ACCEPTABLE, "`Accept` must name application/json and text/event-stream.");
    }
    return isExpectedResponse(body) ? List.of() : MessageReader.requests(body);
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
      // Any level is accepted, since no log message is sent.
      case "ping", "logging/setLevel" -> NODES.objectNode();
      case "resources/subscribe", "resources/unsubscribe" -> subscribe(request);
      case "resources/read" -> read(request);
      default -> methods.result(request);
    };
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
    var capabilities = result.putObject("capabilities");
    // Clients of these revisions expect these capabilities, although no list changes at run time.
    capabilities.putObject("tools").put("listChanged", true);
    capabilities.putObject("prompts").put("listChanged", true);
    capabilities.putObject("resources").put("listChanged", true).put("subscribe", true);
    capabilities.putObject("completions");
    capabilities.putObject("logging");
    return result;
  }

  /** Accepts subscriptions to listed resources and sends no updates, because they never change. */
  private ObjectNode subscribe(McpRequest request) {
    var uri = request.parameter("uri");
    if (catalogue.resources(Optional.empty()).stream().noneMatch(r -> r.uri().equals(uri))) {
      throw McpError.noResource(uri).withCode(RESOURCE_NOT_FOUND);
    }
    return NODES.objectNode();
  }

  private ObjectNode read(McpRequest request) {
    try {
      return methods.result(request);
    } catch (McpError e) {
      throw e.withCode(RESOURCE_NOT_FOUND);
    }
  }
}
