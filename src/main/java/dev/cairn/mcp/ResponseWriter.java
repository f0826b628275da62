package dev.cairn.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.platform.http.Compression;
import dev.cairn.platform.http.Failure;
import dev.cairn.platform.http.ProblemDocument;
import dev.cairn.platform.memory.StreamedBody;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes the HTTP response: one answer as JSON, or a stream of server-sent events if there are
 * several answers or if a message to the client precedes the answer. A stream is never compressed.
 */
final class ResponseWriter {
  private static final String CONTENT_TYPE = "Content-Type";
  private static final String JSON = "application/json";
  private static final String EVENTS = "text/event-stream";
  private static final String UNBUFFERED = "X-Accel-Buffering";
  private static final String EVENT = "event: message\ndata: ";
  private static final int OK = 200;
  private static final int ACCEPTED = 202;
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8).build();

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private int answersLeft = 1;
  private boolean isStream;
  private boolean hasEnded;

  ResponseWriter(HttpServerRequest request) {
    this.request = request;
    this.response = request.response();
    response.putHeader("Cache-Control", "no-store");
  }

  /** Sets the number of answers; to be called before the first answer. The default is one. */
  synchronized void expectAnswers(int count) {
    answersLeft = count;
  }

  /** Sends a message to the client before the answer; does nothing after the last answer. */
  synchronized void send(ObjectNode message) {
    if (hasEnded || response.closed()) {
      return;
    }
    if (!isStream) {
      isStream = true;
      response.setChunked(true);
      streamHeaders();
    }
    response.write(event(message));
  }

  private void streamHeaders() {
    response
        .putHeader(CONTENT_TYPE, EVENTS)
        // Otherwise a proxy may buffer the stream until its end.
        .putHeader(UNBUFFERED, "no");
  }

  /**
   * Streams events as fast as the client reads them, and ends the response.
   *
   * @param events writes them in the form of {@link #append}. If it fails before the first, the
   *     request can still be answered by {@link #failed}; later, the connection is closed
   */
  void stream(StreamedBody.Writer events) throws IOException {
    streamHeaders();
    try {
      StreamedBody.of(request, events).write(OutputStream.nullOutputStream());
    } catch (IOException | RuntimeException e) {
      response.headers().remove(UNBUFFERED);
      throw e;
    }
    end();
  }

  private synchronized void end() {
    hasEnded = true;
    if (!response.closed()) {
      response.end();
    }
  }

  /** Adds a message to the text of a stream of events. */
  static void append(ObjectNode message, StringBuilder text) {
    text.append(EVENT).append(message).append("\n\n");
  }

  void result(JsonNode id, ObjectNode result) {
    answer(OK, message(id).set("result", result));
  }

  /**
   * Answers with an error.
   *
   * @param id the id of the request, or null if it is not known
   */
  void error(JsonNode id, McpError error) {
    answer(error.status(), message(id).set("error", error.toJson()));
  }

  /** Ends without a body, because there was nothing to answer. */
  synchronized void accepted() {
    hasEnded = true;
    response.setStatusCode(ACCEPTED).end();
  }

  /**
   * Answers with the error of a failed request, unless all answers have been written.
   *
   * @param id the id of the request, or null if it is not known: then this is the last answer
   */
  synchronized void failed(JsonNode id, Failure failure) {
    if (hasEnded) {
      return;
    }
    if (id == null) {
      answersLeft = 1;
    }
    if (!isStream) {
      ProblemDocument.headers(failure.problem()).forEach(response::putHeader);
    }
    error(id, McpError.of(failure));
  }

  private static ObjectNode message(JsonNode id) {
    var message = JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0");
    return id == null ? message : message.set("id", id);
  }

  private synchronized void answer(int status, ObjectNode message) {
    answersLeft--;
    if (answersLeft > 0) {
      send(message);
      return;
    }
    hasEnded = true;
    if (isStream) {
      response.end(event(message));
    } else {
      response.setStatusCode(status).putHeader(CONTENT_TYPE, JSON);
      Compression.end(request, bytes(message));
    }
  }

  private static Buffer event(ObjectNode message) {
    return Buffer.buffer(EVENT).appendBytes(bytes(message)).appendString("\n\n");
  }

  /** Serializes without creating a string of the whole message first. */
  private static byte[] bytes(ObjectNode message) {
    try {
      return MAPPER.writeValueAsBytes(message);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }
}
