package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.action.Receiver;
import dev.cairn.platform.database.EmbeddedDatabase;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged service twice on one database, of which one is killed without warning: what was
 * committed is delivered, and twice only where a worker died. With {@code -Ddelivery.commits=5000
 * -Ddelivery.kills=4} it takes some minutes; the build does less.
 */
@Tag("long")
class DeliveryIT {
  private static final Logger LOG = Logger.getLogger(DeliveryIT.class);
  private static final int COMMITS = Integer.getInteger("delivery.commits", 300);
  private static final int KILLS = Integer.getInteger("delivery.kills", 1);

  /** What a replica carries out at a time for one target: half of its host's eighth of 128. */
  private static final int AT_ONCE = 8;

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path directory;

  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private static EmbeddedDatabase.Running database;
  private static RunStatuses runs;
  private static final Replica[] REPLICAS = new Replica[2];
  private static String token;

  @BeforeAll
  static void start() throws Exception {
    database = Databases.create();
    runs = new RunStatuses(database);
    for (int i = 0; i < REPLICAS.length; i++) {
      REPLICAS[i] = start(i);
    }
    var login = Map.of("email", TestDatabase.ADMIN_EMAIL, "password", TestDatabase.ADMIN_PASSWORD);
    token = send(0, "/api/auth/login", JSON.writeValueAsString(login)).path("accessToken").asText();
    send(0, "/api/orgs", "{\"name\":\"delivery\"}");
  }

  @AfterAll
  static void stop() throws InterruptedException {
    for (var replica : REPLICAS) {
      if (replica != null) {
        replica.stop();
      }
    }
    if (database != null) {
      database.close();
    }
  }

  private static Replica start(int number) throws Exception {
    return Replica.start(
        database,
        directory.resolve("replica-" + number + ".log"),
        Map.of(
            "CAIRN_DATABASE_POOL_SIZE", "10",
            "CAIRN_EGRESS_ALLOW", "127.0.0.1",
            "CAIRN_RETRY_DELAYS", "PT0S,PT0.2S,PT0.5S,PT1S",
            "CAIRN_RETRY_MAX_ATTEMPTS", "60"));
  }

