package dev.cairn.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.platform.Failure;
import dev.cairn.platform.ProblemDocument;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/**
 * The answer to one request: a JSON object, or, where something is to be said before it, a stream
 * of events that ends with it.
 */
final class ResponseWriter {
  private static final String CONTENT_TYPE = "Content-Type";
  private static final String JSON = "application/json";
  private static final String EVENTS = "text/event-stream";
  private static final int OK = 200;
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8).build();

  private final HttpServerResponse response;
  private boolean streams;
  private boolean ended;

  ResponseWriter(HttpServerResponse response) {
    this.response = response;
    response.putHeader("Cache-Control", "no-store");
  }

  /** Says something before the answer; nothing once that is there. */
  synchronized void notification(ObjectNode message) {
    if (ended) {
      return;
    }
    if (!streams) {
      streams = true;
      response
          .setChunked(true)
          .putHeader(CONTENT_TYPE, EVENTS)
          // Or a proxy would keep it back until the end.
          .putHeader("X-Accel-Buffering", "no");
    }
    response.write(event(message));
  }

  void result(JsonNode id, ObjectNode result) {
    end(OK, message(id).set("result", result));
  }

  /**
   * Ends with an error.
   *
   * @param id null where the request's is not known
   */
  void error(JsonNode id, McpError error) {
    end(error.status(), message(id).set("error", error.toJson()));
  }

  /** Ends without a body. */
  synchronized void status(int status) {
    ended = true;
    response.setStatusCode(status).end();
  }

  /** Ends with a problem, where no message was understood; a stream that has begun just ends. */
  synchronized void failed(Failure failure) {
    if (ended) {
      return;
    }
    ended = true;
    if (streams) {
      response.end();
    } else {
      ProblemDocument.end(response, failure);
    }
  }

  private static ObjectNode message(JsonNode id) {
    var message = JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0");
    return id == null ? message : message.set("id", id);
  }

  private synchronized void end(int status, ObjectNode message) {
    ended = true;
    if (streams) {
      response.end(event(message));
    } else {
      response
          .setStatusCode(status)
          .putHeader(CONTENT_TYPE, JSON)
          .end(Buffer.buffer(bytes(message)));
    }
  }

  private static Buffer event(ObjectNode message) {
    return Buffer.buffer("event: message\ndata: ").appendBytes(bytes(message)).appendString("\n\n");
  }

  /** Without a string of all of it before. */
  private static byte[] bytes(ObjectNode message) {
    try {
      return MAPPER.writeValueAsBytes(message);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree is always writable", e);
    }
  }
}
