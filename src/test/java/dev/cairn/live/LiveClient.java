package dev.cairn.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.Prepared;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A client of live queries. */
final class LiveClient implements AutoCloseable, WebSocket.Listener {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
  private final Map<String, JsonNode> held = new ConcurrentHashMap<>();
  private final AtomicLong received = new AtomicLong();
  private final StringBuilder parts = new StringBuilder();
  private final CompletableFuture<End> end = new CompletableFuture<>();
  private WebSocket socket;

  /** How a connection was closed by the service. */
  record End(int code, String reason) {}

  private LiveClient() {}

  /** Connects for a repository, given by its path. */
  static LiveClient of(String token, String repository) {
    var client = new LiveClient();
    var uri =
        "ws://localhost:" + RestAssured.port + "/live?ticket=" + Events.ticket(token, repository);
    client.socket = CLIENT.newWebSocketBuilder().buildAsync(URI.create(uri), client).join();
    return client;
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean isLast) {
    parts.append(data);
    if (isLast) {
      var message = json(parts.toString());
      parts.setLength(0);
      received.incrementAndGet();
      if (message.has("items")) {
        held.put(message.get("id").textValue(), message);
      }
      messages.add(message);
    }
    from.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
    end.complete(new End(code, reason));
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable error) {
    end.completeExceptionally(error);
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a message, with ' for ". */
  void send(String message) {
    socket.sendText(message.replace('\'', '"'), true).join();
  }

  /** Subscribes to a query, given by its parameters as JSON, with ' for ". */
  void subscribe(String id, String query) {
    send("{'type':'subscribe','id':'%s','query':%s}".formatted(id, query));
  }

  /** Subscribes, and returns the items of the snapshot. */
  JsonNode snapshot(String id, String query) {
    subscribe(id, query);
    return next("snapshot", id).get("items");
  }

  /** The next message, which has this type and is for this query. */
  JsonNode next(String type, String id) {
    var message = next();
    assertEquals(type, message.get("type").textValue(), message::toString);
    assertEquals(id, message.path("id").textValue(), message::toString);
    return message;
  }

  /** The next message. */
  JsonNode next() {
    var message = next(LIMIT);
    assertNotNull(message, "there is no message");
    return message;
  }

  /** The items of the next message, which is an update. */
  JsonNode update(String id) {
    return next("update", id).get("items");
  }

  /** The next message, which is an error with this code. */
  JsonNode error(String id, String code) {
    var message = next("error", id);
    assertEquals(code, message.get("code").textValue(), message::toString);
    return message;
  }

  /** No message comes for a while. */
  void hearsNothing() {
    assertNull(next(Duration.ofMillis(700)));
  }

  private JsonNode next(Duration limit) {
    try {
      return messages.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The items that the last message of a query had. */
  JsonNode held(String id) {
    var message = held.get(id);
    return message == null ? null : message.get("items");
  }

  /** How many messages came. */
  long received() {
    return received.get();
  }

  /** Whether the connection has ended. */
  boolean hasEnded() {
    return end.isDone();
  }

  /** The service closes the connection in this way. */
  void endsWith(int code, String reason) {
    assertEquals(new End(code, reason), end.orTimeout(30, TimeUnit.SECONDS).join());
  }

  /** The items that a read of the same query gives. */
  static JsonNode read(String token, String repository, String query) {
    return Prepared.answer(200, token, "GET", repository + "/query?" + query, null).get("items");
  }

  @Override
  public void close() {
    socket.abort();
  }
}
