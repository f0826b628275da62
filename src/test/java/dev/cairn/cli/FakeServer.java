package dev.cairn.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that answers what a test has told it to, and remembers what it was asked. */
public final class FakeServer implements AutoCloseable {
  /**
   * A request that came.
   *
   * @param route the method and the path with its query, such as {@code GET /api/whoami}; the
   *     stream of an import is {@code import}
   * @param token the bearer token, or null
   * @param key the idempotency key, or null
   * @param body the body
   */
  public record Request(String route, String token, String key, String body) {}

  private static final int LOST = 0;

  private record Answer(int status, String body, Map<String, String> headers) {}

  private final HttpServer server;
  private final Map<String, Deque<Answer>> answers = new ConcurrentHashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  private FakeServer(HttpServer server) {
    this.server = server;
  }

  /** Starts one at a port of its own. */
  public static FakeServer start() {
    try {
      var http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      var server = new FakeServer(http);
      http.createContext("/", server::handle);
      http.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its URL. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** What has come so far. */
  public List<Request> requests() {
    return requests;
  }

  /** Answers a route with JSON; after several such calls in turn, then always with the last. */
  public FakeServer answer(String route, int status, String body) {
    return answer(route, status, body, Map.of());
  }

  /** The same with further headers. */
  public FakeServer answer(String route, int status, String body, Map<String, String> headers) {
    answers
        .computeIfAbsent(route, missing -> new ArrayDeque<>())
        .add(new Answer(status, body, headers));
    return this;
  }

  /** Answers a route with a problem document. */
  public FakeServer problem(String route, int status, String code, String detail) {
    return answer(
        route,
        status,
        """
        {"type":"urn:cairn:error:%s","title":"t","status":%d,"code":"%s","detail":"%s"}\
        """
            .formatted(code, status, code, detail),
        Map.of("Content-Type", "application/problem+json"));
  }

  /** Loses the connection after a request of a route has come. */
  public FakeServer lost(String route) {
    return answer(route, LOST, "");
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var route =
          (exchange.getRequestMethod() + " " + exchange.getRequestURI())
              .replaceFirst("/import-[0-9a-f-]{36}/", "/import/");
      var authorization = exchange.getRequestHeaders().getFirst("Authorization");
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      requests.add(
          new Request(
              route,
              authorization == null ? null : authorization.replaceFirst("^Bearer ", ""),
              exchange.getRequestHeaders().getFirst("Idempotency-Key"),
              body));
      var answer = next(route);
      if (answer.status() == LOST) {
        return;
      }
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      var bytes = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private synchronized Answer next(String route) {
    var prepared = answers.get(route);
    if (prepared == null) {
      throw new AssertionError("no answer was prepared for " + route);
    }
    return prepared.size() > 1 ? prepared.poll() : prepared.peek();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
