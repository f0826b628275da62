package dev.cairn.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** docs/client.md, Retries. */
class RetriesTest {
  private static final String CALLER =
      """
      {"authenticated":false,"kind":"anonymous","orgs":[],"newMember":1}\
      """;

  private static final CommitRequest COMMIT =
      CommitRequest.of(Add.of("Sensor/a", JsonNodeFactory.instance.objectNode())).withMessage("m");

  private final ScriptedServer server = new ScriptedServer();
  private final CairnClient client = server.client().build();

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @Test
  void a_read_is_repeated_after_a_lost_connection_and_while_the_service_is_busy() {
    server.thenLost().thenProblem(503, "UNAVAILABLE", "Retry-After", "0").then(200, CALLER);
    assertFalse(client.account().whoami().authenticated());
    assertEquals(3, server.requests().size());
  }

  @Test
  void it_waits_as_long_as_the_service_asks_for() {
    server.thenProblem(429, "RATE_LIMITED", "Retry-After", "1").then(200, CALLER);
    long start = System.nanoTime();
    client.account().whoami();
    assertTrue(System.nanoTime() - start >= Duration.ofSeconds(1).toNanos());
  }

  @Test
  void it_does_not_wait_longer_than_the_schedule_allows() {
    server.thenProblem(429, "RATE_LIMITED", "Retry-After", "3");
    var refused = assertThrows(CairnException.class, () -> client.account().whoami());
    assertEquals(Duration.ofSeconds(3), refused.retryAfter().orElseThrow());
    assertEquals(1, server.requests().size());
  }

  @Test
  void a_full_quota_is_not_waited_for() {
    server.thenProblem(429, "RATE_LIMITED");
    var refused = assertThrows(CairnException.class, () -> client.account().whoami());
    assertTrue(refused.retryAfter().isEmpty());
    assertEquals(1, server.requests().size());
  }

  @Test
  void attempts_are_bounded() {
    for (int i = 0; i < 9; i++) {
      server.thenProblem(503, "UNAVAILABLE");
    }
    assertThrows(CairnException.class, () -> client.account().whoami());
    assertEquals(ScriptedServer.QUICK.maxAttempts(), server.requests().size());
  }

  @Test
  void a_commit_is_repeated_with_the_same_key_until_its_answer_is_there() {
    server
        .thenLost()
        .then(
            409,
            """
            {"status":409,"code":"CONFLICT","title":"t","type":"t","detail":"d",
             "details":{"reason":"idempotency_key_in_use"}}\
            """)
        .then(
            201,
            """
            {"operationCount":1,"commitId":"0123456789abcdef","operations":[
              {"opIndex":0,"status":"applied","operation":"add","wref":"Sensor/a"}]}\
            """);
    var answer = client.repository("o", "r").commit(COMMIT);
    assertEquals("0123456789abcdef", answer.commitId());
    assertTrue(answer.operations().getFirst() instanceof OperationResult.Applied);
    var keys = new HashSet<String>();
    server.requests().forEach(request -> keys.add(request.header("Idempotency-Key")));
    assertEquals(3, server.requests().size());
    assertEquals(1, keys.size());
    assertEquals(
        """
        {"operations":[{"operation":"add","name":"Sensor/a","data":{}}],"message":"m"}\
        """,
        server.requests().getFirst().body());
  }

  @Test
  void two_commits_have_different_keys() {
    var answer =
        """
        {"operationCount":1,"operations":[]}\
        """;
    server.then(200, answer).then(200, answer);
    client.repository("o", "r").commit(COMMIT);
    client.repository("o", "r").commit(COMMIT);
    assertFalse(
        server
            .requests()
            .getFirst()
            .header("Idempotency-Key")
            .equals(server.requests().getLast().header("Idempotency-Key")));
  }

  @Test
  void another_conflict_is_not_repeated() {
    server.thenProblem(409, "ALREADY_EXISTS");
    var refused =
        assertThrows(CairnException.class, () -> client.repository("o", "r").commit(COMMIT));
    assertEquals(ErrorCode.ALREADY_EXISTS, refused.code());
    assertEquals(1, server.requests().size());
  }

  @Test
  void what_must_not_happen_twice_is_not_repeated_after_a_lost_connection() {
    server.thenLost().thenLost();
    assertThrows(
        ServerNotReachedException.class, () -> client.repository("o", "r").deleteRepository());
    assertEquals(1, server.requests().size());
    assertThrows(
        ServerNotReachedException.class,
        () -> client.organizations().createOrganization(new NewOrganization("a", null, null)));
    assertEquals(2, server.requests().size());
  }

  @Test
  void a_server_that_does_not_listen_is_named_after_all_attempts() throws Exception {
    URI nobody;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }
    var attempts = new ArrayList<Exchange>();
    try (var alone =
        CairnClient.builder(nobody).retries(ScriptedServer.QUICK).listener(attempts::add).build()) {
      // A POST was never sent, so it can be repeated, too.
      var failure =
          assertThrows(
              ServerNotReachedException.class,
              () -> alone.organizations().createOrganization(new NewOrganization("a", null, null)));
      assertTrue(failure.getMessage().contains(nobody.toString()), failure::getMessage);
      assertEquals(4, attempts.size());
    }
  }

  @Test
  void an_answer_that_does_not_come_in_time_is_none() {
    server.then(exchange -> sleep(3_000));
    try (var hasty =
        server
            .client()
            .retries(RetrySchedule.NONE)
            .requestTimeout(Duration.ofMillis(300))
            .build()) {
      assertThrows(ServerNotReachedException.class, () -> hasty.account().whoami());
    }
  }

  @Test
  void a_body_that_does_not_come_in_time_is_none() {
    server.then(
        exchange -> {
          exchange.sendResponseHeaders(200, 1000);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          sleep(3_000);
        });
    try (var hasty =
        server
            .client()
            .retries(RetrySchedule.NONE)
            .requestTimeout(Duration.ofMillis(300))
            .build()) {
      assertThrows(ServerNotReachedException.class, () -> hasty.account().whoami());
    }
  }

  private static void sleep(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void a_thread_that_is_interrupted_stops_and_stays_interrupted() throws Exception {
    server.then(exchange -> sleep(3_000));
    var interrupted = new boolean[1];
    var thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  assertThrows(ServerNotReachedException.class, () -> client.account().whoami());
                  interrupted[0] = Thread.currentThread().isInterrupted();
                });
    while (server.requests().isEmpty()) {
      Thread.sleep(10);
    }
    thread.interrupt();
    assertTrue(thread.join(Duration.ofSeconds(2)));
    assertTrue(interrupted[0]);
  }

  @Test
  void waits_double_up_to_the_longest_one_and_are_spread() {
    var schedule = new RetrySchedule(9, Duration.ofMillis(100), Duration.ofSeconds(1));
    for (int attempt = 1; attempt <= 8; attempt++) {
      long longest = Math.min(1000, 100L << (attempt - 1));
      var delay = schedule.delayAfter(attempt).orElseThrow().toMillis();
      assertTrue(delay >= longest / 2 && delay <= longest, attempt + ": " + delay);
    }
    assertTrue(schedule.delayAfter(9).isEmpty());
    assertThrows(
        IllegalArgumentException.class, () -> new RetrySchedule(0, Duration.ZERO, Duration.ZERO));
  }
}
