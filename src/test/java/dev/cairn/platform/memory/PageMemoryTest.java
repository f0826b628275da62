package dev.cairn.platform.memory;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Threads;
import dev.cairn.platform.database.LockedTable;
import dev.cairn.platform.database.OwnConnections;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.EventExecutor;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Operation: the memory of large answers. */
@HttpTest
@QuarkusTest
@InProcess("It takes room of the service itself.")
class PageMemoryTest {
  private static final int ITEM = 700_000;
  private static final int ITEMS = 10;

  @Inject PageMemory memory;
  @Inject BodyMemory bodies;
  @Inject Vertx vertx;
  @Inject MeterRegistry metrics;

  /** Takes all room of one kind of callers. */
  private Runnable allRoom(boolean isAnonymous) {
    return memory.hold(new ArrivalRoom.Owner("all", isAnonymous), Integer.MAX_VALUE);
  }

  /** How many callers without credentials find room for a long page at the same time. */
  private int free() {
    var releases = new ArrayList<Runnable>();
    for (var held = tryHold(0); held.isPresent(); held = tryHold(releases.size())) {
      releases.add(held.get());
    }
    releases.forEach(Runnable::run);
    return releases.size();
  }

  private Optional<Runnable> tryHold(int caller) {
    return memory.tryHold(ArrivalRoom.Owner.network("caller" + caller));
  }

  private static ValidatableResponse page(String repository, String more) {
    return anonymous().get(repository + "/head?shape=S" + more).then().statusCode(200);
  }

  private static Response batch(String repository) {
    return batch(repository, 0);
  }

  /** With a body that is longer by this many blanks. */
  private static Response batch(String repository, int blanks) {
    var wrefs =
        IntStream.range(0, ITEMS)
            .mapToObj(i -> "\"S/" + i + "\"")
            .collect(Collectors.joining(",", "{\"wrefs\":[", "]}"));
    return anonymous().body(wrefs + " ".repeat(blanks)).post(repository + "/things/batch");
  }

  private static void awaitWaiting(IntSupplier waiting, CompletableFuture<?> work) {
    Eventually.await(
        "it waits for room",
        () -> {
          assertTrue(!work.isDone(), "it has to wait");
          return waiting.getAsInt() > 0;
        });
  }

  @Test
  void without_room_pages_are_short_and_all_of_them_hold_everything() {
    var repository = Api.repositoryOf(ITEMS, ITEM);
    page(repository, "").body("items", hasSize(ITEMS)).body("nextCursor", nullValue());
    var all = allRoom(true);
    try {
      int found = 0;
      String cursor = "";
      while (cursor != null) {
        var page = page(repository, cursor).body("items", hasSize(1)).extract();
        cursor = page.path("nextCursor");
        cursor = cursor == null ? null : "&cursor=" + cursor;
        found++;
      }
      assertEquals(ITEMS, found);
      anonymous().get(repository + "/things/S/1").then().statusCode(200);
      admin()
          .get(repository + "/head?shape=S")
          .then()
          .statusCode(200)
          .body("items", hasSize(ITEMS));
    } finally {
      all.run();
    }
    all = allRoom(false);
    try {
      admin()
          .get(repository + "/head?shape=S")
          .then()
          .statusCode(200)
          .body("items", hasSize(1))
          .body("nextCursor", notNullValue());
      page(repository, "").body("items", hasSize(ITEMS));
    } finally {
      all.run();
    }
  }

  @Test
  void a_batch_waits_for_room_and_is_refused_if_none_comes() throws Exception {
    var repository = Api.repositoryOf(ITEMS, ITEM);
    var all = allRoom(true);
    CompletableFuture<Response> waiting;
    try {
      batch(repository)
          .then()
          .statusCode(503)
          .header("Retry-After", notNullValue())
          .body("code", is("UNAVAILABLE"));
      anonymous()
          .body(Map.of("wrefs", List.of("S/1")))
          .post(repository + "/things/batch")
          .then()
          .statusCode(200);

      waiting = CompletableFuture.supplyAsync(() -> batch(repository));
      awaitWaiting(memory::waiting, waiting);
    } finally {
      all.run();
    }
    waiting.get(30, TimeUnit.SECONDS).then().statusCode(200).body("items", hasSize(ITEMS));
  }

  /** Both routes whose answers are not cut into pages. */
  @Test
  void an_answer_that_waited_for_room_is_refused_if_the_right_was_lost_meanwhile()
      throws Exception {
    var repository = Api.repositoryOf(ITEMS, ITEM);
    var about =
        IntStream.range(0, ITEMS)
            .mapToObj(i -> "wref=S/" + i)
            .collect(Collectors.joining("&", repository + "/about?", ""));
    admin().body(Map.of("visibility", "public")).patch(repository).then().statusCode(200);
    List<Supplier<Response>> reads = List.of(() -> batch(repository), () -> anonymous().get(about));
    for (var read : reads) {
      read.get().then().statusCode(200);
      var all = allRoom(true);
      CompletableFuture<Response> waiting;
      try {
        waiting = CompletableFuture.supplyAsync(read, Threads.OWN);
        awaitWaiting(memory::waiting, waiting);
        admin().body(Map.of("visibility", "private")).patch(repository).then().statusCode(200);
      } finally {
        all.run();
      }
      waiting.get(30, TimeUnit.SECONDS).then().statusCode(404).body("code", is("NOT_FOUND"));
      admin().body(Map.of("visibility", "public")).patch(repository).then().statusCode(200);
    }
  }

