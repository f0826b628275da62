package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;

/** A service that answers with what it was told to, and then hangs up. */
final class ScriptedService implements AutoCloseable {
  /** Hangs up instead of answering. */
  static final Answer NONE = new Answer(0, "");

  private final HttpServer server;
  private final ConcurrentLinkedQueue<Answer> answers;

  /** The methods of the requests. */
  final List<String> requests = new CopyOnWriteArrayList<>();

  record Answer(int status, String body) {}

  ScriptedService(Answer... answers) throws IOException {
    this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0), answers);
  }

  /** One at {@code ::1} that has a certificate. */
  ScriptedService(SSLContext tls, Answer... answers) throws IOException {
    this(https(tls), answers);
  }

  private ScriptedService(HttpServer server, Answer... answers) {
    this.server = server;
    this.answers = new ConcurrentLinkedQueue<>(List.of(answers));
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            requests.add(exchange.getRequestMethod());
            exchange.getRequestBody().readAllBytes();
            var answer = this.answers.poll();
            if (answer == null || answer.equals(NONE)) {
              return;
            }
            var body = answer.body().getBytes(UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
          }
        });
    server.start();
  }

  private static HttpServer https(SSLContext tls) throws IOException {
    var server = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("::1"), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return server;
  }

  String url() {
    int port = server.getAddress().getPort();
    return server instanceof HttpsServer ? "https://[::1]:" + port : "http://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
