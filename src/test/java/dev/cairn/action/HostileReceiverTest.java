package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Waiting;
import dev.cairn.egress.ScriptedServer;
import dev.cairn.platform.database.OwnConnections;
import dev.cairn.work.ActiveAttempt;
import dev.cairn.work.Slots;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actions, Workers: receivers that misbehave take bounded time and memory, and delay nobody. */
@HttpTest
@QuarkusTest
@InProcess("It steps the worker.")
class HostileReceiverTest {
  private static final int MANY = 8;

  private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 5000000000\r\n\r\n";

  @Inject ReadyQueues queue;

  private final Receiver receiver = new Receiver();
  private Deliveries deliveries;
  private String repository;

  @BeforeEach
  void repository() {
    deliveries = new Deliveries();
    repository = Api.newRepository("private");
    Api.commit(repository, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
  }

  @AfterEach
  void close() {
    receiver.close();
  }

  private void commit() {
    Prepared.commit(
        repository, "{'operation':'add','name':'Sensor/%s','data':{}}".formatted(Api.unique("s")));
  }

  private void assertEnds(ScriptedServer.Script script, String status, String code)
      throws IOException {
    try (var server = ScriptedServer.on("127.0.0.1", script)) {
      deliveries.webhook(
          repository, "bad", "Sensor", "http://127.0.0.1:%d/".formatted(server.port()));
      commit();
      long start = System.nanoTime();
      deliveries.run(repository);
      long took = (System.nanoTime() - start) / 1_000_000_000;
      assertTrue(took < 10, took + " s");
      admin()
          .get(repository + "/actions/runs")
          .then()
          .body("[0].status", is(status))
          .body("[0].lastErrorCode", is(code));
    }
  }

  private static ScriptedServer.Script sending(String head, byte[] piece, long pause) {
    return (server, socket) -> {
      server.readRequest(socket);
      ScriptedServer.write(socket, head);
      server.writeForever(socket.getOutputStream(), piece, pause);
    };
  }

  @Test
  void one_that_sends_five_gigabytes_has_succeeded_by_its_head() throws IOException {
    assertEnds(sending(HEAD, new byte[64 * 1024], 0), "succeeded", null);
  }

  @Test
  void one_that_drips_a_byte_at_a_time_has_succeeded_by_its_head() throws IOException {
    assertEnds(sending(HEAD, new byte[1], 200), "succeeded", null);
  }

  @Test
  void a_bomb_of_gzip_is_not_unpacked() throws IOException {
    var bomb = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bomb)) {
      gzip.write(new byte[50_000_000]);
    }
    assertEnds(
        sending(
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n"
                .formatted(bomb.size()),
            bomb.toByteArray(),
            1000),
        "succeeded",
        null);
  }

  @Test
  void half_an_answer_is_a_network_error() throws IOException {
    assertEnds(ScriptedServer.answering("HTTP/1.1 20"), "retry_wait", "WEBHOOK_NETWORK_ERROR");
  }

  @Test
  void a_reset_is_a_network_error() throws IOException {
    assertEnds(
        (_, socket) -> {
          socket.getInputStream().read();
          socket.setSoLinger(true, 0);
        },
        "retry_wait",
        "WEBHOOK_NETWORK_ERROR");
  }

  @Test
  void one_that_hangs_is_a_network_error_in_bounded_time() throws IOException {
    assertEnds((server, socket) -> server.awaitEnd(socket), "retry_wait", "WEBHOOK_NETWORK_ERROR");
  }

  @Test
  void receivers_that_hang_and_long_lines_before_them_delay_nobody_else() throws IOException {
    try (var hanging =
        ScriptedServer.on("127.0.0.1", (server, socket) -> server.awaitEnd(socket))) {
      deliveries.webhook(
          repository, "bad", "Sensor", "http://127.0.0.1:%d/".formatted(hanging.port()));
      for (int i = 0; i < 40; i++) {
        commit();
      }
      var hung = new ArrayList<>(deliveries.begin(repository));
      assertEquals(8, hung.size(), "as many as one target has at a time");
      deliveries.webhook(repository, "good", "Sensor", receiver.url("/"));
      commit();
      long start = System.nanoTime();
      var others = new ArrayList<ActiveAttempt<RunAttempt, Outcome>>(deliveries.begin(repository));
      assertEquals(1, others.size());
      deliveries.await(others);
      long millis = (System.nanoTime() - start) / 1_000_000;
      assertTrue(millis < 1000, millis + " ms");
      assertEquals(1, receiver.calls().size());
      deliveries.await(hung);
      admin()
          .get(repository + "/actions/runs?status=retry_wait")
          .then()
          .body("size()", is(8))
          .body("lastErrorCode", everyItem(is("WEBHOOK_NETWORK_ERROR")));
    }
  }

  private String watched(String org, String name, int webhooks) {
    admin()
        .body(Map.of("name", name, "visibility", "private"))
        .post("/api/orgs/" + org + "/repos")
        .then()
        .statusCode(201);
    var path = "/api/repos/" + org + "/" + name;
    Api.commit(path, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
    for (int i = 0; i < webhooks; i++) {
      deliveries.webhook(path, "hook" + i, "Sensor", receiver.url("/" + i));
    }
    Prepared.commit(path, "{'operation':'add','name':'Sensor/s','data':{}}");
    return path;
  }

  /** An organization that another account created, in which the administrator may do everything. */
  private static String orgOfAnother() {
    var creator = People.stranger();
    var org = Api.unique("org");
    as(creator.token()).body(Map.of("name", org)).post("/api/orgs").then().statusCode(201);
    as(creator.token())
        .body(Map.of("role", "owner"))
        .put("/api/orgs/" + org + "/members/admin%40example.org")
        .then()
        .statusCode(200);
    return org;
  }

  @Test
  void a_tenant_with_many_organizations_and_queues_hides_none_of_another_one() {
    var repositories =
        Stream.of(
                watched(Api.newOrg(), "one", 3),
                watched(Api.newOrg(), "two", 3),
                watched(orgOfAnother(), "last", 1))
            .map(Api::repoId)
            .toList();
    var all = Optional.of(Set.copyOf(repositories));
    var found = queue.find(all, new Slots.Full(Set.of(), Set.of()), 2);
    assertEquals(
        List.of(repositories.get(0), repositories.get(2)),
        found.stream().map(each -> each.target().repoId()).toList());
    var first = found.getFirst().target();
    var full = new Slots.Share(first.tenantId(), first.executor(), false);
    assertEquals(
        List.of(repositories.get(2)),
        queue.find(all, new Slots.Full(Set.of(full), Set.of()), 10).stream()
            .map(each -> each.target().repoId())
            .toList());
  }

  /** Things of a megabyte each. */
  private static void commitLarge(String repository, int things) {
    var data = "{'t':'%s'}".formatted("x".repeat(1_000_000));
    var operations =
        IntStream.range(0, things)
            .mapToObj(i -> "{'operation':'add','name':'Sensor/l%d','data':%s}".formatted(i, data))
            .collect(Collectors.joining(","));
    Prepared.commit(repository, operations);
  }

  /** Together they would take more than the heap, were their bodies in memory. */
  @Test
  void receivers_that_take_nothing_of_large_bodies_delay_no_large_body_of_another_organization()
      throws IOException, InterruptedException {
    var all = new CountDownLatch(16);
    var arrived = new CountDownLatch(1);
    try (var hanging =
        ScriptedServer.on(
            "127.0.0.1",
            (_, _) -> {
              all.countDown();
              arrived.await();
            })) {
      for (int i = 0; i < 16; i++) {
        deliveries.webhook(
            repository, "bad" + i, "Sensor", "http://127.0.0.1:%d/%d".formatted(hanging.port(), i));
      }
      commitLarge(repository, 8);
      var other = Api.newRepository("private");
      Api.commit(other, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
      deliveries.webhook(other, "good", "Sensor", receiver.url("/"));
      commitLarge(other, 1);
      var hung = deliveries.begin(repository);
      assertEquals(16, hung.size(), "as many as one host has at a time");
      assertTrue(all.await(30, TimeUnit.SECONDS), "all of them hang at the same time");
      deliveries.run(other);
      assertEquals(1, receiver.calls().size(), "and hold nothing up");
      arrived.countDown();
      deliveries.await(hung);
    }
  }

  @Test
  void the_answers_body_is_nowhere_to_be_read() throws IOException {
    assertEnds(
        ScriptedServer.answering("HTTP/1.1 400 Bad\r\nContent-Length: 6\r\n\r\nsecret"),
        "failed_terminal",
        "HTTP_400");
    var attempts = "runs/" + deliveries.onlyRun(repository) + "/attempts";
    for (var path : List.of("runs", "notifications", attempts)) {
      var text = admin().get(repository + "/actions/" + path).asString();
      assertTrue(!text.contains("secret"), text);
    }
  }

  @Test
  void receivers_that_are_gone_take_one_connection_while_their_subscriptions_are_locked()
      throws Exception {
    var released = new CountDownLatch(1);
    receiver.answering(
        call -> {
          if (call.path().equals("/gone")) {
            released.await(30, TimeUnit.SECONDS);
            return Receiver.status(410);
          }
          return Receiver.status(200);
        });
    for (int i = 0; i < MANY; i++) {
      deliveries.webhook(repository, "gone" + i, "Sensor", receiver.url("/gone"));
    }
    commit();
    var begun = deliveries.begin(repository);
    assertTrue(begun.size() > 2, begun.size() + " attempts");
    try (var holder = OwnConnections.plain()) {
      holder.setAutoCommit(false);
      OwnConnections.execute(
          holder, "select from subscription where repo_id = ? for update", Api.repoId(repository));
      released.countDown();
      Waiting.awaitWaiter(holder);
      assertAnotherIsServed();
      int waiters = Waiting.waiters(holder);
      assertTrue(waiters <= 1, waiters + " attempts have a connection");
      holder.rollback();
    }
    deliveries.await(begun);
    admin()
        .get(repository + "/subs")
        .then()
        .statusCode(200)
        .body("findAll { !it.active }.size()", is(begun.size()));
  }

  private void assertAnotherIsServed() {
    var other = Api.newRepository("private");
    Api.commit(other, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
    deliveries.webhook(other, "prompt", "Sensor", receiver.url("/there"));
    Prepared.commit(other, "{'operation':'add','name':'Sensor/s','data':{}}");
    deliveries.run(other);
    admin().get(other + "/actions/runs").then().body("[0].status", is("succeeded"));
  }
}
