import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/** A receiver of webhooks: what comes to {@code /fail} gets 500, everything else 204. */
final class Receiver implements AutoCloseable {
  private static final Pattern NAME = Pattern.compile("\"name\":\"(probe\\d+)\"");

  private final HttpServer server;
  private final Queue<String> bodies = new ConcurrentLinkedQueue<>();
  private final Queue<String> authorizations = new ConcurrentLinkedQueue<>();
  private final Map<String, Long> arrivals = new ConcurrentHashMap<>();

  Receiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 1000);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::receive);
    server.start();
  }

  String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private void receive(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    long arrived = System.nanoTime();
    var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    if (path.startsWith("/ok")) {
      NAME.matcher(body).results().forEach(name -> arrivals.putIfAbsent(name.group(1), arrived));
    } else if (!path.startsWith("/fail")) {
      bodies.add(body);
      authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    }
    exchange.sendResponseHeaders(path.startsWith("/fail") ? 500 : 204, -1);
    exchange.close();
  }

  /** What was sent to paths other than {@code /ok} and {@code /fail}. */
  Queue<String> bodies() {
    return bodies;
  }

  /** The header of each of these. */
  Queue<String> authorizations() {
    return authorizations;
  }

  /** When {@code /ok} was told of this note, by {@link System#nanoTime}; null if it was not. */
  Long arrival(String note) {
    return arrivals.get(note);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