  @Test
  void answers_that_wait_for_room_are_few_for_each_account() throws Exception {
    var repository = Api.repositoryOf(1, 1);
    watchManyTimes(repository);
    var other = People.stranger().token();
    int turns = 10;
    var all = allRoom(false);
    var answers = new ArrayList<CompletableFuture<Integer>>();
    try {
      for (int i = 0; i < turns + 2; i++) {
        answers.add(
            CompletableFuture.supplyAsync(
                () -> admin().get(repository + "/subs").statusCode(), Thread::startVirtualThread));
      }
      var waitForTurn = metrics.get("cairn.reads.accounts.waiting").gauge();
      Eventually.await(
          "those that have a turn wait for room, and two for a turn",
          () -> memory.waiting() == turns && waitForTurn.value() == 2);
      as(other).get(repository + "/count").then().statusCode(200);
      as(other).get("/api/whoami").then().statusCode(200);
      assertEquals(turns, memory.waiting(), "answers that were read and wait for room");
    } finally {
      all.run();
    }
    for (var answer : answers) {
      assertEquals(200, answer.get(30, TimeUnit.SECONDS));
    }
  }

  /** Adds subscriptions whose list has more than 1 MiB. */
  private static void watchManyTimes(String repository) {
    OwnConnections.database()
        .update(
            """
            insert into subscription (repo_id, id, name, kind, executor_kind, active,
                                      source_repo_id, shape_id, filter, webhook_url,
                                      allow_trace_reentry, notify_on_success, workspace_policy,
                                      base_url, principal_id, created_at, updated_at)
            select r.id, gen_random_uuid(), 's' || i, 'webhook', 'webhook', true, r.id,
                   (select e.id from entity e
                    where e.repo_id = r.id and e.shape_name = 'Shape' and e.name = 'S'),
                   '{}', 'http://127.0.0.1:9/' || repeat('x', 2000), false, false, 'ignore',
                   'https://cairn.example.org', a.id, now(), now()
            from generate_series(1, 700) i, repository r, account a
            where r.id = ? and a.email = 'admin@example.org'
            """,
            Api.repoId(repository));
  }

  @Test
  void a_request_that_waits_holds_room_for_its_parsed_body_until_the_answer() throws Exception {
    var repository = Api.repositoryOf(ITEMS, ITEM);
    var all = allRoom(true);
    CompletableFuture<Response> waiting;
    var bodyRoom = new CompletableFuture<Runnable>();
    try {
      waiting = CompletableFuture.supplyAsync(() -> batch(repository, 600_000));
      awaitWaiting(memory::waiting, waiting);
      Thread.startVirtualThread(
          () ->
              bodyRoom.complete(bodies.hold(ArrivalRoom.Owner.network("all"), Long.MAX_VALUE / 2)));
      awaitWaiting(bodies::waiting, bodyRoom);
    } finally {
      all.run();
    }
    waiting.get(30, TimeUnit.SECONDS).then().statusCode(200).body("items", hasSize(ITEMS));
    bodyRoom.get(30, TimeUnit.SECONDS).run();
  }

  @Test
  void the_room_of_a_page_is_given_back_with_its_bytes_or_its_connection() throws Exception {
    var repository = Api.repositoryOf(ITEMS, ITEM);
    int free = free();
    assertTrue(free > 0);
    var head = "GET " + repository + "/head?shape=S HTTP/1.1\r\nHost: localhost\r\n\r\n";
    var unread = new ArrayList<Socket>();
    try {
      for (int i = 0; i < free + 2; i++) {
        unread.add(asked(head));
        unread.getLast().getInputStream().read();
        asked(head).close();
      }
      Eventually.await(() -> free + " are free: " + free(), () -> free() == free);
    } finally {
      for (var socket : unread) {
        socket.close();
      }
    }
  }

  @Test
  void a_page_keeps_its_room_while_it_waits_for_the_event_loop() throws Exception {
    var repository = Api.repositoryOf(ITEMS, ITEM);
    int free = free();
    var loops = new ArrayList<EventExecutor>();
    ((VertxInternal) vertx).getEventLoopGroup().forEach(loops::add);
    var blocked = new CountDownLatch(loops.size());
    var unblock = new CountDownLatch(1);
    var head = "GET " + repository + "/commits HTTP/1.1\r\nHost: localhost\r\n\r\n";
    var locked = LockedTable.of("commit_log");
    try (var _ = asked(head)) {
      try (locked) {
        Eventually.await("the page has its room", () -> free() < free);
        for (var loop : loops) {
          loop.execute(
              () -> {
                blocked.countDown();
                await(unblock);
              });
        }
        await(blocked);
      }
      Thread.sleep(1_000);
      assertTrue(free() < free, "it was given back before the answer was handed over");
    } finally {
      unblock.countDown();
    }
    Eventually.await("its room is given back", () -> free() == free);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(10, TimeUnit.SECONDS), "nothing happened");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Socket asked(String head) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port);
    socket.setSoTimeout(20_000);
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}
