import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/**
 * Simulates a service that is scaled to zero most of the time. An {@link Activator} starts the
 * service for a request and ends it after a time without requests; each minute the simulation sends
 * a tick. It measures cold requests, and checks that schedules and deliveries happen, and how late:
 *
 * <pre>
 * export CAIRN_DATABASE_URL=jdbc:postgresql://… CAIRN_DATABASE_USER=… CAIRN_DATABASE_PASSWORD=…
 * export CAIRN_SECRET_KEY=$(openssl rand -base64 32) CAIRN_ADMIN_EMAIL=… CAIRN_ADMIN_PASSWORD=…
 * java src/bench/ScaleToZero.java target/cairn-…-runner
 * </pre>
 *
 * <p>{@code STARTS} (40) cold requests, {@code MINUTES} (11) of schedules, {@code IDLE} (1) seconds
 * until the service is ended. The exit code is 1 if something did not happen.
 */
public final class ScaleToZero {
  private static final int STARTS = setting("STARTS", 40);
  private static final int MINUTES = setting("MINUTES", 11);
  private static final int IDLE = setting("IDLE", 1);
  private static final String TICK_TOKEN = "for a rehearsal alone";
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  private final Activator activator;
  private final Receiver receiver = new Receiver();
  private final String repository = "/api/repos/scale-" + Instant.now().getEpochSecond() + "/repo";
  private String token;

  private ScaleToZero(List<String> command) throws IOException {
    activator =
        new Activator(
            command,
            Map.of(
                "CAIRN_TICK_TOKEN", TICK_TOKEN,
                "CAIRN_EGRESS_ALLOW", "127.0.0.1",
                "CAIRN_DEMO", "true"),
            Duration.ofSeconds(IDLE));
  }

  public static void main(String... command) throws Exception {
    if (command.length == 0 || System.getenv("CAIRN_DATABASE_URL") == null) {
      System.err.println(
          "It takes an external database, by the environment, and a command; see the source.");
      System.exit(2);
    }
    var rehearsal = new ScaleToZero(List.of(command));
    boolean good;
    try {
      rehearsal.prepare();
      rehearsal.coldRequests();
      good = rehearsal.schedules();
    } finally {
      rehearsal.activator.end();
    }
    System.exit(good ? 0 : 1);
  }

  private static int setting(String name, int otherwise) {
    return Integer.parseInt(System.getenv().getOrDefault(name, "" + otherwise));
  }

  private void prepare() throws Exception {
    var login =
        "{\"email\":\"%s\",\"password\":\"%s\"}"
            .formatted(System.getenv("CAIRN_ADMIN_EMAIL"), System.getenv("CAIRN_ADMIN_PASSWORD"));
    token = member(send("POST", "/api/auth/login", login), "accessToken");
    var org = repository.split("/")[3];
    send("POST", "/api/orgs", "{\"name\":\"" + org + "\"}");
    send("POST", "/api/orgs/" + org + "/repos", "{\"name\":\"repo\"}");
    commit("{\"operation\":\"add\",\"name\":\"S\",\"data\":{\"fields\":{}}}");
    send(
        "POST",
        repository + "/subs",
        """
        {"name":"commits","kind":"webhook","shapeName":"S","filterJson":{},"webhookUrl":"%s"}
        """
            .formatted(receiver.url("/commit")));
    send(
        "POST",
        repository + "/subs",
        """
        {"name":"schedule","kind":"cron","executorKind":"webhook","webhookUrl":"%s",
         "cronConfig":{"cronspec":"*/5 * * * *"}}
        """
            .formatted(receiver.url("/cron")));
  }

  /**
   * Requests that have to start the service; every other one is a commit that causes a delivery.
   */
  private void coldRequests() throws Exception {
    var answers = new ArrayList<Long>();
    var arrivals = new ArrayList<Long>();
    for (int i = 0; i < STARTS; i++) {
      activator.awaitZero();
      long start = System.nanoTime();
      long startAt = System.currentTimeMillis();
      if (i % 2 == 0) {
        send("GET", "/api/repos/demo/world/things/Country/DE", null);
        answers.add(millisSince(start));
      } else {
        var id = commit("{\"operation\":\"add\",\"name\":\"S/%d\",\"data\":{}}".formatted(i));
        answers.add(millisSince(start));
        arrivals.add(receiver.awaitCommit(id) - startAt);
      }
    }
    report("cold requests, until the answer", answers);
    report("of them commits, until their webhook was called", arrivals);
  }

