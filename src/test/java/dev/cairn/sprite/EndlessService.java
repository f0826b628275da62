package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A service whose answers do not end: one piece after another, with a pause before each. */
final class EndlessService implements AutoCloseable {
  private final HttpServer server;
  private final String type;
  private final byte[] piece;
  private final Duration pause;
  private final CountDownLatch cutOff = new CountDownLatch(1);

  EndlessService(String type, String piece, Duration pause) throws IOException {
    this.type = type;
    this.piece = piece.getBytes(UTF_8);
    this.pause = pause;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      exchange.getResponseHeaders().add("Content-Type", type);
      exchange.sendResponseHeaders(200, 0);
      var body = exchange.getResponseBody();
      body.write("{\"state\":\"running\",\"stdout\":\"".getBytes(UTF_8));
      while (true) {
        Thread.sleep(pause);
        body.write(piece);
        body.flush();
      }
    } catch (IOException e) {
      cutOff.countDown();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Whether somebody has hung up on it, or does so soon. */
  boolean isCutOff() throws InterruptedException {
    return cutOff.await(10, TimeUnit.SECONDS);
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
