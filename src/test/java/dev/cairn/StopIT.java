package dev.cairn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.action.Receiver;
import dev.cairn.platform.database.EmbeddedDatabase;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged service, told to stop by SIGTERM: {@code docs/operation.md}, Stop. With {@code
 * -Dstop.rounds=20} the load goes on for longer.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StopIT {
  private static final Logger LOG = Logger.getLogger(StopIT.class);
  private static final int ROUNDS = Integer.getInteger("stop.rounds", 3);
  private static final int CLIENTS = 8;
  private static final int PER_ROUND = 150;

  /** Operations of an atomic submission, which are written in several parts. */
  private static final int SUBMITTED = 12_000;

  /** Of the test that ends both, so that neither has to be started for another one. */
  private static final int LAST = Integer.MAX_VALUE;

  /** Of a process that has ended by itself, and of one that has heeded SIGTERM. */
  private static final Set<Integer> ENDS = Set.of(0, 143);

  private static final String SHAPE =
      "{\"operations\":[{\"operation\":\"add\",\"name\":\"S\",\"data\":{\"fields\":{\"text?\":\"string\"}}}]}";
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path directory;

  private static EmbeddedDatabase.Running database;
  private static Replica stays;
  private static String token;

  /** Ends in each test. */
  private Replica ends;

  @BeforeAll
  static void startOne() throws Exception {
    database = Databases.create();
    stays = startStaying();
    token =
        send(
                "/api/auth/login",
                JSON.writeValueAsString(
                    Map.of(
                        "email", TestDatabase.ADMIN_EMAIL,
                        "password", TestDatabase.ADMIN_PASSWORD)))
            .get("accessToken")
            .textValue();
    send("/api/orgs", "{\"name\":\"stop\"}");
  }

  @AfterAll
  static void stopAll() throws InterruptedException {
    if (stays != null) {
      stays.stop();
    }
    if (database != null) {
      database.close();
    }
  }

  /** Where a test has ended it. */
  @BeforeEach
  void startAgain() throws Exception {
    if (!stays.process().isAlive()) {
      stays = startStaying();
    }
  }

  @AfterEach
  void killWhatIsLeft() throws InterruptedException {
    if (ends != null) {
      ends.kill();
    }
  }

  private static Replica startStaying() throws Exception {
    return start("stays", Map.of());
  }

  /** Has the replica that this test ends, with settings of its own beside the others. */
  private void startEnding(Map<String, String> settings) throws Exception {
    ends = start("ends", settings);
  }

  private static Replica start(String name, Map<String, String> settings) throws Exception {
    var all = new HashMap<String, String>(settings);
    all.put("CAIRN_DATABASE_POOL_SIZE", "10");
    all.put("CAIRN_EGRESS_ALLOW", "127.0.0.1");
    return Replica.start(database, directory.resolve(name + ".log"), all);
  }

  private static JsonNode send(String path, String body) throws IOException {
    try (var wire = new Wire(stays.port(), token)) {
      var answer = wire.post(path, body);
      assertTrue(answer.status() < 300, answer::text);
      return JSON.readTree(answer.body());
    }
  }

  private static JsonNode get(String path) throws IOException {
    try (var wire = new Wire(stays.port(), token)) {
      var answer = wire.get(path);
      assertEquals(200, answer.status(), answer::text);
      return JSON.readTree(answer.body());
    }
  }

  /** A repository with a shape, and a webhook for what is made of it; answers its path. */
  private static String repository(String name, Receiver receiver) throws IOException {
    send("/api/orgs/stop/repos", "{\"name\":\"" + name + "\"}");
    var path = "/api/repos/stop/" + name;
    send(path + "/commits", SHAPE);
    send(
        path + "/subs",
        """
        {"name":"hook","kind":"webhook","shapeName":"S","filterJson":{},"webhookUrl":"%s"}
        """
            .formatted(receiver.url("/")));
    return path;
  }

  /** Tells it to end, and waits until it has. */
  private void end(long seconds) throws InterruptedException {
    ends.process().destroy();
    awaitEnd(seconds);
  }

  private void awaitEnd(long seconds) throws InterruptedException {
    assertTrue(ends.process().waitFor(seconds, TimeUnit.SECONDS), "it does not end");
    assertTrue(ENDS.contains(ends.process().exitValue()), "it ends with " + ends.process());
  }

  /** Returns when the replica that ends says of itself that it does, or takes nothing more. */
  private void awaitUnready() throws Exception {
    Eventually.await(
        "it is no longer ready",
        () -> {
          try (var wire = new Wire(ends.port(), null)) {
            return wire.get("/q/health/ready").status() == 503;
          } catch (ConnectException e) {
            return true; // what is left to be read may all be on its way
          }
        });
  }

  @Test
  void a_websocket_is_closed_in_order_and_delays_nothing() throws Exception {
    var path = "/api/repos/stop/watched";
    send("/api/orgs/stop/repos", "{\"name\":\"watched\"}");
    startEnding(Map.of());
    var ticket = send(path + "/live/tickets", "{}").get("ticket").textValue();
    var closed = new CompletableFuture<String>();
    var isTold = new CompletableFuture<CharSequence>();
    HttpClient.newHttpClient()
        .newWebSocketBuilder()
        .buildAsync(
            URI.create("ws://localhost:" + ends.port() + "/live?ticket=" + ticket),
            new WebSocket.Listener() {
              @Override
              public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean isLast) {
                isTold.complete(text);
                return WebSocket.Listener.super.onText(from, text, isLast);
              }

              @Override
              public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
                closed.complete(code + " " + reason);
                return null;
              }
            })
        .join()
        .sendText("{\"type\":\"subscribe\",\"id\":\"q\",\"query\":{}}", true)
        .join();
    assertTrue(isTold.get(10, TimeUnit.SECONDS).toString().contains("snapshot"));
    long begin = System.nanoTime();
    end(10);
    assertEquals("1001 shutdown", closed.get(1, TimeUnit.SECONDS));
    assertTrue(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(8));
  }

  @Test
  void streams_end_in_order_and_delay_nothing() throws Exception {
    var path = "/api/repos/stop/streamed";
    send("/api/orgs/stop/repos", "{\"name\":\"streamed\"}");
    startEnding(Map.of());
    var ticket = send(path + "/live/tickets", "{}").get("ticket").textValue();
    var events = stream(HttpRequest.newBuilder(URI.create(ends.url("/sse?ticket=" + ticket))));
    var subscription =
        stream(
            HttpRequest.newBuilder(URI.create(ends.url("/mcp")))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", "subscriptions/listen")
                .POST(
                    BodyPublishers.ofString(
                        """
                        {"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{
                          "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
                                   "io.modelcontextprotocol/clientCapabilities":{}},
                          "notifications":{
                            "resourceSubscriptions":["cairn://stop/streamed/shapes"]}}}
                        """)));
    long begin = System.nanoTime();
    end(10);
    assertTrue(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(8));
    var told = events.toList();
    var last = told.subList(told.size() - 4, told.size());
    assertTrue(last.get(0).matches("retry: (1?\\d{1,3})"), last::toString);
    assertEquals(List.of("event: end", "data: {\"reason\":\"shutdown\"}", ""), last.subList(1, 4));
    var answered = subscription.filter(line -> line.startsWith("data: ")).toList();
    assertEquals(2, answered.size(), answered::toString);
    assertTrue(answered.get(0).contains("notifications/subscriptions/acknowledged"));
    assertEquals(
        "complete",
        JSON.readTree(answered.get(1).substring("data: ".length()))
            .at("/result/resultType")
            .textValue());
  }

  /** The lines of a stream, which fails if it does not end in order; it has begun. */
  private static Stream<String> stream(HttpRequest.Builder request) throws Exception {
    var answer = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofLines());
    assertEquals(200, answer.statusCode());
    return answer.body();
  }

  @Test
  void under_load_what_was_acknowledged_is_done_and_nothing_else() throws Exception {
    try (var receiver = new Receiver()) {
      receiver.answering(
          _ -> {
            Thread.sleep(100);
            return Receiver.status(200);
          });
      var path = repository("load", receiver);
      startEnding(Map.of());
      try (var committers = new Committers(CLIENTS, path, token, () -> stays, () -> ends)) {
        for (int round = 1; round <= ROUNDS; round++) {
          committers.await(PER_ROUND);
          end(40);
          startEnding(Map.of());
        }
        committers.await(PER_ROUND);
        committers.end();
        var runs = new RunStatuses(database);
        runs.awaitEnd("load");
        LOG.infof("%d ends: %s", ROUNDS, committers);
        var present = present(path);
        // Whoever got no answer sent a request that was not taken.
        assertEquals(committers.acknowledged(), present);
        assertEquals(Map.of("succeeded", (long) present.size()), runs.of("load"), "the runs");
        assertEquals(present.size(), receiver.calls().size(), "calls of the webhook");
      }
    }
  }

  private static Set<String> present(String path) throws IOException {
    var names = new HashSet<String>();
    var cursor = "";
    while (true) {
      var page = get(path + "/head?shape=S&kind=thing&limit=500" + cursor);
      page.get("items").forEach(item -> names.add(item.get("name").textValue()));
      if (!page.has("nextCursor")) {
        return names;
      }
      cursor = "&cursor=" + page.get("nextCursor").textValue();
    }
  }

  @Test
  void a_request_whose_body_still_comes_is_waited_for_and_answered() throws Exception {
    startEnding(Map.of());
    try (var receiver = new Receiver();
        var wire = new Wire(ends.port(), token)) {
      var path = repository("body", receiver);
      var body = Committers.thing("slow").getBytes(UTF_8);
      wire.head("POST", path + "/commits", body.length);
      wire.send(body, 0, 10);
      awaitTaken(1);
      ends.process().destroy();
      awaitUnready();
      try (var another = new Wire(ends.port(), token)) {
        var answer = another.post(path + "/commits", Committers.thing("another"));
        assertEquals(201, answer.status(), answer::text);
        assertFalse(answer.stays(), "the connection is to be closed");
      }
      wire.send(body, 10, body.length - 10);
      var answer = wire.answer();
      assertEquals(201, answer.status(), answer::text);
      awaitEnd(20);
      assertEquals(Set.of("slow", "another"), present(path));
      // Whoever ends takes no more runs; who stays does.
      new RunStatuses(database).awaitEnd("body");
      assertEquals(2, receiver.calls().size());
    }
  }

  @Test
  void an_atomic_submission_ends_within_its_transaction_and_is_there_once_when_sent_elsewhere()
      throws Exception {
    var path = "/api/repos/stop/submitted";
    send("/api/orgs/stop/repos", "{\"name\":\"submitted\"}");
    stays
        .as(token)
        .body("{\"settings\":{\"streams\":{\"enabled\":true}}}")
        .patch(path)
        .then()
        .statusCode(200);
    startEnding(Map.of());
    try (var locking = connect();
        var looking = connect();
        var lock = locking.createStatement();
        var statement = looking.createStatement()) {
      locking.setAutoCommit(false);
      // The transaction waits at its first rows, and goes on when the end has begun.
      lock.execute("lock table entity_version in share row exclusive mode");
      var answer =
          HttpClient.newHttpClient().sendAsync(submission(ends, path), BodyHandlers.ofString());
      Eventually.await(
          "the transaction has begun to write, more than a second ago",
          () ->
              statement
                  .executeQuery(
                      """
                      select from pg_locks l join pg_stat_activity a using (pid)
                      where not l.granted and l.relation = 'entity_version'::regclass
                        and a.query_start < clock_timestamp() - interval '1.1 s'
                      """)
                  .next());
      ends.process().destroy();
      awaitUnready();
      locking.rollback();
      assertEquals(503, answer.get(20, TimeUnit.SECONDS).statusCode());
      var problem = JSON.readTree(answer.get().body());
      assertEquals("UNAVAILABLE", problem.get("code").textValue());
      assertEquals("This replica stops.", problem.get("detail").textValue());
      awaitEnd(20);
      for (var table : List.of("stream_part", "stream_lease", "commit_log")) {
        var rows =
            statement.executeQuery(
                "select from %s where repo_id = (select id from repository where name = 'submitted')"
                    .formatted(table));
        assertFalse(rows.next(), table);
      }
    }
    for (int i = 0; i < 2; i++) {
      var again = HttpClient.newHttpClient().send(submission(stays, path), BodyHandlers.ofString());
      assertEquals(200, again.statusCode(), again.body());
      assertTrue(again.body().contains("\"applied\":%d,".formatted(1 + SUBMITTED)), again.body());
    }
    assertEquals(1, get(path + "/commits").get("items").size());
    assertEquals(SUBMITTED, get(path + "/count?shape=S").get("count").intValue());
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }

  private static HttpRequest submission(Replica to, String path) {
    var lines =
        IntStream.range(0, SUBMITTED)
            .mapToObj("{\"operation\":\"add\",\"name\":\"S/%d\",\"data\":{}}\n"::formatted)
            .collect(
                Collectors.joining(
                    "", "{\"operation\":\"add\",\"name\":\"S\",\"data\":{\"fields\":{}}}\n", ""));
    return HttpRequest.newBuilder(URI.create(to.url(path + "/streams/s/submissions?atomic=true")))
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", "application/x-ndjson")
        .header("Idempotency-Key", "k")
        .POST(BodyPublishers.ofString(lines))
        .build();
  }

  /** Returns when the replica has this number of requests under way, without the one that asks. */
  private void awaitTaken(int count) throws Exception {
    Eventually.await(
        "the request gets there",
        () -> {
          try (var wire = new Wire(ends.port(), null)) {
            var taken =
                wire.get("/q/metrics")
                    .text()
                    .lines()
                    .filter(line -> line.startsWith("http_server_active_requests"))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                    .sum();
            return taken >= count + 1;
          }
        });
  }

  /** Asks for 7 MB by a batch look-up, which is answered whole; a page would be shortened. */
  private static void askForMuch(Wire wire, String path) throws IOException {
    var large = "x".repeat(1_000_000);
    var things =
        IntStream.range(0, 7)
            .mapToObj(
                i ->
                    "{\"operation\":\"add\",\"name\":\"S/%d\",\"data\":{\"text\":\"%s\"}}"
                        .formatted(i, large))
            .collect(Collectors.joining(","));
    send(path + "/commits", "{\"operations\":[" + things + "]}");
    var wrefs = IntStream.range(0, 7).mapToObj(i -> "\"S/" + i + "\"");
    var body = wrefs.collect(Collectors.joining(",", "{\"wrefs\":[", "]}")).getBytes(UTF_8);
    wire.head("POST", path + "/things/batch", body.length);
    wire.send(body, 0, body.length);
  }

  @Test
  void an_answer_that_is_still_being_read_arrives_whole() throws Exception {
    startEnding(Map.of());
    try (var receiver = new Receiver();
        var wire = new Wire(ends.port(), token)) {
      askForMuch(wire, repository("answer", receiver));
      wire.awaitAnswer();
      ends.process().destroy();
      awaitUnready();
      var answer = wire.answer();
      assertEquals(200, answer.status());
      assertEquals(7, JSON.readTree(answer.body()).get("items").size());
      awaitEnd(20);
    }
  }

  @Test
  void a_client_that_does_not_read_its_answer_delays_the_end_no_longer_than_it_may_take()
      throws Exception {
    startEnding(Map.of("CAIRN_STOP_TIMEOUT", "PT3S"));
    try (var receiver = new Receiver();
        var wire = new Wire(ends.port(), token)) {
      askForMuch(wire, repository("unread", receiver));
      wire.awaitAnswer();
      end(13);
      assertThrows(IOException.class, wire::answer);
    }
  }

  @Test
  void connections_on_which_nothing_happens_do_not_delay_the_end() throws Exception {
    startEnding(Map.of());
    try (var idle = new Wire(ends.port(), null);
        var used = new Wire(ends.port(), null)) {
      assertEquals(200, used.get("/q/health/live").status());
      end(10);
      assertThrows(IOException.class, idle::answer);
    }
  }

  @Order(LAST)
  @Test
  void the_service_stops_in_time_even_if_something_hangs_and_gives_its_runs_back()
      throws Exception {
    var hanging = new AtomicInteger();
    try (var receiver = new Receiver()) {
      receiver.answering(
          _ -> {
            hanging.incrementAndGet();
            Thread.sleep(60_000);
            return Receiver.status(200);
          });
      var path = repository("hangs", receiver);
      // Nobody else is to take the run.
      assertTrue(stays.stop(), "it does not end");
      startEnding(Map.of("CAIRN_STOP_TIMEOUT", "PT3S", "CAIRN_WEBHOOK_TIMEOUT", "PT50S"));
      try (var wire = new Wire(ends.port(), token);
          var committer = new Wire(ends.port(), token)) {
        assertEquals(201, committer.post(path + "/commits", Committers.thing("hangs")).status());
        Eventually.await("the receiver is called", () -> hanging.get() > 0);
        wire.head("POST", path + "/commits", 1_000);
        awaitTaken(1);
        long start = System.nanoTime();
        end(20);
        LOG.infof("ended after %d ms", (System.nanoTime() - start) / 1_000_000);
      }
      assertEquals(Map.of("retry_wait", 1L), new RunStatuses(database).of("hangs"));
    }
  }
}
