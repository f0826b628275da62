package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The smallest service that keeps to the contract of {@code docs/sprites.md}, The http backend: it
 * runs commands by a shell, beside itself.
 */
final class ReferenceService implements AutoCloseable {
  static final String KEY = "a-bearer-key";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final Map<String, Running> runs = new ConcurrentHashMap<>();

  /** What was asked of it: method and path. */
  final List<String> requests = new CopyOnWriteArrayList<>();

  /** The bodies that began runs. */
  final List<JsonNode> begun = new CopyOnWriteArrayList<>();

  private record Running(Process process, Future<Map<String, Object>> end) {}

  ReferenceService() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/base/runs/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/base";
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().getPath();
      var id = path.substring(path.lastIndexOf('/') + 1);
      requests.add(exchange.getRequestMethod() + " " + id);
      var key = exchange.getRequestHeaders().getFirst("Authorization");
      if (!("Bearer " + KEY).equals(key)) {
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      switch (exchange.getRequestMethod()) {
        case "PUT" -> {
          var body = JSON.readTree(exchange.getRequestBody());
          begun.add(body);
          runs.computeIfAbsent(id, _ -> begin(body));
          answer(exchange, state(id, Duration.ZERO));
        }
        case "GET" -> answer(exchange, state(id, wait(exchange.getRequestURI())));
        default -> {
          runs.get(id).process().destroyForcibly();
          exchange.sendResponseHeaders(204, -1);
        }
      }
    }
  }

  private static Duration wait(URI uri) {
    return Duration.ofSeconds(Long.parseLong(uri.getQuery().substring("wait=".length())));
  }

  private static void answer(HttpExchange exchange, Map<String, Object> state) throws IOException {
    var body = JSON.writeValueAsBytes(state);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  private Map<String, Object> state(String id, Duration wait) {
    try {
      return runs.get(id).end().get(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return Map.of("state", "running");
    } catch (Exception e) {
      return Map.of("state", "failed", "error", "execution", "message", "it broke");
    }
  }

  private static Running begin(JsonNode run) {
    try {
      var builder = new ProcessBuilder("/bin/sh", "-c", run.path("command").asText());
      builder.environment().clear();
      builder.environment().putAll(texts(run.path("environment")));
      builder.environment().putAll(texts(run.path("secrets")));
      var process = builder.start();
      var end =
          Executors.newVirtualThreadPerTaskExecutor()
              .submit(() -> end(process, run.path("input").asText()));
      return new Running(process, end);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, Object> end(Process process, String input) throws Exception {
    try (var stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(UTF_8));
    } catch (IOException e) {
      // The command does not read it.
    }
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    var errors = new String(process.getErrorStream().readAllBytes(), UTF_8);
    return Map.of(
        "state", "exited", "exitCode", process.waitFor(), "stdout", output, "stderr", errors);
  }

  private static Map<String, String> texts(JsonNode object) {
    var texts = new HashMap<String, String>();
    object.properties().forEach(member -> texts.put(member.getKey(), member.getValue().asText()));
    return texts;
  }

  @Override
  public void close() {
    runs.values().forEach(run -> run.process().destroyForcibly());
    server.stop(0);
  }
}
