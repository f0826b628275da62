package dev.cairn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients that go on sending requests to whichever replicas are there, as a proxy would spread
 * them. Each kind of request is counted, with its longest time; what is answered otherwise than it
 * should be is kept.
 */
final class Load implements AutoCloseable {
  /** The kind of request that goes without the access token: it has one of its own. */
  static final String CALLBACK = "callback";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> going = new ArrayList<>();
  private final Map<Replica, AtomicInteger> open = new ConcurrentHashMap<>();
  private final Map<String, Seen> seen = new ConcurrentSkipListMap<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private volatile List<Replica> live;
  private volatile boolean over;
  private volatile String token;

  /** How many answers there were of a kind, and how long the longest one took. */
  record Seen(int count, long longestMillis) {
    private Seen plus(Seen other) {
      return new Seen(count + other.count, Math.max(longestMillis, other.longestMillis));
    }

    @Override
    public String toString() {
      return count + " (at most " + longestMillis + " ms)";
    }
  }

  /** What a client does again and again. */
  @FunctionalInterface
  interface Step {
    /** One round of it, the number of which is given. */
    void run(int round) throws Exception;
  }

  Load(Replica first) {
    live = List.of(first);
  }

  /** By which requests are sent from now on. */
  void token(String accessToken) {
    token = accessToken;
  }

  /** Sends requests to these from now on, and returns when no other one has any open. */
  void to(Replica... replicas) throws InterruptedException {
    live = List.of(replicas);
    Eventually.await(
        Duration.ofMinutes(2),
        "no request is open at another replica",
        () ->
            open.entrySet().stream()
                .noneMatch(e -> !live.contains(e.getKey()) && e.getValue().get() > 0));
  }

  /** Begins a client. What it throws is a failure, and it goes on. */
  void client(Step step) {
    going.add(
        clients.submit(
            () -> {
              for (int round = 0; !over; round++) {
                attempt(step, round);
              }
            }));
  }

  /** Does something now; what it throws is a failure. */
  void once(Step step) {
    attempt(step, 0);
  }

  private void attempt(Step step, int round) {
    try {
      step.run(round);
    } catch (Exception | AssertionError e) {
      failures.add(e.toString());
    }
  }

  /** A GET of a kind, at any replica; answers the body of a 2xx. */
  JsonNode get(String kind, String path) throws Exception {
    return json(send(kind, path, null, Map.of()));
  }

  /** A POST of a kind, at any replica; answers the body of a 2xx. */
  JsonNode post(String kind, String path, String body, Map<String, String> headers)
      throws Exception {
    return json(send(kind, path, body, headers));
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    if (answer.statusCode() >= 300) {
      throw new IOException(answer.statusCode() + " " + answer.uri() + " " + answer.body());
    }
    return JSON.readTree(answer.body());
  }

  private HttpResponse<String> send(
      String kind, String path, String body, Map<String, String> headers) throws Exception {
    var replica = enter();
    try {
      var request =
          HttpRequest.newBuilder(URI.create(replica.url(path))).timeout(Duration.ofSeconds(30));
      headers.forEach(request::header);
      if (token != null && !kind.equals(CALLBACK)) {
        request.header("Authorization", "Bearer " + token);
      }
      if (body != null) {
        request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
      }
      long start = System.nanoTime();
      var answer = http.send(request.build(), BodyHandlers.ofString());
      seen.merge(kind, new Seen(1, (System.nanoTime() - start) / 1_000_000), Seen::plus);
      return answer;
    } finally {
      open.get(replica).decrementAndGet();
    }
  }

  /** One of those that are live, which stays open until the request has ended. */
  private Replica enter() {
    while (true) {
      var present = live;
      var replica = present.get(ThreadLocalRandom.current().nextInt(present.size()));
      open.computeIfAbsent(replica, _ -> new AtomicInteger()).incrementAndGet();
      if (live.contains(replica)) {
        return replica;
      }
      open.get(replica).decrementAndGet();
    }
  }

  /** What was seen since the last time that somebody asked. */
  Map<String, Seen> seen() {
    var all = new TreeMap<>(seen);
    seen.clear();
    return all;
  }

  /** What was answered otherwise than it should be, so far. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  /** Lets the clients end what they do. */
  void end() throws Exception {
    over = true;
    for (var client : going) {
      client.get();
    }
  }

  @Override
  public void close() {
    over = true;
    clients.close();
    http.close();
  }
}
