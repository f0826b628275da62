package dev.cairn.export;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static dev.cairn.People.member;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Threads;
import dev.cairn.Uncommon;
import dev.cairn.Waiting;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * docs/export.md: what streams and downloads may take. The pool is small, so that there are few at
 * a time.
 */
@HttpTest
@QuarkusTest
@TestProfile(Uncommon.class)
class ExportLimitsTest {
  private static final int ITEMS = 14;
  private static final int ITEM = 1_000_000;
  private static final int DOWNLOADS = 8;

  /** More than the pool has connections. */
  private static final int WAITING_REQUESTS = 40;

  private static String large;

  @Test
  void requests_for_exports_that_wait_for_one_another_leave_the_others_connections()
      throws Exception {
    var repository = newRepository();
    var free = newRepository();
    var token = adminToken();
    try (var connection = OwnConnections.dataSource().getConnection();
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      connection.setAutoCommit(false);
      var answers = new ArrayList<Future<Integer>>();
      try {
        OwnConnections.execute(
            connection,
            """
            select pg_advisory_xact_lock(hashtextextended('export ' || r.id, 0))
            from repository r join organization o on o.id = r.org_id where o.name = ?
            """,
            repository.split("/", -1)[3]);
        for (int i = 0; i < WAITING_REQUESTS; i++) {
          answers.add(
              executor.submit(
                  () -> as(token).get(repository + "/export?prefer=async").statusCode()));
        }
        Waiting.awaitWaiters(connection, 2);
        long start = System.nanoTime();
        for (int i = 0; i < 10; i++) {
          anonymous().get(free + "/count").then().statusCode(200);
          admin().get(free + "/count").then().statusCode(200);
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(millis < 3_000, "the others took " + millis + " ms");
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      for (var answer : answers) {
        int status = answer.get(30, TimeUnit.SECONDS);
        assertTrue(status == 202 || status == 503, "status " + status);
      }
    }
  }

  /** One for all tests, none of which changes it. */
  private static String largeRepository() {
    if (large == null) {
      large = filledRepository();
    }
    return large;
  }

  private static String filledRepository() {
    var repository = newRepository();
    commit(repository, "{'operation':'add','name':'Shape/S','data':{'fields':{}}}").statusCode(201);
    // One by one, as the room for what arrives is small here.
    for (int i = 0; i < ITEMS; i++) {
      commit(
              repository,
              "{'operation':'add','name':'S/%d','data':{'n':'%s'}}".formatted(i, "x".repeat(ITEM)))
          .statusCode(201);
    }
    return repository;
  }

  /** Begins a stream and reads the first byte of it. */
  private static Socket begin(String repository, String token) throws IOException {
    return begin(
        "GET %s/export HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(repository, token));
  }

  /** Begins a download and reads the first byte of it. */
  private static Socket beginDownload(String link) throws IOException {
    return begin("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(link));
  }

  private static Socket begin(String request) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(4 * 1024);
    socket.setSoTimeout(30_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), RestAssured.port));
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    assertEquals('H', socket.getInputStream().read());
    return socket;
  }

  private static byte[] rest(Socket socket) throws IOException {
    var all = new ByteArrayOutputStream();
    var buffer = new byte[64 * 1024];
    try {
      for (int n = 0; n >= 0; n = socket.getInputStream().read(buffer)) {
        all.write(buffer, 0, n);
      }
    } catch (SocketException e) {
      // Reset: the other way to hang up.
    }
    return all.toByteArray();
  }

  private static ValidatableResponse stream(String repository, String token) {
    return as(token).get(repository + "/export").then();
  }

  private static void refused(ValidatableResponse answer, int status, String code, String detail) {
    answer
        .statusCode(status)
        .header("Retry-After", notNullValue())
        .body("code", is(code))
        .body("detail", is(detail));
  }

  @Test
  void a_stream_that_takes_too_long_is_broken_off_and_never_looks_complete() throws Exception {
    var repository = largeRepository();
    try (var slow = begin(repository, adminToken())) {
      // Nothing tells that its time is over before it is read on.
      Thread.sleep(1_500);
      var text = new String(rest(slow), ISO_8859_1);
      assertTrue(text.length() < ITEMS * ITEM, "all of it was sent in spite of all");
      assertFalse(text.endsWith("0\r\n\r\n"), "the body has an end");
      assertFalse(text.contains("UNAVAILABLE"), "the problem was sent into the stream");
    }
    stream(newRepository(), adminToken()).statusCode(200);
  }

  private static String smallRepository(String org) {
    var name = Api.unique("small");
    admin().body(Map.of("name", name)).post("/api/orgs/" + org + "/repos").then().statusCode(201);
    return "/api/repos/" + org + "/" + name;
  }

  @Test
  void an_account_has_half_of_the_streams_and_leaves_some_to_others() throws Exception {
    var repository = largeRepository();
    var org = repository.split("/", -1)[3];
    var small = smallRepository(org);
    var first = adminToken();
    var second = member(org, "viewer").token();
    var third = member(org, "viewer").token();
    try (var _ = begin(repository, first)) {
      try (var _ = begin(repository, first)) {
        refused(
            stream(small, first),
            429,
            "RATE_LIMITED",
            "An account may stream at most 2 exports at the same time.");
        try (var _ = begin(repository, second)) {
          refused(
              stream(small, second), 503, "UNAVAILABLE", "Too many exports are being streamed.");
          stream(small, third).statusCode(200);
        }
      }
      // Whoever hangs up makes room for its account.
      awaitRoom(() -> stream(small, first), 200);
    }
  }

  @Test
  void a_stream_that_is_read_slowly_ends_when_an_account_without_one_waits() throws Exception {
    var repository = largeRepository();
    var org = repository.split("/", -1)[3];
    var small = smallRepository(org);
    var first = adminToken();
    var second = member(org, "viewer").token();
    var third = member(org, "viewer").token();
    var fourth = member(org, "viewer").token();
    try (var slowest = begin(repository, first);
        var _ = begin(repository, first);
        var _ = begin(repository, second);
        var _ = begin(repository, third)) {
      stream(small, fourth).statusCode(200);
      var text = new String(rest(slowest), ISO_8859_1);
      assertTrue(text.length() < ITEMS * ITEM, "it was sent in spite of all");
      assertFalse(text.endsWith("0\r\n\r\n"), "the body has an end");
    }
  }

  @Test
  void an_export_that_waited_is_refused_if_the_right_was_lost_meanwhile() throws Exception {
    var repository = largeRepository();
    var org = repository.split("/", -1)[3];
    var small = smallRepository(org);
    var first = adminToken();
    var removed = member(org, "viewer");
    try (var running = begin(repository, first);
        var _ = begin(repository, first);
        var _ = begin(repository, member(org, "viewer").token());
        var _ = begin(repository, member(org, "viewer").token())) {
      assertRefusedAfterWait(
          () -> stream(small, removed.token()),
          "/api/orgs/" + org + "/members/" + removed.inPath(),
          running);
    }
  }

  @Test
  void a_download_that_waited_is_refused_if_the_right_was_lost_meanwhile() throws Exception {
    var repository = largeRepository();
    var exportToken = Exports.mint(repository);
    var org = repository.split("/", -1)[3];
    var removed = member(org, "viewer");
    String url = as(removed.token()).get(repository + "/export?token=" + exportToken).path("url");
    var others = new ArrayList<Socket>();
    try {
      for (int i = 0; i < DOWNLOADS; i++) {
        others.add(beginDownload(linkOfMember(repository, exportToken)));
      }
      assertRefusedAfterWait(
          () -> firstBytes(url.substring(url.indexOf("/api/"))),
          "/api/orgs/" + org + "/members/" + removed.inPath(),
          others.getFirst());
    } finally {
      for (var other : others) {
        other.close();
      }
    }
  }

  /**
   * Removes the member whose request waits, and then lets it go on.
   *
   * @param running has the place that it gets
   */
  private static void assertRefusedAfterWait(
      Supplier<ValidatableResponse> request, String member, Socket running) throws Exception {
    var refused = CompletableFuture.supplyAsync(request, Threads.OWN);
    // If it has not come by then, it is refused as well.
    TimeUnit.MILLISECONDS.sleep(500);
    admin().delete(member).then().statusCode(200);
    running.close();
    refused
        .get(30, TimeUnit.SECONDS)
        .statusCode(404)
        .contentType("application/problem+json")
        .header("Content-Range", nullValue());
  }

  /** The link to a built export that an account of its own requests. */
  private static String linkOfMember(String repository, String exportToken) {
    var token = member(repository.split("/", -1)[3], "viewer").token();
    String url = as(token).get(repository + "/export?token=" + exportToken).path("url");
    return url.substring(url.indexOf("/api/"));
  }

  private static ValidatableResponse firstBytes(String link) {
    return anonymous().header("Range", "bytes=0-9").get(link).then();
  }

  @Test
  void an_account_has_a_quarter_of_the_downloads_by_however_many_links() throws Exception {
    var repository = largeRepository();
    var exportToken = Exports.mint(repository);
    var link = Exports.link(repository, exportToken);
    Thread.sleep(5); // Another link of the same account differs by its time.
    var another = Exports.link(repository, exportToken);
    try (var _ = beginDownload(link)) {
      try (var _ = beginDownload(another)) {
        refused(
            firstBytes(link),
            429,
            "RATE_LIMITED",
            "The account that requested this link may have at most 2 downloads at the same time.");
        anonymous().head(link).then().statusCode(200);
        firstBytes(linkOfMember(repository, exportToken)).statusCode(206);
      }
      awaitRoom(() -> firstBytes(link), 206);
    }
  }

  @Test
  void a_slow_download_ends_when_an_account_without_one_waits() throws Exception {
    var repository = largeRepository();
    var exportToken = Exports.mint(repository);
    var slowest = beginDownload(Exports.link(repository, exportToken));
    var others = new ArrayList<Socket>();
    try (slowest) {
      // The last place is only for an account without a download, so each has at most one here.
      for (int i = 1; i < DOWNLOADS; i++) {
        others.add(beginDownload(linkOfMember(repository, exportToken)));
      }
      firstBytes(linkOfMember(repository, exportToken)).statusCode(206);
      assertTrue(rest(slowest).length < ITEMS * ITEM, "it was sent in spite of all");
    } finally {
      for (var other : others) {
        other.close();
      }
    }
  }

  /** That a connection is gone shows when something is written to it. */
  private static void awaitRoom(Supplier<ValidatableResponse> stream, int expected) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    int status;
    do {
      status = stream.get().extract().statusCode();
    } while (status != expected && System.nanoTime() < end);
    assertEquals(expected, status);
  }
}
