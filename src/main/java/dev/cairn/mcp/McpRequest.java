package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.MultiMap;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One JSON-RPC request.
 *
 * @param headers the headers of its HTTP request
 * @param responseHeaders the headers of the HTTP response, which can be set until it begins
 * @param message the JSON-RPC message
 * @param repository {@code org/repo} if the path names one
 * @param selection the tools that it may list and call
 * @param commit the body of the commit that it calls for, if that is too large to be read with the
 *     message; otherwise null
 * @param isSignedIn whether the caller is signed in, so that answers are private to the caller
 * @param budget bounds the memory of the answers to the HTTP request
 * @param stream sends a message to the client before the answer
 */
record McpRequest(
    MultiMap headers,
    MultiMap responseHeaders,
    ObjectNode message,
    Optional<String> repository,
    ToolSelection selection,
    byte[] commit,
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
