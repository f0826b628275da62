package dev.cairn.platform;

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
import dev.cairn.Uncommon;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operation: requests that do not come to their end. There is room for 4 MiB here. */
@HttpTest
@QuarkusTest
@TestProfile(Uncommon.class)
@InProcess("It takes room of the service itself.")
class ArrivingBodiesTest {
  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;

  @Inject BodyMemory memory;

  private final List<Socket> sockets = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (var socket : sockets) {
      socket.close();
    }
    await(() -> metric("cairn_requests_arriving") == 1);
  }

  /** Announces a body, sends blanks for a part of it, and waits. */
  private Socket unfinished(String target, String token, int announced, int sent)
      throws IOException {
    // Connections are watched from the first request on.
    assertTrue(metric("cairn_connections") > 0);
    var socket = connected();
    var head =
        "POST "
            + target
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
            + announced
            + (token == null ? "" : "\r\nAuthorization: Bearer " + token)
            + "\r\n\r\n";
    socket.getOutputStream().write((head + " ".repeat(sent)).getBytes(US_ASCII));
    return socket;
  }

  private Socket connected() throws IOException {
    var socket = new Socket();
    sockets.add(socket);
    socket.setSoTimeout(30_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), RestAssured.port));
    return socket;
  }

  /** What the request for the metrics, which is counted too, takes at most. */
  private static final int OWN = 8 * KIB;

  private static double metric(String name) {
    return anonymous()
        .get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; i < 500 && !condition.getAsBoolean(); i++) {
      Thread.sleep(20);
    }
    assertTrue(condition.getAsBoolean());
  }

  private static String statusLine(Socket socket) throws IOException {
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII)).readLine();
  }

  private static String stranger() {
    return People.member(Api.newOrg(), "editor").token();
  }

  private static String repositoryWithShape() {
    var repository = newRepository();
    Api.commit(repository, "{'operation':'add','kind':'shape','name':'S','data':{'fields':{}}}")
        .statusCode(201);
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
    await(() -> metric("cairn_requests_arriving_bytes") >= 9 * 150_000 + 1);
    double bytes = metric("cairn_requests_arriving_bytes");
    int heads = 10 * 2 * KIB;
    assertTrue(bytes < 9 * 150_000 + 9 * 8 * KIB + heads, bytes + " bytes");

    for (int i = 0; i < 4; i++) {
      assertEquals(201, commit(repository, "c" + i), "commits of others go on");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/auth/login", "/api/auth/refresh", "/mcp"})
  void whoever_sends_many_unfinished_bodies_loses_the_slowest(String target) throws Exception {
    var first = unfinished(target, null, 65_530, 65_000);
    await(() -> metric("cairn_requests_arriving_bytes") >= 65_000);
    Thread.sleep(50);
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
    await(() -> metric("cairn_requests_arriving_ended_total") >= 22);
    assertTrue(metric("cairn_requests_arriving_bytes") <= 2 * MIB);
    assertEquals(201, commit(repository, "mine"));
    anonymous().get(repository + "/count").then().statusCode(200);
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
    await(() -> metric("cairn_requests_arriving") >= 40);
    for (var client : clients) {
      client.close();
    }
    await(() -> metric("cairn_requests_arriving") == 1);
    assertTrue(metric("cairn_requests_arriving_bytes") <= OWN);
    anonymous().get(repository + "/count").then().statusCode(200);
  }

  @Test
  void the_slowest_is_told_by_a_problem_document_to_come_again() throws Exception {
    var repository = repositoryWithShape();
    var slow = unfinished(repository + "/commits", adminToken(), 16 * MIB, 100_000);
    await(() -> metric("cairn_requests_arriving_bytes") >= 100_000);
    Thread.sleep(50);
    unfinished(repository + "/commits", adminToken(), 16 * MIB, 2 * MIB - 10_000);
    var in = new BufferedReader(new InputStreamReader(slow.getInputStream(), US_ASCII));
    assertEquals("HTTP/1.1 503 Service Unavailable", in.readLine());
    var headers = in.lines().takeWhile(line -> !line.isEmpty()).toList();
    assertTrue(
        headers.stream().anyMatch(line -> line.regionMatches(true, 0, "Retry-After:", 0, 12)));
  }

  @Test
  void the_head_of_a_request_takes_room_too() throws Exception {
    // Connections are watched from the first request on.
    assertTrue(metric("cairn_connections") > 0);
    var socket = connected();
    var head = "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(30_000);
    socket.getOutputStream().write(head.getBytes(US_ASCII));
    await(() -> metric("cairn_requests_arriving_bytes") >= 30 * 30_000);
    socket.close();
    await(() -> metric("cairn_requests_arriving_bytes") <= OWN);
  }

  @Test
  void the_head_of_a_request_takes_room_until_it_is_answered() throws Exception {
    assertTrue(metric("cairn_connections") > 0);
    var socket = connected();
    var head =
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: 3000\r\n"
            + "a:b\r\n".repeat(190)
            + "X: "
            + "x".repeat(30_000)
            + "\r\n\r\n{";
    socket.getOutputStream().write(head.getBytes(US_ASCII));
    await(() -> metric("cairn_requests_arriving_bytes") >= 190 * 200 + 30_000);
    socket.close();
    await(() -> metric("cairn_requests_arriving_bytes") <= OWN);
  }

  @Test
  void what_is_refused_before_it_has_come_is_answered_and_not_kept() throws Exception {
    var socket = unfinished("/api/repos/no/where/commits", "no-token", 16 * MIB, 100_000);
    assertEquals("HTTP/1.1 401 Unauthorized", statusLine(socket));
    assertTrue(metric("cairn_requests_arriving_bytes") <= OWN);
  }

  /** Has all room for large bodies taken, until it is closed. */
  private final class AllRoom implements AutoCloseable {
    private final CountDownLatch end = new CountDownLatch(1);

    AllRoom() throws InterruptedException {
      var large = new byte[RequestLimits.MAX_BODY];
      for (int i = 0; i < 100 && metric("cairn_bodies_waiting") == 0; i++) {
        Thread.startVirtualThread(() -> memory.within(UUID.randomUUID(), large, this::awaitEnd));
        Thread.sleep(20);
      }
      assertTrue(metric("cairn_bodies_waiting") > 0);
    }

    private boolean awaitEnd() {
      try {
        return end.await(30, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void close() {
      end.countDown();
    }
  }

  @Test
  void a_body_that_waits_for_room_counts_on_after_its_client_has_gone() throws Exception {
    var repository = repositoryWithShape();
    try (var _ = new AllRoom()) {
      double waiting = metric("cairn_bodies_waiting");
      var client = unfinished(repository + "/commits", adminToken(), 300_000, 300_000);
      await(() -> metric("cairn_bodies_waiting") > waiting);
      assertEquals(300_000, metric("cairn_requests_arriving_bytes"), 8 * KIB + 2 * OWN);
      client.close();
      Thread.sleep(500);
      assertTrue(metric("cairn_requests_arriving_bytes") >= 300_000, "it is held still");
    }
    await(() -> metric("cairn_requests_arriving_bytes") <= OWN);
  }

  @Test
  void a_body_that_is_ended_by_its_last_bytes_is_not_worked_on_as_far_as_it_came()
      throws Exception {
    var repository = repositoryWithShape();
    try (var _ = new AllRoom()) {
      double waiting = metric("cairn_bodies_waiting");
      unfinished(repository + "/commits", adminToken(), 1_900_000, 1_900_000);
      await(() -> metric("cairn_bodies_waiting") > waiting);
      var last = unfinished(repository + "/things/batch", adminToken(), 210_000, 150_000);
      await(() -> metric("cairn_requests_arriving_bytes") >= 2_050_000);

      // The room overflows within what is read at once, and the end of the body with it.
      last.getOutputStream().write(" ".repeat(60_000).getBytes(US_ASCII));

      assertEquals("HTTP/1.1 503 Service Unavailable", statusLine(last));
    }
  }

  @Test
  void a_message_that_waits_for_room_takes_none_when_its_client_has_gone() throws Exception {
    var all = memory.hold("all", Long.MAX_VALUE / 2);
    try {
      var client = unfinished("/mcp", null, 1_000, 1_000);
      await(() -> metric("cairn_bodies_waiting") > 0);
      client.close();
      await(() -> metric("cairn_requests_arriving_bytes") <= OWN);
    } finally {
      all.run();
    }
    memory.hold("all", Long.MAX_VALUE / 2).run();
  }

  @Test
  void the_messages_of_one_caller_leave_room_for_those_of_others() throws Exception {
    var mine = memory.hold("mine", 1);
    var all = new CompletableFuture<Runnable>();
    Thread.startVirtualThread(() -> all.complete(memory.hold("mine", Long.MAX_VALUE / 2)));
    try {
      await(() -> metric("cairn_bodies_waiting") > 0);
      memory.hold("theirs", 1).run();
    } finally {
      mine.run();
      all.get(30, TimeUnit.SECONDS).run();
    }
  }

  @Test
  void a_path_that_is_routed_once_more_is_one_request_of_its_connection() throws Exception {
    var socket = unfinished("/api/orgs/no;x", null, 1, 0);
    assertTrue(statusLine(socket).startsWith("HTTP/1.1 4"));
    socket.getOutputStream().write(' ');
    var head = "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(30_000);
    socket.getOutputStream().write(head.getBytes(US_ASCII));
    await(() -> metric("cairn_requests_arriving_bytes") >= 30 * 30_000);
  }

  @Test
  void a_head_that_came_with_another_request_takes_room_too() throws Exception {
    var socket = unfinished("/api/orgs/no", null, 1, 1);
    assertTrue(statusLine(socket).startsWith("HTTP/1.1 4"));
    var head = "GET / HTTP/1.1\r\nHost: localhost\r\n";
    var partial = head + ("X: " + "x".repeat(96) + "\r\n").repeat(300);
    socket.getOutputStream().write((head + "\r\n" + partial).getBytes(US_ASCII));
    await(() -> metric("cairn_requests_arriving_bytes") >= 30 * 29_000);
  }

  @Test
  void what_the_chunks_of_a_body_have_besides_it_is_no_head() throws Exception {
    assertTrue(metric("cairn_connections") > 0);
    var socket = connected();
    var out = socket.getOutputStream();
    var head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    for (var part :
        List.of(
            head + "Transfer-Encoding: chunked\r\n\r\n", "000", "1\r\n \r\n", "0", "\r\n\r\n")) {
      out.write(part.getBytes(US_ASCII));
      Thread.sleep(50);
    }
    assertEquals("HTTP/1.1 400 Bad Request", statusLine(socket));
    await(() -> metric("cairn_requests_arriving") == 1);
  }

  @Test
  void the_trailers_of_a_body_take_room_too() throws Exception {
    assertTrue(metric("cairn_connections") > 0);
    var socket = connected();
    var head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    var endless = "Transfer-Encoding: chunked\r\n\r\n0\r\n" + "a:\r\n".repeat(5_000);
    socket.getOutputStream().write((head + endless).getBytes(US_ASCII));
    await(() -> metric("cairn_requests_arriving_bytes") >= 30 * 18_000);
  }

  @Test
  void chunked_bodies_one_after_the_other_leave_nothing_counted() throws Exception {
    assertTrue(metric("cairn_connections") > 0);
    var socket = connected();
    var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
    var head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    var body = "Transfer-Encoding: chunked\r\n\r\n" + "1\r\n \r\n".repeat(20) + "0\r\n\r\n";
    for (int i = 0; i < 100; i++) {
      socket.getOutputStream().write((head + body).getBytes(US_ASCII));
      assertEquals("HTTP/1.1 400 Bad Request", in.readLine());
      int length = 0;
      for (var line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
        if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
          length = Integer.parseInt(line.substring(15).strip());
        }
      }
      assertEquals(length, in.skip(length));
    }
    await(() -> metric("cairn_requests_arriving") == 1);
  }

  @Test
  void a_new_connection_takes_the_place_of_one_whose_request_has_not_come_whole() throws Exception {
    assertTrue(metric("cairn_connections") > 0);
    for (int i = 0; i < 200; i++) {
      neighbour(9);
    }
    await(() -> metric("cairn_requests_arriving") >= 200);
    double closed = metric("cairn_connections_closed_total");

    assertEquals("HTTP/1.1 400 Bad Request", statusLine(neighbour(1)));
    assertEquals(closed + 1, metric("cairn_connections_closed_total"));
  }

  /** A connection from an address of its own, with a message of which one byte has come. */
  private Socket neighbour(int announced) throws IOException {
    var socket = new Socket();
    sockets.add(socket);
    socket.setSoTimeout(30_000);
    socket.bind(new InetSocketAddress("127.0.0.77", 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), RestAssured.port));
    var head =
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ";
    socket.getOutputStream().write((head + announced + "\r\n\r\n ").getBytes(US_ASCII));
    return socket;
  }
}
