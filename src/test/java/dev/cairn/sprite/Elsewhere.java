package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.cairn.access.MemberRoles;
import dev.cairn.access.token.ServiceTokens;
import dev.cairn.action.Executor;
import dev.cairn.platform.Configs;
import dev.cairn.platform.database.Database;
import dev.cairn.subscription.CredentialSets;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A service whose commands run until a test says how they end, and which answers every question at
 * once, unless the test holds it.
 */
public final class Elsewhere implements AutoCloseable {
  private static final String RUNNING = "{\"state\":\"running\"}";
  static final String KEY = "a-bearer-key";

  private final HttpServer server;
  private final AtomicInteger troubles = new AtomicInteger();
  private volatile String state = RUNNING;
  private volatile CountDownLatch held = new CountDownLatch(0);

  /** The methods of the requests. */
  public final List<String> requests = new CopyOnWriteArrayList<>();

  /** One that listens. */
  public Elsewhere() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      var method = exchange.getRequestMethod();
      requests.add(method);
      switch (method) {
        case "PUT" -> answer(exchange, 200, RUNNING);
        case "GET" -> {
          held.await(30, TimeUnit.SECONDS);
          boolean isTroubled = troubles.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
          answer(exchange, isTroubled ? 503 : 200, isTroubled ? "{}" : state);
        }
        default -> exchange.sendResponseHeaders(204, -1);
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    var body = text.getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  /** The command ends. */
  public void end(int status, String output) {
    state = "{\"state\":\"exited\",\"exitCode\":%d,\"stdout\":\"%s\"}".formatted(status, output);
  }

  /** This number of requests from now on is answered by 503. */
  public void trouble(int count) {
    troubles.set(count);
  }

  /** Questions get no answer from now on. */
  public void hold() {
    held = new CountDownLatch(1);
  }

  /** They get it. */
  public void release() {
    held.countDown();
  }

  /** How many requests there were. */
  public long count(String method) {
    return requests.stream().filter(method::equals).count();
  }

  /** What carries out sprites by this service. */
  public Executor executor(
      Database database,
      ServiceTokens tokens,
      CredentialSets credentials,
      MemberRoles roles,
      MeterRegistry metrics) {
    var config =
        Configs.of(
            Map.of(
                "cairn.sprite.backend",
                "http",
                "cairn.sprite.url",
                "http://127.0.0.1:" + server.getAddress().getPort(),
                "cairn.sprite.key",
                KEY,
                "cairn.sprite.git-base",
                "https://user:p%40ssword@git.example.org"));
    return new SpriteExecutor(
        database,
        tokens,
        credentials,
        roles,
        new SpriteOrganizations(database, config),
        config,
        List.of(new HttpBackend(config)),
        metrics);
  }

  @Override
  public void close() {
    release();
    server.stop(0);
  }
}
