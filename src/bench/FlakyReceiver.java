import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Measures the delay of first attempts for a receiver that fails a quarter of its calls and takes
 * 1.5 s for a tenth of them, at 40 commits a second: {@code java src/bench/FlakyReceiver.java EMAIL
 * PASSWORD URL...}, with the URL of each replica. They must have {@code
 * CAIRN_EGRESS_ALLOW=127.0.0.1}.
 */
final class FlakyReceiver {
  private static final int SECONDS = Integer.getInteger("seconds", 60);
  private static final int COMMITS_A_SECOND = Integer.getInteger("commits", 40);
  private static final double FAILING = 0.25;
  private static final double SLOW = 0.1;
  private static final long SLOW_MILLIS = 1500;
  private static final Pattern NAME = Pattern.compile("\"wref\":\"S/([0-9]+)\"");

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Random RANDOM = new Random(7);

  /** When each thing was committed and first sent, in nanoseconds, by its name. */
  private static final Map<String, Long> COMMITTED = new ConcurrentHashMap<>();

  private static final Map<String, Long> SENT = new ConcurrentHashMap<>();

  private FlakyReceiver() {}

  public static void main(String... args) throws Exception {
    var replicas = List.of(args).subList(2, args.length);
    var receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1000);
    receiver.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    receiver.createContext("/", FlakyReceiver::answer);
    receiver.start();
    var login =
        post(
            replicas.getFirst() + "/api/auth/login",
            null,
            "{\"email\":\"%s\",\"password\":\"%s\"}".formatted(args[0], args[1]));
    var token = login.replaceFirst("(?s).*\"accessToken\":\"([^\"]*)\".*", "$1");
    var org = "flaky-" + System.currentTimeMillis();
    post(replicas.getFirst() + "/api/orgs", token, "{\"name\":\"" + org + "\"}");
    post(replicas.getFirst() + "/api/orgs/" + org + "/repos", token, "{\"name\":\"r\"}");
    var path = "/api/repos/" + org + "/r";
    var shape =
        "{\"operations\":[{\"operation\":\"add\",\"name\":\"S\",\"data\":{\"fields\":{}}}]}";
    post(replicas.getFirst() + path + "/commits", token, shape);
    post(
        replicas.getFirst() + path + "/subs",
        token,
        """
        {"name":"hook","kind":"webhook","shapeName":"S","filterJson":{},
         "webhookUrl":"http://127.0.0.1:%d/"}
        """
            .formatted(receiver.getAddress().getPort()));
    commit(replicas, path, token);
    await();
    receiver.stop(0);
    print();
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var matcher = NAME.matcher(new String(exchange.getRequestBody().readAllBytes()));
      if (matcher.find()) {
        SENT.putIfAbsent(matcher.group(1), System.nanoTime());
      }
      boolean fails;
      boolean isSlow;
      synchronized (RANDOM) {
        fails = RANDOM.nextDouble() < FAILING;
        isSlow = RANDOM.nextDouble() < SLOW;
      }
      if (isSlow) {
        Thread.sleep(SLOW_MILLIS);
      }
      exchange.sendResponseHeaders(fails ? 500 : 200, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void commit(List<String> replicas, String path, String token) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      long start = System.nanoTime();
      for (int i = 0; i < SECONDS * COMMITS_A_SECOND; i++) {
        long at = start + i * 1_000_000_000L / COMMITS_A_SECOND;
        TimeUnit.NANOSECONDS.sleep(at - System.nanoTime());
        var name = Integer.toString(i);
        var replica = replicas.get(i % replicas.size());
        threads.submit(
            () -> {
              post(
                  replica + path + "/commits",
                  token,
                  "{\"operations\":[{\"operation\":\"add\",\"name\":\"S/%s\",\"data\":{}}]}"
                      .formatted(name));
              COMMITTED.put(name, System.nanoTime());
              return null;
            });
      }
    }
  }

  private static void await() throws InterruptedException {
    for (int i = 0; i < 600 && !SENT.keySet().containsAll(COMMITTED.keySet()); i++) {
      Thread.sleep(500);
    }
  }

  private static void print() {
    var waits =
        COMMITTED.entrySet().stream()
            .filter(commit -> SENT.containsKey(commit.getKey()))
            .mapToLong(commit -> (SENT.get(commit.getKey()) - commit.getValue()) / 1_000_000)
            .map(millis -> Math.max(0, millis))
            .sorted()
            .toArray();
    System.out.printf(
        "%d commits, %d sent; first attempts after: p50 %d ms, p95 %d ms, p99 %d ms, max %d ms%n",
        COMMITTED.size(),
        waits.length,
        waits[waits.length / 2],
        waits[waits.length * 95 / 100],
        waits[waits.length * 99 / 100],
        waits[waits.length - 1]);
  }

  private static String post(String url, String token, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    var answer = HTTP.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      throw new IOException(answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }
}
