package dev.cairn.platform.limiter;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.platform.database.LockedTable;
import dev.cairn.platform.database.OwnConnections;
import dev.cairn.platform.http.RawHttp;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Limits: which part of the database's connections slow reads can take from others. They are slow
 * as long as a table is locked.
 */
@HttpTest
@QuarkusTest
@InProcess("It counts the connections of the pool of this process.")
class ReadSharesTest {
  private static final int POOL = 20;

  @Inject MeterRegistry metrics;

  private String repository;

  @BeforeEach
  void makeRepository() {
    repository = Api.newRepository();
    Prepared.commit(
        repository,
        "{'operation':'add','kind':'shape','name':'S','data':{'fields':{'n?':'number'}}}");
  }

  @Test
  void slow_reads_without_credentials_leave_half_of_the_connections_to_the_others()
      throws Exception {
    Api.adminToken();
    try (var executor = Executors.newFixedThreadPool(2 * POOL);
        var _ = LockedTable.of("commit_log")) {
      var slow = new ArrayList<CompletableFuture<Integer>>();
      for (int i = 0; i < 2 * POOL; i++) {
        slow.add(anonymousRead(executor, "127.0.0." + (2 + i % 3), repository + "/commits"));
      }
      awaitWaiting(POOL / 2 - 3);
      assertEquals(200, RawHttp.sendFrom("127.0.0.9", "GET " + repository + "/count", "").status());
      long start = System.nanoTime();
      for (int i = 0; i < 10; i++) {
        admin().get(repository + "/count").then().statusCode(200);
      }
      anonymous().get("/q/health/ready").then().statusCode(200);
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(millis < 2_000, "reads of others took " + millis + " ms");
      assertTrue(waiting() < POOL / 2, "anonymous reads leave one for other addresses");
      for (var answer : slow) {
        assertEquals(503, answer.get(15, TimeUnit.SECONDS));
      }
    }
  }

