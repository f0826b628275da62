package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.MultiMap;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One JSON-RPC request.
 *
 * @param headers of the HTTP request that carries it
 * @param responseHeaders of the HTTP response, as long as nothing of it was sent
 * @param message the JSON-RPC message
 * @param repository {@code org/repo} if the path names one
 * @param isSignedIn whether the caller has an account, so that answers are for this caller alone
 * @param budget what the answers to the HTTP request may take in memory
 * @param stream sends a message to the client before the answer
 */
record McpRequest(
    MultiMap headers,
    MultiMap responseHeaders,
    ObjectNode message,
    Optional<String> repository,
    boolean isSignedIn,
    AnswerBudget budget,
    Consumer<ObjectNode> stream) {

  String method() {
    return message.path("method").asText();
  }

  JsonNode params() {
    return message.path("params");
  }

  /** The text of a parameter; empty if it is missing. */
  String parameter(String name) {
    return params().path(name).asText();
  }

  JsonNode meta() {
    return params().path("_meta");
  }
}