  /** Ticks each minute, and the delay of a schedule and a retry. */
  private boolean schedules() throws Exception {
    activator.awaitZero();
    int startsBefore = activator.starts();
    receiver.failsNext = true;
    long failed = System.currentTimeMillis();
    commit("{\"operation\":\"add\",\"name\":\"S/failing\",\"data\":{}}");
    var end = Instant.now().plus(MINUTES, ChronoUnit.MINUTES);
    var expected = new ArrayList<Long>();
    for (var minute = nextMinute(); minute.isBefore(end); minute = nextMinute()) {
      Thread.sleep(Duration.between(Instant.now(), minute));
      if (minute.getEpochSecond() / 60 % 5 == 0) {
        expected.add(minute.toEpochMilli());
      }
      send("POST", "/internal/tick?seconds=20", "");
    }
    activator.awaitZero();
    var late = new ArrayList<Long>();
    for (var due : expected) {
      var at = receiver.ticks.get(due);
      if (at != null) {
        late.add(at - due);
      }
    }
    System.out.printf(
        "%d minutes with a tick in each: %d starts, %d of %d schedules fired%n",
        MINUTES, activator.starts() - startsBefore, late.size(), expected.size());
    report("schedules, late", late);
    var retried = receiver.retried;
    System.out.println(
        retried == 0
            ? "the retry did not come"
            : "a delivery that failed came again after %d ms".formatted(retried - failed));
    return late.size() == expected.size() && !expected.isEmpty() && retried != 0;
  }

  private static Instant nextMinute() {
    return Instant.now().truncatedTo(ChronoUnit.MINUTES).plus(1, ChronoUnit.MINUTES);
  }

  private String commit(String operation) throws Exception {
    return member(
        send("POST", repository + "/commits", "{\"operations\":[" + operation + "]}"), "commitId");
  }

  private String send(String method, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(activator.url(path))).timeout(Duration.ofMinutes(2));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (path.startsWith("/internal/")) {
      request.header("Authorization", "Bearer " + TICK_TOKEN);
    } else if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    var answer = HTTP.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      throw new IllegalStateException(path + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  private static String member(String json, String name) {
    var matcher = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
    if (!matcher.find()) {
      throw new IllegalStateException("no " + name + " in " + json);
    }
    return matcher.group(1);
  }

  private static long millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1_000_000;
  }

  private static void report(String what, List<Long> values) {
    if (values.isEmpty()) {
      return;
    }
    Collections.sort(values);
    int n = values.size();
    System.out.printf(
        "%s: %d, p50 %d ms, p99 %d ms, at most %d ms%n",
        what, n, values.get(n / 2), values.get(n * 99 / 100), values.get(n - 1));
  }

  /** A receiver of webhooks, which records the times of its calls. */
  private static final class Receiver {
    private final HttpServer server;
    private final Map<String, Long> commits = new ConcurrentHashMap<>();
    private final Map<Long, Long> ticks = new ConcurrentHashMap<>();
    private volatile boolean failsNext;
    private volatile long retried;

    Receiver() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 100);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext("/", this::take);
      server.start();
    }

    String url(String path) {
      return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private void take(HttpExchange exchange) throws IOException {
      try (exchange) {
        long now = System.currentTimeMillis();
        var body = new String(exchange.getRequestBody().readAllBytes());
        int status = 200;
        if (exchange.getRequestURI().getPath().equals("/cron")) {
          var at = Pattern.compile("\"scheduledAt\":(\\d+)").matcher(body);
          if (at.find()) {
            ticks.putIfAbsent(Long.parseLong(at.group(1)), now);
          }
        } else if (failsNext) {
          failsNext = false;
          status = 503;
        } else {
          if (!"1".equals(exchange.getRequestHeaders().getFirst("X-Cairn-Attempt"))) {
            retried = now;
          }
          commits.put(member(body, "commitId"), now);
        }
        exchange.sendResponseHeaders(status, -1);
      }
    }

    /** When the webhook of a commit was called. */
    long awaitCommit(String id) throws InterruptedException {
      for (int i = 0; i < 30_000 && !commits.containsKey(id); i++) {
        Thread.sleep(2);
      }
      var at = commits.get(id);
      if (at == null) {
        throw new IllegalStateException("the webhook of " + id + " is not called");
      }
      return at;
    }
  }
}
