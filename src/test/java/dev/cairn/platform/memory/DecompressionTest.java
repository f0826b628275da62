package dev.cairn.platform.memory;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.Api.newRepository;
import static dev.cairn.platform.memory.GunzipTest.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Uncommon;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.ClientGoneException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** docs/limits.md, Decompression. There is room for 4 MiB of arriving bodies here. */
@HttpTest
@QuarkusTest
@TestProfile(Uncommon.class)
@InProcess("It takes the slots of the service itself.")
class DecompressionTest extends Arrivals {
  private static final int SLOTS = Runtime.getRuntime().availableProcessors();

  @Inject BodyMemory memory;
  @Inject Decompression decompression;
  @Inject WaitingRequests requests;

  private String repository;

  @BeforeEach
  void content() {
    repository = newRepository("private");
    Prepared.commit(
        repository, "{'operation':'add','kind':'shape','name':'S','data':{'fields':{}}}");
  }

  private People.Person member(String role) {
    return People.member(repository.split("/", -1)[3], role);
  }

  private static byte[] batch(String name, int length) {
    var batch =
        "{\"operations\":[{\"operation\":\"add\",\"name\":\"S/%s\",\"data\":{}}]}".formatted(name);
    var bytes = Arrays.copyOf(batch.getBytes(UTF_8), length);
    for (int i = 0; i < length; i++) {
      bytes[i] = bytes[i] == 0 ? (byte) ' ' : bytes[i];
    }
    return bytes;
  }

  private static byte[] broken() {
    var body = gzip(batch("broken", 100));
    body[body.length - 5] ^= 1;
    return body;
  }

  private Response commit(String token, byte[] compressed) {
    return as(token)
        .header("Content-Encoding", "gzip")
        .body(compressed)
        .post(repository + "/commits");
  }

  /** Sends a whole request, and does not wait for the answer. */
  private Socket sent(String token, byte[] compressed) throws IOException {
    var socket = connected();
    var head =
        """
        POST %s/commits HTTP/1.1\r
        Host: localhost\r
        Content-Type: application/json\r
        Content-Encoding: gzip\r
        Authorization: Bearer %s\r
        Content-Length: %d\r
        \r
        """
            .formatted(repository, token, compressed.length);
    socket.getOutputStream().write(head.getBytes(UTF_8));
    socket.getOutputStream().write(compressed);
    return socket;
  }

  private static void assertAllRoomIsFree() throws InterruptedException {
    awaitMetric("cairn_requests_arriving", value -> value == 1);
    awaitMetric("cairn_requests_arriving_bytes", value -> value <= OWN);
    assertEquals(0, metric("cairn_bodies_waiting"));
    assertEquals(0, metric("cairn_decompressions_waiting"));
  }

  private static double decompressions() {
    return metric("cairn_decompressions_seconds_count");
  }

  /** Holds all slots, for accounts that do not exist, until it is closed. */
  private final class AllSlots implements AutoCloseable {
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<CompletableFuture<Boolean>> taken = new ArrayList<>();

    AllSlots() throws InterruptedException {
      var begun = new CountDownLatch(SLOTS);
      for (int i = 0; i < SLOTS; i++) {
        taken.add(
            withSlot(
                decompression, Api.unique("slot"), DecompressionTest::never, _ -> awaitEnd(begun)));
      }
      assertTrue(begun.await(10, TimeUnit.SECONDS));
    }

    private boolean awaitEnd(CountDownLatch begun) {
      begun.countDown();
      return awaited(end);
    }

    @Override
    public void close() {
      end.countDown();
      taken.forEach(CompletableFuture::join);
    }
  }

