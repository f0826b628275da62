package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged service on its embedded PostgreSQL, killed without warning: what it acknowledged
 * must be there, whole, when it comes back.
 */
class DurabilityIT {
  private static final int OPERATIONS = 200;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path directory;

  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private static Process service;
  private static int port;
  private static String token;

  /** To the first request of the process that answered; null if none did. */
  private static HttpResponse<String> first;

  @BeforeAll
  static void prepare() throws Exception {
    assumeFalse(Artifact.isNative(), "an executable has no embedded database");
    port = FreePort.next();
    TestDatabase.linkPrograms(directory);
  }

  /** Where a test has ended it, it goes on with what there is. */
  @BeforeEach
  void startUnlessItRuns() throws Exception {
    if (service == null || !service.isAlive()) {
      start();
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (service != null) {
      service.destroy();
      service.waitFor(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void acknowledged_commits_survive_kill_9_whole_and_the_hash_chain_verifies() throws Exception {
    post("/api/orgs", "{\"name\":\"crash\"}", 201);
    post("/api/orgs/crash/repos", "{\"name\":\"repo\"}", 201);
    commit("{\"operation\":\"add\",\"name\":\"S\",\"data\":{\"fields\":{\"n\":\"number\"}}}");
    var acknowledged = new ArrayList<String>();
    for (int round = 0; round < 2; round++) {
      loadUntilKilled(round, acknowledged);
      start();
    }
    var present = commitIds();
    assertTrue(present.containsAll(acknowledged), "an acknowledged commit is gone");
    long things = get("/api/repos/crash/repo/count?shape=S").get("count").longValue();
    assertEquals((present.size() - 1L) * OPERATIONS, things, "a commit is there by half");
    var verification = get("/api/repos/crash/repo/verification");
    assertTrue(verification.get("verified").booleanValue(), verification::toString);
  }

  /** What came before the first request of a process is not judged as later requests are. */
  @Test
  void the_first_connection_of_a_process_says_that_it_ends() {
    assertEquals("close", first.headers().firstValue("Connection").orElse("absent"));
  }

  @Test
  void sigterm_ends_the_service_and_its_database() throws Exception {
    int database = Integer.parseInt(Files.readString(directory.resolve("postgres.port")).trim());
    assertTrue(listens(database), "the database is not where its port file says");
    service.destroy();
    assertTrue(service.waitFor(30, TimeUnit.SECONDS), "still running 30 s after SIGTERM");
    assertFalse(listens(database), "the database outlived the service");
  }

  @Test
  void without_its_database_the_service_answers_503_with_retry_after() throws Exception {
    var pid = Files.readAllLines(directory.resolve("postgres/postmaster.pid")).getFirst().trim();
    ProcessHandle.of(Long.parseLong(pid)).orElseThrow().destroyForcibly();

    try {
      // Connections that are in use end once they notice.
      Eventually.await("the service notices", () -> count().statusCode() != 200);
      var answer = count();
      assertEquals(503, answer.statusCode(), answer::body);
      assertEquals("UNAVAILABLE", JSON.readTree(answer.body()).get("code").textValue());
      assertTrue(answer.headers().firstValue("Retry-After").isPresent());
    } finally {
      stop();
    }
  }

  private static HttpResponse<String> count() throws Exception {
    return HTTP.send(request("/api/repos/demo/world/count").build(), BodyHandlers.ofString());
  }

  private static boolean listens(int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static void loadUntilKilled(int round, List<String> acknowledged) throws Exception {
    var kill =
        CompletableFuture.runAsync(
            () -> service.destroyForcibly(),
            CompletableFuture.delayedExecutor(1_500, TimeUnit.MILLISECONDS));
    try {
      for (int i = 0; ; i++) {
        acknowledged.add(commit(things(round, i)).get("commitId").textValue());
      }
    } catch (IOException e) {
      assertTrue(kill.isDone(), "the connection broke before the kill: " + e);
    }
    service.waitFor();
  }

  private static String things(int round, int commit) {
    return IntStream.range(0, OPERATIONS)
        .mapToObj(
            n ->
                "{\"operation\":\"add\",\"name\":\"S/%d-%d-%d\",\"data\":{\"n\":%d}}"
                    .formatted(round, commit, n, n))
        .collect(Collectors.joining(","));
  }

  private static JsonNode commit(String operations) throws Exception {
    return post("/api/repos/crash/repo/commits", "{\"operations\":[" + operations + "]}", 201);
  }

  private static Set<String> commitIds() throws Exception {
    var ids = new HashSet<String>();
    var cursor = "";
    while (true) {
      var page = get("/api/repos/crash/repo/commits?limit=500" + cursor);
      page.get("items").forEach(commit -> ids.add(commit.get("commitId").textValue()));
      if (!page.has("nextCursor")) {
        return ids;
      }
      cursor = "&cursor=" + page.get("nextCursor").textValue();
    }
  }

  private static void start() throws Exception {
    var builder =
        new ProcessBuilder(Artifact.service())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("service.log").toFile());
    var environment = builder.environment();
    environment.put("CAIRN_DATA_DIR", directory.toString());
    environment.put("CAIRN_ADMIN_EMAIL", TestDatabase.ADMIN_EMAIL);
    environment.put("CAIRN_ADMIN_PASSWORD", TestDatabase.ADMIN_PASSWORD);
    environment.put("QUARKUS_HTTP_PORT", Integer.toString(port));
    service = builder.start();
    first = null;
    awaitReady();
    var login =
        "{\"email\":\"%s\",\"password\":\"%s\"}"
            .formatted(TestDatabase.ADMIN_EMAIL, TestDatabase.ADMIN_PASSWORD);
    token = post("/api/auth/login", login, 200).get("accessToken").textValue();
  }

  private static void awaitReady() throws Exception {
    Eventually.await(
        Duration.ofSeconds(90),
        () -> "the service is ready: " + log(),
        () -> {
          assertTrue(service.isAlive(), () -> "the service ended: " + log());
          try {
            var answer = HTTP.send(request("/q/health/ready").build(), BodyHandlers.ofString());
            first = first == null ? answer : first;
            return answer.statusCode() == 200;
          } catch (IOException e) {
            return false; // not listening yet
          }
        });
  }

  private static String log() {
    try {
      return Files.readString(directory.resolve("service.log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static JsonNode get(String path) throws Exception {
    return send(authorized(path).build(), 200);
  }

  private static JsonNode post(String path, String body, int status) throws Exception {
    var request = token == null ? request(path) : authorized(path);
    return send(
        request
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        status);
  }

  private static JsonNode send(HttpRequest request, int status) throws Exception {
    var response = HTTP.send(request, BodyHandlers.ofString());
    assertEquals(status, response.statusCode(), response::body);
    return JSON.readTree(response.body());
  }

  private static HttpRequest.Builder authorized(String path) {
    return request(path).header("Authorization", "Bearer " + token);
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
        .timeout(Duration.ofSeconds(30));
  }
}
