package dev.cairn.action;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;

/**
 * A receiver of traces, which gives back to tests what it got. Messages of protobuf one after the
 * other are one message with all of what they hold.
 */
public class Collector implements QuarkusTestResourceLifecycleManager {
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private HttpServer server;

  @Override
  public Map<String, String> start() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/prefix/v1/traces", this::receive);
    server.createContext("/received", this::give);
    server.start();
    return Map.of("cairn.traces.endpoint", url() + "/prefix");
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().transferTo(received);
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private void give(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(200, received.size());
      received.writeTo(exchange.getResponseBody());
    }
  }

  /** Tells a test where to ask, in its field of that name. */
  @Override
  public void inject(TestInjector injector) {
    injector.injectIntoFields(url() + "/received", field -> field.getName().equals("collected"));
  }

  @Override
  public void stop() {
    if (server != null) {
      server.stop(0);
    }
  }
}