  private static boolean awaited(CountDownLatch end) {
    try {
      return end.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether the client has gone. */
  private static boolean never() {
    return false;
  }

  private static <T> CompletableFuture<T> withSlot(
      Decompression limiter, String owner, BooleanSupplier isGone, Function<Runnable, T> work) {
    var done = new CompletableFuture<T>();
    Thread.startVirtualThread(
        () -> {
          try {
            done.complete(limiter.withSlot(owner, isGone, work));
          } catch (RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    return done;
  }

  @Test
  void a_body_is_decompressed_once_and_always_gives_its_room_back() throws Exception {
    var editor = member("editor").token();
    var whole = gzip(batch("a", 1_000_000));
    assertAfter(201, editor, whole);
    assertAfter(400, editor, broken());
    assertAfter(400, editor, Arrays.copyOf(whole, whole.length - 9));
    assertAfter(400, editor, Arrays.copyOf(whole, whole.length + 1));
    assertAfter(400, editor, gzip(new byte[500_000]));
    // More than three quarters of the room, and more than a body may have.
    assertAfter(413, editor, gzip(batch("b", 3_500_000)));
    assertAfter(413, editor, gzip(batch("c", 20_000_000)));
    assertAfter(201, editor, gzip(batch("d", 1_000_000)));
  }

  private void assertAfter(int status, String token, byte[] compressed) throws Exception {
    double before = decompressions();
    var answer = commit(token, compressed);
    assertEquals(status, answer.statusCode(), answer.asString());
    assertEquals(before + 1, decompressions());
    assertAllRoomIsFree();
  }

  @Test
  void nothing_is_decompressed_for_a_request_that_is_refused_for_another_reason() throws Exception {
    var removed = member("editor");
    var demoted = member("editor");
    for (var person : List.of(removed, demoted)) {
      // From now on their access is remembered.
      assertEquals(201, commit(person.token(), gzip(batch(Api.unique("n"), 100))).statusCode());
    }
    double before = decompressions();
    var members = "/api/orgs/" + repository.split("/", -1)[3] + "/members/";
    admin().delete(members + removed.inPath()).then().statusCode(200);
    admin().body("{\"role\":\"viewer\"}").put(members + demoted.inPath()).then().statusCode(200);

    assertEquals(404, commit(removed.token(), broken()).statusCode());
    assertEquals(403, commit(demoted.token(), broken()).statusCode());
    assertEquals(404, commit(People.stranger().token(), broken()).statusCode());
    assertEquals(403, commit(member("viewer").token(), broken()).statusCode());
    assertEquals(401, commit("no-token", broken()).statusCode());
    var none = anonymous().header("Content-Encoding", "gzip").body(broken());
    assertEquals(404, none.post(repository + "/commits").statusCode());
    var text = admin().contentType("text/plain").header("Content-Encoding", "gzip").body(broken());
    assertEquals(415, text.post(repository + "/commits").statusCode());
    assertEquals(before, decompressions());
    assertAllRoomIsFree();
  }

  @Test
  void a_decompressed_body_counts_for_its_account_as_long_as_it_is_used() throws Exception {
    var mine = member("editor").token();
    var theirs = member("editor").token();
    var body = gzip(batch("x", 1_500_000));
    Socket other;
    try (var _ = new AllRoom(memory)) {
      // It waits for room for its parsed size, and keeps its bytes meanwhile.
      var first = sent(mine, body);
      awaitMetric("cairn_requests_arriving_bytes", value -> value >= 1_500_000);
      awaitMetric("cairn_requests_arriving_bytes", value -> value <= 1_500_000 + 2 * OWN);

      assertEquals(503, commit(mine, body).statusCode(), "an account has half of the room");
      other = sent(theirs, gzip(batch("y", 1_000_000)));
      awaitMetric("cairn_requests_arriving_bytes", value -> value >= 2_500_000);
      first.close();
      Thread.sleep(500);
      assertTrue(metric("cairn_requests_arriving_bytes") >= 2_500_000, "it is used still");
    }
    assertEquals("HTTP/1.1 201 Created", statusLine(other));
    other.close();
    assertAllRoomIsFree();
  }

  @Test
  void other_requests_are_served_while_a_body_waits_and_it_ends_with_its_connection()
      throws Exception {
    var editor = member("editor").token();
    double before = decompressions();
    try (var _ = new AllSlots()) {
      var waiting = sent(editor, gzip(batch("w", 100_000)));
      var gone = sent(member("editor").token(), gzip(batch("g", 100_000)));
      awaitMetric("cairn_decompressions_waiting", value -> value == 2);
      assertTrue(metric("cairn_requests_arriving_bytes") < 50_000, "they are as they were sent");
      for (int i = 0; i < 3; i++) {
        as(editor).get(repository + "/count").then().statusCode(200);
        var plain = as(editor).body(batch("p" + i, 100)).post(repository + "/commits");
        assertEquals(201, plain.statusCode());
      }
      gone.close();
      awaitMetric("cairn_decompressions_waiting", value -> value == 1);
      Eventually.await("it is decompressed", () -> decompressions() == before + 1);
      waiting.close();
    }
    assertAllRoomIsFree();
    as(editor).get(repository + "/things/S/g").then().statusCode(404);
  }

  @Test
  void no_more_are_decompressed_at_once_than_there_are_processors() throws Exception {
    var atOnce = new AtomicInteger();
    var most = new AtomicInteger();
    var all = new ArrayList<CompletableFuture<Integer>>();
    for (int i = 0; i < 5 * SLOTS; i++) {
      all.add(
          withSlot(
              decompression,
              Api.unique("owner"),
              DecompressionTest::never,
              _ -> {
                most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                pause(20);
                return atOnce.decrementAndGet();
              }));
    }
    for (var each : all) {
      each.get(30, TimeUnit.SECONDS);
    }
    assertEquals(SLOTS, most.get());
  }

  private static void pause(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void beyond_a_number_the_bodies_of_one_account_are_refused_at_once() throws Exception {
    var owner = Api.unique("owner");
    var waiting = new ArrayList<CompletableFuture<Boolean>>();
    try (var _ = new AllSlots()) {
      for (int i = 0; i < Decompression.MAX_OF_OWNER; i++) {
        waiting.add(withSlot(decompression, owner, DecompressionTest::never, _ -> true));
      }
      awaitMetric("cairn_decompressions_waiting", value -> value >= Decompression.MAX_OF_OWNER);
      assertTimeoutPreemptively(
          Duration.ofSeconds(5),
          () ->
              assertUnavailable(
                  () -> decompression.withSlot(owner, DecompressionTest::never, _ -> true)));
      assertFalse(waiting.stream().anyMatch(CompletableFuture::isDone));
    }
    waiting.forEach(CompletableFuture::join);
    assertEquals("done", decompression.withSlot(owner, DecompressionTest::never, _ -> "done"));
  }

  private static void assertUnavailable(Executable work) {
    assertEquals(ErrorCode.UNAVAILABLE, assertThrows(Problem.class, work).code());
  }

  private static boolean forEver(Runnable mayGoOn) {
    while (true) {
      mayGoOn.run();
    }
  }

  @Test
  void what_takes_too_long_is_given_up_with_what_waits_for_it() throws Exception {
    var brief = new Decompression(requests, new SimpleMeterRegistry(), 1, Duration.ofMillis(300));
    var first = withSlot(brief, "a", DecompressionTest::never, DecompressionTest::forEver);
    var second = withSlot(brief, "b", DecompressionTest::never, DecompressionTest::forEver);
    assertGivenUp(first);
    assertGivenUp(second);
    assertEquals("done", brief.withSlot("c", DecompressionTest::never, _ -> "done"));
  }

  private static void assertGivenUp(CompletableFuture<?> work) {
    assertUnavailable(
        () -> {
          try {
            work.orTimeout(10, TimeUnit.SECONDS).join();
          } catch (CompletionException e) {
            throw e.getCause();
          }
        });
  }

  @Test
  void it_is_given_up_when_its_client_goes_or_its_thread_is_interrupted() {
    var pieces = new AtomicInteger();
    assertThrows(
        ClientGoneException.class,
        () ->
            decompression.withSlot(
                "a", () -> pieces.incrementAndGet() > 5, DecompressionTest::forEver));
    assertEquals(6, pieces.get());

    assertUnavailable(
        () ->
            decompression.withSlot(
                "a",
                DecompressionTest::never,
                mayGoOn -> {
                  Thread.currentThread().interrupt();
                  return forEver(mayGoOn);
                }));
    assertTrue(Thread.interrupted());
  }
}
