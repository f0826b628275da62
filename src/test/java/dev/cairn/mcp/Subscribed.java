package dev.cairn.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.live.Events;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A client of MCP that subscribes to resources. */
public final class Subscribed implements AutoCloseable {
  static final String METHOD = "subscriptions/listen";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String KEY = "io.modelcontextprotocol/subscriptionId";

  private final Object id;
  private final Events events;

  private Subscribed(Object id, Events events) {
    this.id = id;
    this.events = events;
  }

  /** The URI of a resource of a repository, given by its path. */
  public static String uri(String repository, String resource) {
    return "cairn://" + repository.substring("/api/repos/".length()) + "/" + resource;
  }

  /** The parameters that ask for changes of resources. */
  static Map<String, Object> params(List<String> uris) {
    return Map.of("notifications", Map.of("resourceSubscriptions", uris));
  }

  /**
   * Subscribes to resources, and waits until that is acknowledged; without a token if it is null.
   */
  public static Subscribed to(String token, String... uris) {
    var subscribed = open(token, "s", params(List.of(uris)));
    assertEquals(List.of(uris), subscribed.acknowledged());
    return subscribed;
  }

  /** What a request for resources is answered, if that is no stream. */
  public static ValidatableResponse ask(String token, List<String> uris) {
    return Mcp.of(Mcp.NEW, token).send(METHOD, params(uris));
  }

  /** Sends a request. */
  static Subscribed open(String token, Object id, Map<String, ?> params) {
    var all = new HashMap<String, Object>(params);
    all.put(
        "_meta",
        Map.of(
            "io.modelcontextprotocol/protocolVersion",
            Mcp.NEW,
            "io.modelcontextprotocol/clientCapabilities",
            Map.of()));
    try {
      var body =
          JSON.writeValueAsString(
              Map.of("jsonrpc", "2.0", "id", id, "method", METHOD, "params", all));
      var request =
          HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + "/mcp"))
              .header("Content-Type", "application/json")
              .header("Accept", "application/json, text/event-stream")
              .header("MCP-Protocol-Version", Mcp.NEW)
              .header("Mcp-Method", METHOD)
              .POST(HttpRequest.BodyPublishers.ofString(body));
      if (token != null) {
        request.header("Authorization", "Bearer " + token);
      }
      return new Subscribed(id, Events.open(request.build()));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** The URIs that the first message acknowledges. */
  List<String> acknowledged() {
    return notification("notifications/subscriptions/acknowledged")
        .path("notifications")
        .path("resourceSubscriptions")
        .valueStream()
        .map(JsonNode::textValue)
        .toList();
  }

  /** The parameters of the next message, which is this notification. */
  JsonNode notification(String method) {
    var message = message();
    assertEquals(method, message.path("method").textValue(), message::toString);
    assertEquals("2.0", message.path("jsonrpc").textValue());
    isOfThis(message.at("/params/_meta"));
    return message.get("params");
  }

  /** The next message says that this resource has changed. */
  public void isTold(String uri) {
    assertEquals(uri, notification("notifications/resources/updated").get("uri").textValue());
  }

  /** The next message is the result of the request, and the last one. */
  public void ends() {
    var message = message();
    assertEquals(JSON.valueToTree(id), message.get("id"), message::toString);
    assertEquals("complete", message.at("/result/resultType").textValue());
    assertEquals(
        "cairn",
        message
            .at("/result/_meta")
            .path("io.modelcontextprotocol/serverInfo")
            .path("name")
            .textValue());
    isOfThis(message.at("/result/_meta"));
    events.isClosed();
  }

  private void isOfThis(JsonNode meta) {
    assertEquals(JSON.valueToTree(id), meta.get(KEY));
  }

  private JsonNode message() {
    return events.next("message").data();
  }

  @Override
  public void close() {
    events.close();
  }
}
