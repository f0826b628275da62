package dev.cairn.client;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** A server that gives prepared answers, one after the other, and remembers the requests. */
final class ScriptedServer implements AutoCloseable {
  /** Retries that take no time worth mentioning. */
  static final RetrySchedule QUICK =
      new RetrySchedule(4, Duration.ofMillis(1), Duration.ofSeconds(2));

  /** A request that came. */
  record Request(String route, Headers headers, String body) {
    String header(String name) {
      return headers.getFirst(name);
    }
  }

  /** Writes an answer. */
  @FunctionalInterface
  interface Answer {
    void write(HttpExchange exchange) throws IOException;
  }

  private final HttpServer server;
  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  ScriptedServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  /** Where it listens. */
  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** A client for it, with quick retries. */
  CairnClient.Builder client() {
    return CairnClient.builder(uri()).retries(QUICK);
  }

  /** Prepares an answer with JSON. */
  ScriptedServer then(int status, String json, String... headers) {
    return then(
        exchange -> {
          for (int i = 0; i < headers.length; i += 2) {
            exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
          }
          byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
          exchange.getResponseBody().write(bytes);
        });
  }

  /** Prepares a problem document. */
  ScriptedServer thenProblem(int status, String code, String... headers) {
    return then(
        status,
        """
        {"type":"urn:cairn:error:%s","title":"t","status":%d,"code":"%s","detail":"No."}\
        """
            .formatted(code, status, code),
        headers);
  }

  /** Prepares the loss of a connection after the request has come. */
  ScriptedServer thenLost() {
    return then(HttpExchange::close);
  }

  /** Prepares an answer. */
  ScriptedServer then(Answer answer) {
    answers.add(answer);
    return this;
  }

  /** The requests that have come. */
  List<Request> requests() {
    return requests;
  }

  /** The routes of the requests that have come. */
  List<String> routes() {
    return requests.stream().map(Request::route).toList();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      requests.add(
          new Request(
              exchange.getRequestMethod() + " " + exchange.getRequestURI(),
              exchange.getRequestHeaders(),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
      var answer = answers.poll();
      if (answer == null) {
        exchange.sendResponseHeaders(418, -1);
      } else {
        answer.write(exchange);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
