import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Holds each request until the service is ready, starts the service if it does not run, and ends it
 * by SIGTERM after a time without requests, as Knative's activator and autoscaler do.
 */
final class Activator {
  private static final File LOG = new File("target/scale-to-zero.log");

  private final List<String> command;
  private final Map<String, String> settings;
  private final Duration idle;
  private final int port;
  private final HttpServer server;
  private final AtomicInteger starts = new AtomicInteger();
  private final HttpClient inner =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private int underWay;
  private long lastUsed;
  private Process service;

  /**
   * An activator on a free port.
   *
   * @param command starts the service
   * @param settings environment variables of the service, except where it listens
   * @param idle how long after its last request the service is ended
   */
  Activator(List<String> command, Map<String, String> settings, Duration idle) throws IOException {
    this.command = command;
    this.settings = settings;
    this.idle = idle;
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::forward);
    server.start();
    Thread.ofVirtual().start(this::endWhenIdle);
  }

  /** The URL of a path of the service. */
  String url(String path) {
    return "http://localhost:" + server.getAddress().getPort() + path;
  }

  private void forward(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = exchange.getRequestBody().readAllBytes();
      begin();
      try {
        var answer = call(exchange, body);
        answer
            .headers()
            .firstValue("Content-Type")
            .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
        int length = answer.body().length;
        exchange.sendResponseHeaders(answer.statusCode(), length == 0 ? -1 : length);
        if (length > 0) {
          exchange.getResponseBody().write(answer.body());
        }
      } finally {
        done();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpResponse<byte[]> call(HttpExchange exchange, byte[] body)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(inner(exchange.getRequestURI().toString())));
    for (var name : List.of("Authorization", "Content-Type")) {
      var value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    request.method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
    return inner.send(request.build(), BodyHandlers.ofByteArray());
  }

  private String inner(String path) {
    return "http://127.0.0.1:" + port + path;
  }

  /** How often the service was started so far. */
  int starts() {
    return starts.get();
  }

  private synchronized void begin() throws IOException, InterruptedException {
    underWay++;
    if (service == null) {
      start();
    }
  }

  private synchronized void done() {
    underWay--;
    lastUsed = System.nanoTime();
  }

  private void start() throws IOException, InterruptedException {
    starts.incrementAndGet();
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(LOG));
    builder.environment().putAll(settings);
    builder
        .environment()
        .putAll(
            Map.of(
                "QUARKUS_HTTP_PORT",
                "" + port,
                "QUARKUS_HTTP_HOST",
                "127.0.0.1",
                "CAIRN_PUBLIC_URL",
                url("")));
    service = builder.start();
    while (!ready()) {
      if (!service.isAlive()) {
        throw new IOException("the service ended; see " + LOG);
      }
      Thread.sleep(2);
    }
  }

  private boolean ready() throws InterruptedException {
    try {
      var request = HttpRequest.newBuilder(URI.create(inner("/q/health/ready"))).build();
      return inner.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private void endWhenIdle() {
    try {
      while (true) {
        Thread.sleep(50);
        synchronized (this) {
          if (service != null && underWay == 0 && System.nanoTime() - lastUsed > idle.toNanos()) {
            end();
            notifyAll();
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the service, if it runs. */
  synchronized void end() throws InterruptedException {
    if (service != null) {
      service.destroy();
      if (!service.waitFor(45, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the service does not end");
      }
      service = null;
    }
  }

  /** Waits until the service has ended. */
  synchronized void awaitZero() throws InterruptedException {
    while (service != null) {
      wait();
    }
  }
}