  /** They are read in a snapshot, whose connection is taken only when it is their turn. */
  @Test
  void reads_that_name_another_repository_wait_for_their_turn_without_a_connection()
      throws Exception {
    Api.adminToken();
    try (var executor = Executors.newFixedThreadPool(2 * POOL);
        var _ = LockedTable.of("entity")) {
      for (int i = 0; i < 2 * POOL; i++) {
        var url = repository + "/count?about=S/a&about=cairn:other/repo/S/a";
        var _ = anonymousRead(executor, "127.0.0.2", url);
      }
      awaitWaiting(1);
      long start = System.nanoTime();
      for (int i = 0; i < 10; i++) {
        admin().get(repository + "/commits").then().statusCode(200);
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(millis < 2_000, "reads of others took " + millis + " ms");
    }
  }

  /** Nobody has been granted access, so that each of them asks the database. */
  @Test
  void slow_look_ups_without_credentials_leave_half_of_the_connections_to_the_others()
      throws Exception {
    assertLeaveHalf(
        "organization",
        address -> RawHttp.sendFrom(address, "GET /api/repos/no/where/count", "").status());
  }

  @Test
  void slow_look_ups_of_clients_and_browsers_leave_half_of_the_connections_to_the_others()
      throws Exception {
    var form = "grant_type=refresh_token&refresh_token=x&client_id=" + UUID.randomUUID();
    assertLeaveHalf(
        "oauth_client",
        address ->
            RawHttp.sendFrom(
                    address,
                    "POST /oauth/token",
                    form,
                    "Content-Type: application/x-www-form-urlencoded")
                .status());
    var cookie = "cairn_cookie_" + "x".repeat(43);
    assertLeaveHalf(
        "session",
        address ->
            RawHttp.sendFrom(address, "GET /device", "", "Cookie: cairn-session=" + cookie)
                .status());
  }

  @Test
  void slow_descriptions_leave_half_of_the_connections_to_the_others() throws Exception {
    var describe = repository + "/describe";
    anonymous().get(describe).then().statusCode(200);
    assertLeaveHalf(
        "repository", address -> RawHttp.sendFrom(address, "GET " + describe, "").status());
  }

  /** Remembered access is confirmed also when a request is refused, by a query of its own. */
  @Test
  void confirmations_of_refused_requests_leave_half_of_the_connections_to_the_others()
      throws Exception {
    var refused = repository + "/count?bogus=1";
    anonymous().get(repository + "/count").then().statusCode(200);
    anonymous().get(refused).then().statusCode(400);
    try (var executor = Executors.newFixedThreadPool(2 * POOL)) {
      int most;
      try (var _ = LockedTable.of("access_version")) {
        for (int i = 0; i < 2 * POOL; i++) {
          var _ = anonymousRead(executor, "127.0.0." + (2 + i % 3), refused);
        }
        awaitWaiting(POOL / 2 - 3);
        most = mostWaiting();
      }
      assertTrue(most >= POOL / 2 - 3 && most <= POOL / 2, most + " connections");
    }
  }

  @Test
  void slow_batches_of_messages_leave_half_of_the_connections_to_the_others() throws Exception {
    var ping = "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}";
    var batch = IntStream.range(0, 20).mapToObj(ping::formatted).toList().toString();
    var target = "POST /mcp/" + repository.substring("/api/repos/".length());
    assertLeaveHalf(
        "organization",
        address ->
            RawHttp.sendFrom(
                    address,
                    target,
                    batch,
                    "Content-Type: application/json",
                    "Accept: application/json, text/event-stream")
                .status());
  }

  /** Sends something without credentials, from an address. */
  @FunctionalInterface
  private interface FromAddress {
    int status(String address) throws UnknownHostException;
  }

  private void assertLeaveHalf(String table, FromAddress request) throws Exception {
    // Remembered access is not looked up again.
    admin().get(repository + "/count").then().statusCode(200);
    try (var executor = Executors.newFixedThreadPool(2 * POOL);
        var _ = LockedTable.of(table)) {
      for (int i = 0; i < 2 * POOL; i++) {
        var address = "127.0.0." + (2 + i % 3);
        var _ = executor.submit(() -> request.status(address));
      }
      awaitWaiting(POOL / 2 - 3);
      assertTrue(waiting() >= POOL / 2 - 3, "they are slow");
      long start = System.nanoTime();
      for (int i = 0; i < 10; i++) {
        admin().get(repository + "/count").then().statusCode(200);
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(millis < 2_000, "reads of others took " + millis + " ms");
      assertTrue(waiting() < POOL - POOL / 4, "look-ups leave connections");
    }
  }

  @Test
  void slow_reads_from_one_address_leave_some_connections_to_other_addresses() throws Exception {
    try (var executor = Executors.newFixedThreadPool(2 * POOL);
        var _ = LockedTable.of("commit_log")) {
      for (int i = 0; i < POOL; i++) {
        var _ = anonymousRead(executor, "127.0.0.2", repository + "/commits");
      }
      awaitWaiting(POOL / 4);
      assertEquals(200, RawHttp.sendFrom("127.0.0.3", "GET " + repository + "/count", "").status());
      assertEquals(POOL / 4, mostWaiting(), "reads from that address that have a connection");
    }
  }

  @Test
  void slow_reads_from_many_addresses_do_not_keep_out_one_that_asks_for_little() throws Exception {
    int addresses = POOL / 2;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    try (var executor = Executors.newFixedThreadPool(2 * addresses);
        var _ = LockedTable.of("commit_log")) {
      for (int i = 0; i < 2 * addresses; i++) {
        var address = "127.0.1." + (1 + i % addresses);
        executor.execute(
            () -> {
              while (System.nanoTime() < end) {
                anonymousRead(Runnable::run, address, repository).join();
              }
            });
      }
      awaitWaiting(addresses - 1);
      while (System.nanoTime() < end) {
        assertEquals(
            200, RawHttp.sendFrom("127.0.0.9", "GET " + repository + "/count", "").status());
      }
    }
  }

  private static CompletableFuture<Integer> anonymousRead(
      Executor executor, String address, String path) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return RawHttp.sendFrom(address, "GET " + path, "").status();
          } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
          }
        },
        executor);
  }

  @Test
  void slow_reads_of_one_account_leave_three_quarters_of_the_connections_to_the_others()
      throws Exception {
    var org = repository.split("/", -1)[3];
    var token = People.member(org, "editor").token();
    Api.adminToken();
    try (var executor = Executors.newFixedThreadPool(2 * POOL);
        var _ = LockedTable.of("commit_log")) {
      var _ = signedInRead(executor, token, repository + "/verification");
      // Before that it reads how large the repository is, as one of the account's reads.
      Eventually.await("a verification waits", () -> waiting() == 1);
      // A second one has no turn, but room for an answer, as few of the account's requests have.
      var _ = signedInRead(executor, token, repository + "/verification");
      for (int i = 0; i < 2 * POOL; i++) {
        var _ = signedInRead(executor, token, repository + "/commits");
      }
      Eventually.await("its reads wait too", () -> waiting() == POOL / 4 + 1);
      for (int i = 0; i < 10; i++) {
        admin().get(repository + "/count").then().statusCode(200);
      }
      assertTrue(mostWaiting() <= POOL / 4 + 1, "its reads and verification with a connection");
    }
    Api.as(token).get(repository + "/commits").then().statusCode(200);
  }

  @Test
  void slow_reads_of_all_callers_leave_a_quarter_of_the_connections_to_other_requests()
      throws Exception {
    var org = repository.split("/", -1)[3];
    var tokens = new ArrayList<String>();
    for (int i = 0; i < 3; i++) {
      tokens.add(People.member(org, "editor").token());
    }
    Api.adminToken();
    try (var executor = Executors.newFixedThreadPool(4 * POOL);
        var _ = LockedTable.of("commit_log")) {
      for (int i = 0; i < 3; i++) {
        var _ = signedInRead(executor, tokens.get(i), repository + "/verification");
      }
      awaitWaiting(1);
      assertEquals(1, mostWaiting(), "verifications that have a connection");
      for (int i = 0; i < POOL; i++) {
        var _ = signedInRead(executor, tokens.get(i % 3), repository + "/commits");
      }
      awaitWaiting(1 + POOL / 2 - 3);
      admin().get(repository + "/count").then().statusCode(200);
      assertTrue(waiting() < 1 + POOL / 2, "accounts leave one for other accounts");
      for (int i = 0; i < POOL; i++) {
        var _ = anonymousRead(executor, "127.0.0." + (2 + i % 3), repository + "/commits");
      }
      awaitWaiting(POOL - POOL / 4 - 1);
      assertTrue(waiting() <= POOL - POOL / 4, "reads that have a connection");
      admin().get("/api/orgs/" + org).then().statusCode(200);
    }
  }

  @Test
  void verifications_of_large_repositories_leave_a_connection_to_those_of_small_ones()
      throws Exception {
    var large = Api.newRepository("private");
    setStoredBytes(large, 1L << 40);
    var ofLarge = editors(large);
    var ofSmall = editors(repository);
    try (var executor = Executors.newFixedThreadPool(POOL);
        var _ = LockedTable.of("commit_log")) {
      for (var token : ofLarge) {
        var _ = signedInRead(executor, token, large + "/verification");
      }
      awaitWaiting(2);
      for (int i = 0; i < 10; i++) {
        admin().get(repository + "/count").then().statusCode(200);
      }
      assertEquals(2, mostWaiting(), "the third one waits without a connection");
      for (var token : ofSmall) {
        var _ = signedInRead(executor, token, repository + "/verification");
      }
      awaitWaiting(3);
      assertEquals(3, mostWaiting(), "two of large repositories, and one of a small one");
    }
    Api.as(ofLarge.getFirst()).get(large + "/verification").then().statusCode(200);
  }

  private static List<String> editors(String repository) {
    var org = repository.split("/", -1)[3];
    return IntStream.range(0, 3).mapToObj(_ -> People.member(org, "editor").token()).toList();
  }

  private void setStoredBytes(String repository, long bytes) throws SQLException {
    try (var connection = OwnConnections.dataSource().getConnection();
        var statement =
            connection.prepareStatement(
                "update repository_head set stored_bytes = ? where repo_id = ?")) {
      statement.setLong(1, bytes);
      statement.setObject(2, Api.repoId(repository));
      statement.executeUpdate();
    }
  }

  @Test
  void downloads_read_one_piece_at_a_time_and_leave_the_connections_to_others() throws Exception {
    var link = linkOfExport();
    try (var executor = Executors.newFixedThreadPool(2 * POOL);
        var _ = LockedTable.of("export_chunk")) {
      for (int i = 0; i < 2 * POOL; i++) {
        var _ = CompletableFuture.supplyAsync(() -> anonymous().get(link).statusCode(), executor);
      }
      awaitWaiting(1);
      for (int i = 0; i < 30; i++) {
        admin().get(repository + "/count").then().statusCode(200);
      }
      assertEquals(1, mostWaiting(), "reads of downloads that have a connection");
    }
  }

  @Test
  void reads_and_commits_of_clients_that_have_gone_leave_their_queues() throws Exception {
    var body = "{\"operations\":[{\"operation\":\"add\",\"name\":\"S/%d\",\"data\":{}}]}";
    Api.adminToken();
    try (var _ = LockedTable.of("commit_log")) {
      assertGoneRequestsLeave(
          "cairn.reads.accounts.waiting", _ -> asked("GET " + repository + "/commits", ""));
      assertGoneRequestsLeave(
          "cairn.commits.waiting",
          i -> asked("POST " + repository + "/commits", body.formatted(i)));
    }
    for (int i = 0; i < 2 * POOL; i++) {
      admin().get(repository + "/count").then().statusCode(200);
    }
    Prepared.commit(repository, "{'operation':'add','name':'S/after','data':{}}");
  }

  @Test
  void a_search_without_credentials_has_the_time_limit_of_a_read_without_them() throws Exception {
    admin().body(Map.of("visibility", "public")).patch(repository).then().statusCode(200);
    var search = repository + "/query?shape=S&where=n:eq:1";
    anonymous().get(search).then().statusCode(200);
    try (var _ = LockedTable.of("entity")) {
      long begun = System.nanoTime();
      anonymous().get(search).then().statusCode(503);
      // Three seconds; that of an account is ten.
      assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(5));
    }
  }

  @Test
  void a_verification_ends_at_the_next_row_when_its_client_has_gone() throws Exception {
    Api.adminToken();
    try (var _ = LockedTable.of("entity_count")) {
      try (var _ = LockedTable.of("commit_log")) {
        var socket = asked("GET " + repository + "/verification", "");
        Eventually.await("it waits for the first row", () -> othersThatUse("commit_log") >= 2);
        var connections = metrics.get("cairn.connections").gauge();
        double before = connections.value();
        socket.setSoLinger(true, 0);
        socket.close();
        Eventually.await("the service knows that", () -> connections.value() < before);
      }
      Eventually.await("its snapshot is released", () -> othersThatUse("commit_log") == 0);
    }
  }

  /** How many locks on a table others have, or wait for. */
  private static long othersThatUse(String table) {
    return OwnConnections.database()
        .first(
            "select count(*) from pg_locks where relation = ?::regclass",
            row -> row.getLong(1),
            table)
        .orElseThrow();
  }

  /** Asks on one connection. */
  @FunctionalInterface
  private interface Asking {
    Socket ask(int number) throws IOException;
  }

  private void assertGoneRequestsLeave(String gauge, Asking asking) throws Exception {
    var waiting = metrics.get(gauge).gauge();
    var sockets = new ArrayList<Socket>();
    for (int i = 0; i < 30; i++) {
      sockets.add(asking.ask(i));
    }
    Eventually.await("requests wait: " + gauge, () -> waiting.value() >= 10);
    for (var socket : sockets) {
      socket.setSoLinger(true, 0);
      socket.close();
    }
    long begun = System.nanoTime();
    Eventually.await("none waits: " + gauge, () -> waiting.value() == 0);
    assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(3), gauge);
  }

  private static Socket asked(String methodAndTarget, String body) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port);
    var request =
        "%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(methodAndTarget, Api.adminToken(), body.length(), body);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private String linkOfExport() {
    String token = admin().get(repository + "/export?prefer=async").path("exportToken");
    var progress =
        Eventually.poll(
            "the export is built",
            () -> admin().get(repository + "/export?token=" + token),
            answer -> answer.statusCode() != 202);
    return progress.<String>path("url").replaceFirst("^.*?(?=/api/)", "");
  }

  private static CompletableFuture<Integer> signedInRead(
      Executor executor, String token, String path) {
    return CompletableFuture.supplyAsync(() -> Api.as(token).get(path).statusCode(), executor);
  }

  /**
   * Gives requests four seconds until this many wait with a connection. Two of the tests show only
   * that there are not more, and may never see as many.
   */
  private void awaitWaiting(int count) throws Exception {
    for (int i = 0; i < 200 && waiting() < count; i++) {
      Thread.sleep(20);
    }
  }

  /** Of some looks: on a slow machine one gives up its wait, and another takes over. */
  private int mostWaiting() throws Exception {
    int most = 0;
    for (int i = 0; i < 20; i++) {
      most = Math.max(most, waiting());
      Thread.sleep(20);
    }
    return most;
  }

  private int waiting() {
    return OwnConnections.database()
        .first(
            """
            select count(*) from pg_stat_activity
            where application_name = 'cairn' and wait_event_type = 'Lock'
            """,
            row -> row.getInt(1))
        .orElseThrow();
  }
}
