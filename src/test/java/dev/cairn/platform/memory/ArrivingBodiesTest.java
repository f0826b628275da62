package dev.cairn.platform.memory;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.newRepository;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Uncommon;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operation: requests that do not come to their end. There is room for 4 MiB here. */
@HttpTest
@QuarkusTest
@TestProfile(Uncommon.class)
@InProcess("It takes room of the service itself.")
class ArrivingBodiesTest extends Arrivals {
  private static final int MIB = 1024 * KIB;

  /** Of a parsed body that takes room for large ones. */
  private static final int LARGE = MIB;

  @Inject BodyMemory memory;

  private static String stranger() {
    return People.member(Api.newOrg(), "editor").token();
  }

  private static String repositoryWithShape() {
    var repository = newRepository();
    Prepared.commit(
        repository, "{'operation':'add','kind':'shape','name':'S','data':{'fields':{}}}");
    return repository;
  }

  private static int commit(String repository, String name) {
    var operation =
        Map.of("operation", "add", "name", "S/" + name, "data", Map.of("t", "x".repeat(200_000)));
    return admin()
        .body(Map.of("operations", List.of(operation)))
        .post(repository + "/commits")
        .statusCode();
  }

  @Test
  void a_body_takes_room_for_what_has_come_and_not_for_what_was_announced() throws Exception {
    var repository = repositoryWithShape();
    var token = People.member(repository.split("/", -1)[3], "editor").token();
    unfinished(repository + "/commits", token, 16 * MIB, 1);
    for (int i = 0; i < 9; i++) {
      unfinished(repository + "/commits", token, 300_000, 150_000);
    }
    awaitMetric("cairn_requests_arriving_bytes", value -> value >= 9 * 150_000 + 1);
    double bytes = metric("cairn_requests_arriving_bytes");
    int heads = 10 * 2 * KIB;
    assertTrue(bytes < 9 * 150_000 + 9 * 8 * KIB + heads, bytes + " bytes");

    for (int i = 0; i < 4; i++) {
      assertEquals(201, commit(repository, "c" + i), "commits of others go on");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/auth/login", "/api/auth/refresh", "/mcp"})
  void an_owner_of_many_unfinished_bodies_loses_the_slowest(String target) throws Exception {
    var first = unfinished(target, null, 65_530, 65_000);
    awaitMetric("cairn_requests_arriving_bytes", value -> value >= 65_000);
    for (int i = 0; i < 40; i++) {
      unfinished(target, null, 65_530, 65_000);
    }
    assertTrue(statusLine(first).startsWith("HTTP/1.1 "), "it is answered, and not only closed");
    assertTrue(metric("cairn_requests_arriving_bytes") <= 2 * MIB, "an address has half of it");
    Api.login("nobody@example.org", "no password").statusCode(401);
  }

  @Test
  void an_account_has_half_of_the_room_and_others_the_rest() throws Exception {
    var repository = repositoryWithShape();
    var token = People.member(repository.split("/", -1)[3], "editor").token();
    for (int i = 0; i < 30; i++) {
      unfinished(repository + "/commits", token, 300_000, 250_000);
    }
    awaitMetric("cairn_requests_arriving_ended_total", value -> value >= 22);
    assertTrue(metric("cairn_requests_arriving_bytes") <= 2 * MIB);
    assertEquals(201, commit(repository, "mine"));
    anonymous().get(repository + "/count").then().statusCode(200);
  }

  @Test
  void the_patterns_of_a_token_count_with_each_of_its_requests() throws Exception {
    var repository = repositoryWithShape();
    var patterns =
        IntStream.range(0, 16)
            .mapToObj(i -> "S/" + i + "/" + "a/".repeat(490) + "a")
            .toArray(String[]::new);
    var token = People.narrowedPat(repository, "repo:write", patterns);
    unfinished(repository + "/commits", token, 1_000, 1);
    awaitMetric("cairn_requests_arriving_bytes", value -> value >= 16 * 980);
    double ended = metric("cairn_requests_arriving_ended_total");
    for (int i = 0; i < 80; i++) {
      unfinished(repository + "/commits", token, 1_000, 1);
    }
    awaitMetric("cairn_requests_arriving_ended_total", value -> value > ended);
    assertTrue(metric("cairn_requests_arriving_bytes") <= 2 * MIB, "an address has half of it");
  }

  @Test
  void the_room_is_free_when_the_clients_have_gone() throws Exception {
    var repository = repositoryWithShape();
    var token = stranger();
    var clients = new ArrayList<Socket>();
    for (int i = 0; i < 20; i++) {
      clients.add(unfinished(repository + "/things/batch", token, 90_000, 80_000));
      clients.add(unfinished("/mcp", null, 60_000, 20_000));
    }
    awaitMetric("cairn_requests_arriving", value -> value >= 40);
    for (var client : clients) {
      client.close();
    }
    awaitMetric("cairn_requests_arriving", value -> value == 1);
    assertTrue(metric("cairn_requests_arriving_bytes") <= OWN);
    anonymous().get(repository + "/count").then().statusCode(200);
  }

  @Test
  void the_slowest_is_told_by_a_problem_document_to_come_again() throws Exception {
    var repository = repositoryWithShape();
    var slow = unfinished(repository + "/commits", adminToken(), 16 * MIB, 100_000);
    awaitMetric("cairn_requests_arriving_bytes", value -> value >= 100_000);
    unfinished(repository + "/commits", adminToken(), 16 * MIB, 2 * MIB - 10_000);
    var in = new BufferedReader(new InputStreamReader(slow.getInputStream(), US_ASCII));
    assertEquals("HTTP/1.1 503 Service Unavailable", in.readLine());
    var headers = in.lines().takeWhile(line -> !line.isEmpty()).toList();
    assertTrue(
        headers.stream().anyMatch(line -> line.regionMatches(true, 0, "Retry-After:", 0, 12)));
  }

  @Test
  void what_is_refused_before_it_has_come_is_answered_and_not_kept() throws Exception {
    var socket = unfinished("/api/repos/no/where/commits", "no-token", 16 * MIB, 100_000);
    assertEquals("HTTP/1.1 401 Unauthorized", statusLine(socket));
    assertTrue(metric("cairn_requests_arriving_bytes") <= OWN);
  }

  @Test
  void a_body_that_waits_for_room_counts_on_after_its_client_has_gone() throws Exception {
    var repository = repositoryWithShape();
    try (var _ = new AllRoom(memory)) {
      double waiting = metric("cairn_bodies_waiting");
      var client = unfinished(repository + "/commits", adminToken(), 300_000, 300_000);
      awaitMetric("cairn_bodies_waiting", value -> value > waiting);
      assertEquals(300_000, metric("cairn_requests_arriving_bytes"), 8 * KIB + 2 * OWN);
      client.close();
      Thread.sleep(500);
      assertTrue(metric("cairn_requests_arriving_bytes") >= 300_000, "it is held still");
    }
    awaitMetric("cairn_requests_arriving_bytes", value -> value <= OWN);
  }

  @Test
  void a_body_that_is_ended_by_its_last_bytes_is_not_worked_on_as_far_as_it_came()
      throws Exception {
    var repository = repositoryWithShape();
    try (var _ = new AllRoom(memory)) {
      double waiting = metric("cairn_bodies_waiting");
      unfinished(repository + "/commits", adminToken(), 1_700_000, 1_700_000);
      awaitMetric("cairn_bodies_waiting", value -> value > waiting);
      var last = unfinished(repository + "/things/batch", adminToken(), 290_000, 230_000);
      awaitMetric("cairn_requests_arriving_bytes", value -> value >= 1_930_000);

      // The fair share of the account overflows within what is read at once, and the end of the
      // body with it.
      last.getOutputStream().write(" ".repeat(60_000).getBytes(US_ASCII));

      assertEquals("HTTP/1.1 503 Service Unavailable", statusLine(last));
    }
  }

  private static ArrivalRoom.Owner stranger(String address) {
    return ArrivalRoom.Owner.network(address);
  }

  /** Takes all room for small bodies without credentials. */
  private Runnable allRoomOfStrangers() {
    var held = new ArrayList<Runnable>();
    long kib = HeapShare.BODIES_OF_ANONYMOUS.bytes() / KIB;
    while (kib > 0) {
      long taken = Math.min(kib, 500);
      held.add(memory.hold(stranger(Api.unique("all")), (taken - 1) * KIB));
      kib -= taken;
    }
    return () -> held.forEach(Runnable::run);
  }

  @Test
  void a_message_that_waits_for_room_takes_none_when_its_client_has_gone() throws Exception {
    var all = allRoomOfStrangers();
    try {
      var client = unfinished("/mcp", null, 10_000, 10_000);
      awaitMetric("cairn_bodies_waiting", value -> value > 0);
      client.close();
      awaitMetric("cairn_requests_arriving_bytes", value -> value <= OWN);
    } finally {
      all.run();
    }
    allRoomOfStrangers().run();
  }

  @Test
  void the_messages_of_one_caller_leave_room_for_those_of_others() throws Exception {
    var mine = memory.hold(stranger("mine"), LARGE);
    var all = new CompletableFuture<Runnable>();
    Thread.startVirtualThread(
        () -> all.complete(memory.hold(stranger("mine"), Long.MAX_VALUE / 2)));
    try {
      awaitMetric("cairn_bodies_waiting", value -> value > 0);
      memory.hold(stranger("theirs"), LARGE).run();
    } finally {
      mine.run();
      all.get(30, TimeUnit.SECONDS).run();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/api/repos/demo/world/things/batch, application/json",
    "/api/auth/login, application/json",
    "/oauth/token, application/x-www-form-urlencoded"
  })
  void a_body_waits_for_room_for_what_it_is_parsed_to_unless_it_is_tiny(String path, String type)
      throws Exception {
    var all = allRoomOfStrangers();
    CompletableFuture<Integer> large;
    try {
      large = CompletableFuture.supplyAsync(() -> post(path, type, 10_000));
      awaitMetric("cairn_bodies_waiting", value -> value > 0);
      assertEquals(400, post(path, type, 100));
      assertTrue(!large.isDone());
    } finally {
      all.run();
    }
    assertEquals(400, large.get(30, TimeUnit.SECONDS));
  }

  private static int post(String path, String type, int length) {
    return anonymous().contentType(type).body("x".repeat(length)).post(path).statusCode();
  }

  @Test
  void a_new_connection_takes_the_place_of_one_whose_request_has_not_come_whole() throws Exception {
    for (int i = 0; i < 200; i++) {
      neighbour(9);
    }
    awaitMetric("cairn_requests_arriving", value -> value >= 200);
    double closed = metric("cairn_connections_closed_total");

    assertEquals("HTTP/1.1 400 Bad Request", statusLine(neighbour(1)));
    assertEquals(closed + 1, metric("cairn_connections_closed_total"));
  }

  /** A connection from an address of its own, with a message of which one byte has come. */
  private Socket neighbour(int announced) throws IOException {
    var socket = connected("127.0.0.77");
    var head =
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ";
    socket.getOutputStream().write((head + announced + "\r\n\r\n ").getBytes(US_ASCII));
    return socket;
  }
}
