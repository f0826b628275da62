package dev.cairn.action;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** A server of webhooks, which keeps what it gets and answers as the test says. */
public final class Receiver implements AutoCloseable {
  private final HttpServer server;
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private volatile Answer answer = call -> status(200);

  /** What came. */
  public record Call(String path, Map<String, List<String>> headers, byte[] body) {
    /** The first value of a header, or null. */
    public String header(String name) {
      return headers.entrySet().stream()
          .filter(header -> header.getKey().equalsIgnoreCase(name))
          .map(header -> header.getValue().getFirst())
          .findFirst()
          .orElse(null);
    }

    /** The body as JSON. */
    public JsonNode json() {
      try {
        return new ObjectMapper().readTree(body);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    /** The path and query of the callback's URL. */
    public String callback() {
      var url = URI.create(json().at("/data/callbackUrl").textValue());
      return url.getRawPath() + "?" + url.getRawQuery();
    }

    /** The body's text. */
    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  /** What is answered. */
  public record Reply(int status, Map<String, String> headers, byte[] body) {
    /** One without a body. */
    public Reply(int status, Map<String, String> headers) {
      this(status, headers, new byte[0]);
    }
  }

  /** Chooses what is answered. */
  @FunctionalInterface
  public interface Answer {
    /** The reply to a call; may take its time. */
    Reply to(Call call) throws InterruptedException;
  }

  /** Begins to listen on a free port of 127.0.0.1. */
  public Receiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 100);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var call =
          new Call(
              exchange.getRequestURI().toString(),
              exchange.getRequestHeaders(),
              exchange.getRequestBody().readAllBytes());
      calls.add(call);
      var reply = answer.to(call);
      reply.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(
          reply.status(), reply.body().length == 0 ? -1 : reply.body().length);
      exchange.getResponseBody().write(reply.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A reply without anything but its status. */
  public static Reply status(int status) {
    return new Reply(status, Map.of());
  }

  /** Answers from now on with a status and a body. */
  public Receiver answering(int status, String body) {
    return answering(_ -> new Reply(status, Map.of(), body.getBytes(StandardCharsets.UTF_8)));
  }

  /** Answers from now on with a status. */
  public Receiver answering(int status) {
    return answering(_ -> status(status));
  }

  /** Answers from now on as chosen. */
  public Receiver answering(Answer how) {
    answer = how;
    return this;
  }

  /** Where to call it. */
  public String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  /** What has come so far. */
  public List<Call> calls() {
    return List.copyOf(calls);
  }

  /** The only call that has come. */
  public Call only() {
    if (calls.size() != 1) {
      throw new AssertionError(calls.size() + " calls");
    }
    return calls.getFirst();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
