package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.model.Problem;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Optional;

/**
 * The rules of one or several revisions of the protocol. What all of them share is in {@link
 * McpMethods}. See {@code docs/mcp.md}, Revisions.
 */
interface Revision {
  /**
   * The requests in the body of an HTTP request that must be answered; empty if it has only
   * notifications.
   *
   * @param body one message, or several if the revision allows batches
   * @throws McpError if the body is not valid for the revision
   * @throws Problem if the headers are not valid
   */
  List<ObjectNode> requests(MultiMap headers, JsonNode body);

  /**
   * The result of a request.
   *
   * @throws McpError if the protocol does not allow the request
   */
  ObjectNode result(McpRequest request);

  /**
   * What a request subscribes to; empty if it is any other request. It is answered by a stream
   * instead of a result. A revision that has such requests allows no batches.
   *
   * @throws McpError as {@link #result}
   */
  Optional<ResourceSubscription> subscription(McpRequest request);
}
