package dev.cairn.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An embedding service: two texts are the more similar the more words they have in common. It does
 * not accept a text with the word {@code unembeddable}, and fails for one with {@code fatal}. Tests
 * tell it, by {@code /faults}, how its next calls fail, which answers how many there have been.
 */
public class FakeEmbeddings implements QuarkusTestResourceLifecycleManager {
  static final int DIMENSIONS = 600;
  static final String MODEL = "fake model";
  static final String KEY = "key-of-the-service";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final AtomicInteger calls = new AtomicInteger();
  private HttpServer server;

  @Override
  public Map<String, String> start() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/v1/embeddings", this::embed);
    server.createContext("/faults", this::take);
    server.start();
    return Map.of(
        "cairn.embedding.request-dimensions",
        "true",
        "cairn.embedding.url",
        url() + "/v1",
        "cairn.embedding.model",
        MODEL,
        "cairn.embedding.dimensions",
        String.valueOf(DIMENSIONS),
        "cairn.embedding.key",
        KEY,
        "cairn.embedding.batch",
        "4",
        "cairn.embedding.timeout",
        "PT1S");
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Tells a test where to post faults, in its field of that name. */
  @Override
  public void inject(TestInjector injector) {
    injector.injectIntoFields(url() + "/faults", field -> field.getName().equals("faults"));
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      var names = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      faults.clear();
      faults.addAll(List.of(names.split(",", -1)));
      send(exchange, String.valueOf(calls.get()).getBytes(StandardCharsets.UTF_8));
    }
  }

  private void embed(HttpExchange exchange) throws IOException {
    try (exchange) {
      var request = JSON.readTree(exchange.getRequestBody().readAllBytes());
      var authorization = exchange.getRequestHeaders().getFirst("Authorization");
      if (!("Bearer " + KEY).equals(authorization)) {
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      if (!MODEL.equals(request.path("model").asText())) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      if (request.path("dimensions").asInt() != DIMENSIONS) {
        exchange.sendResponseHeaders(400, -1);
        return;
      }
      calls.incrementAndGet();
      var fault = faults.poll();
      switch (fault == null ? "" : fault) {
        case "too many requests" -> {
          exchange.getResponseHeaders().add("Retry-After", "1");
          exchange.sendResponseHeaders(429, -1);
        }
        case "failure" -> exchange.sendResponseHeaders(500, -1);
        case "no answer" -> {}
        case "slow" -> {
          pause();
          answer(exchange, request, request.get("input").size(), DIMENSIONS);
        }
        case "half" -> answer(exchange, request, request.get("input").size() / 2, DIMENSIONS);
        case "other dimensions" ->
            answer(exchange, request, request.get("input").size(), DIMENSIONS / 2);
        case "no JSON" -> send(exchange, "<html>".getBytes(StandardCharsets.UTF_8));
        default -> {
          if (has(request, "fatal")) {
            exchange.sendResponseHeaders(500, -1);
          } else if (has(request, "unembeddable") || has(request, "")) {
            exchange.sendResponseHeaders(400, -1);
          } else {
            answer(exchange, request, request.get("input").size(), DIMENSIONS);
          }
        }
      }
    }
  }

  /** Whether one of the texts has a word, or is blank. */
  private static boolean has(JsonNode request, String word) {
    return request
        .get("input")
        .valueStream()
        .map(JsonNode::textValue)
        .anyMatch(text -> word.isEmpty() ? text.isBlank() : text.contains(word));
  }

  private static void pause() {
    try {
      Thread.sleep(2_000);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void answer(HttpExchange exchange, JsonNode request, int count, int dimensions)
      throws IOException {
    var answer = JSON.createObjectNode().put("model", MODEL);
    var data = answer.putArray("data");
    for (int i = count - 1; i >= 0; i--) {
      var item = data.addObject().put("index", i);
      var numbers = item.putArray("embedding");
      for (double x : vector(request.get("input").get(i).textValue(), dimensions)) {
        numbers.add(x);
      }
    }
    send(exchange, JSON.writeValueAsBytes(answer));
  }

  private static double[] vector(String text, int dimensions) {
    var vector = new double[dimensions];
    for (var word : text.toLowerCase(Locale.ROOT).split("[^a-z]+", -1)) {
      vector[Math.floorMod(word.hashCode(), dimensions)] += word.isEmpty() ? 0 : 1;
    }
    return vector;
  }

  private static void send(HttpExchange exchange, byte[] body) throws IOException {
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void stop() {
    if (server != null) {
      server.stop(0);
    }
  }
}