  private static JsonNode send(int replica, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(REPLICAS[replica].url(path)))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    var answer = HTTP.send(request.build(), BodyHandlers.ofString());
    assertTrue(answer.statusCode() < 300, answer::body);
    return JSON.readTree(answer.body());
  }

  /** A repository that calls a receiver for each thing; answers its path. */
  private static String repository(String name, Receiver receiver) throws Exception {
    send(0, "/api/orgs/delivery/repos", "{\"name\":\"" + name + "\"}");
    var path = "/api/repos/delivery/" + name;
    send(
        0,
        path + "/commits",
        "{\"operations\":[{\"operation\":\"add\",\"name\":\"S\",\"data\":{\"fields\":{}}}]}");
    send(
        0,
        path + "/subs",
        """
        {"name":"hook","kind":"webhook","shapeName":"S","filterJson":{},"webhookUrl":"%s"}
        """
            .formatted(receiver.url("/")));
    return path;
  }

  private static String commitId(int replica, String path, String thing) throws Exception {
    return send(
            replica,
            path + "/commits",
            "{\"operations\":[{\"operation\":\"add\",\"name\":\"S/%s\",\"data\":{}}]}"
                .formatted(thing))
        .path("commitId")
        .asText();
  }

  @Test
  void every_commit_is_delivered_despite_failures_and_twice_only_around_a_kill() throws Exception {
    var acknowledged = new ConcurrentHashMap<String, Integer>();
    var random = new Random(5);
    try (var receiver = new Receiver();
        var committers = Executors.newFixedThreadPool(4)) {
      receiver.answering(call -> answer(random, call, acknowledged));
      var path = repository("faults", receiver);
      var commits = ConcurrentHashMap.<String>newKeySet();
      long start = System.nanoTime();
      var next = new AtomicInteger();
      Callable<Boolean> committer =
          () -> {
            for (int n = next.getAndIncrement(); n < COMMITS; n = next.getAndIncrement()) {
              commits.add(commitId(0, path, "t" + n));
            }
            return true;
          };
      var committing = new ArrayList<Future<Boolean>>();
      for (int i = 0; i < 4; i++) {
        committing.add(committers.submit(committer));
      }
      for (int kill = 1; kill <= KILLS; kill++) {
        awaitCount(receiver, kill * COMMITS / (KILLS + 1));
        REPLICAS[1].kill();
        REPLICAS[1] = start(1);
      }
      for (var done : committing) {
        assertTrue(done.get());
      }
      runs.awaitEnd("faults");
      assertEquals(COMMITS, commits.size());
      assertEquals(
          Map.of("succeeded", (long) COMMITS), runs.of("faults"), "what became of the runs");
      assertEquals(COMMITS, acknowledged.size(), "runs of which the receiver has heard");
      long twice = acknowledged.values().stream().mapToInt(n -> n - 1).sum();
      LOG.infof(
          "%d commits, %d kills: %d calls in %d s, %d runs acknowledged, %d of them again",
          COMMITS,
          KILLS,
          receiver.calls().size(),
          (System.nanoTime() - start) / 1_000_000_000,
          acknowledged.size(),
          twice);
      assertTrue(twice <= (long) KILLS * AT_ONCE, twice + " were acknowledged twice");
    }
  }

  /** Of ten calls one is dropped, two fail, two are slow; the rest is quick. */
  private static Receiver.Reply answer(
      Random random, Receiver.Call call, Map<String, Integer> acknowledged)
      throws InterruptedException {
    int luck;
    synchronized (random) {
      luck = random.nextInt(10);
    }
    if (luck == 0) {
      throw new InterruptedException("the connection is dropped");
    }
    if (luck < 3) {
      return Receiver.status(500 + luck);
    }
    if (luck < 5) {
      Thread.sleep(20L * luck);
    }
    acknowledged.merge(call.header("webhook-id"), 1, Integer::sum);
    return Receiver.status(200);
  }

  private static void awaitCount(Receiver receiver, int count) {
    Eventually.await(
        Duration.ofMinutes(5),
        () -> receiver.calls().size() + " of " + count + " calls have come",
        () -> receiver.calls().size() >= count);
  }

  @Test
  void a_commit_arrives_without_waiting_for_a_poll() throws Exception {
    int count = Integer.getInteger("delivery.rate.commits", 200);
    var latencies = new ArrayList<Long>();
    try (var receiver = new Receiver();
        var committers = Executors.newFixedThreadPool(8)) {
      receiver.answering(
          call -> {
            long committed = call.json().at("/data/commit/createdAt").longValue();
            synchronized (latencies) {
              latencies.add(System.currentTimeMillis() - committed);
            }
            return Receiver.status(200);
          });
      var paths = new ArrayList<String>();
      for (int i = 0; i < 4; i++) {
        paths.add(repository("rate-" + i, receiver));
      }
      // A virtual machine that was just started is slow in everything.
      atRate(paths, committers, count, 50, "warm");
      awaitLatencies(latencies, count);
      synchronized (latencies) {
        latencies.clear();
      }
      long start = System.nanoTime();
      atRate(paths, committers, count, 100, "t");
      long sent = (System.nanoTime() - start) / 1_000_000;
      awaitLatencies(latencies, count);
      var sorted = sorted(latencies);
      LOG.infof(
          "%d commits in %d ms: commit to arrival p50 %d ms, p99 %d ms, at most %d ms",
          count, sent, sorted[count / 2], sorted[count * 99 / 100], sorted[count - 1]);
      assertTrue(sorted[count / 2] < 400, "p50 " + sorted[count / 2] + " ms");
    }
  }

  /** This number of commits a second, over both replicas and several repositories. */
  private static void atRate(
      List<String> paths, ExecutorService committers, int count, int perSecond, String name)
      throws Exception {
    var committing = new ArrayList<Future<String>>();
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      int n = i;
      committing.add(
          committers.submit(() -> commitId(n % 2, paths.get(n / 2 % paths.size()), name + n)));
      long ahead = start + (i + 1) * (1_000_000_000L / perSecond) - System.nanoTime();
      TimeUnit.NANOSECONDS.sleep(Math.max(0, ahead));
    }
    for (var done : committing) {
      assertTrue(done.get() != null);
    }
  }

  /** A call is counted before its latency is. */
  private static void awaitLatencies(List<Long> latencies, int count) {
    Eventually.await(
        Duration.ofMinutes(5),
        () -> "fewer than " + count + " calls have been answered",
        () -> sorted(latencies).length >= count);
  }

  private static long[] sorted(List<Long> values) {
    synchronized (values) {
      var sorted = values.stream().mapToLong(Long::longValue).toArray();
      Arrays.sort(sorted);
      return sorted;
    }
  }

  @Test
  void a_worker_that_is_told_to_stop_ends_what_it_has() throws Exception {
    try (var receiver = new Receiver()) {
      receiver.answering(
          _ -> {
            Thread.sleep(300);
            return Receiver.status(200);
          });
      var path = repository("stop", receiver);
      for (int i = 0; i < 30; i++) {
        commitId(0, path, "t" + i);
      }
      assertTrue(REPLICAS[1].stop(), "it does not stop");
      runs.awaitEnd("stop");
      assertEquals(Map.of("succeeded", 30L), runs.of("stop"));
      var byId =
          receiver.calls().stream()
              .collect(Collectors.groupingBy(c -> c.header("webhook-id"), Collectors.counting()));
      assertEquals(30, byId.size());
      assertEquals(30, receiver.calls().size(), "nothing is called twice");
      REPLICAS[1] = start(1);
    }
  }
}
