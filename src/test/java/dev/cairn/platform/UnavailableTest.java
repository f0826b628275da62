package dev.cairn.platform;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.newRepository;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.model.ErrorCode;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors: 503, whatever keeps the database from answering, and who else feels it. */
@HttpTest
@QuarkusTest
@InProcess("It looks at the configuration.")
class UnavailableTest {
  private static final int POOL = 20;

  @Inject CairnConfig config;
  @Inject DataSource dataSource;

  /** A connection that is none of the service's pool. */
  private Connection connection() throws SQLException {
    var database = config.database();
    return DriverManager.getConnection(
        database.url().orElseThrow(),
        database.user().orElseThrow(),
        database.password().orElseThrow());
  }

  private void execute(String... statements) throws SQLException {
    try (var connection = connection();
        var statement = connection.createStatement()) {
      for (var sql : statements) {
        statement.execute(sql);
      }
    }
  }

  @FunctionalInterface
  private interface Check {
    void run() throws Exception;
  }

  /** Lists of commits show an expression of SQL as their messages while {@code check} runs. */
  private void withMessages(String expression, Check check) throws Exception {
    execute(
        "alter table commit_log rename to commit_log_away",
        "create view commit_log as select repo_id, seq, commit_id, hash, parent_hash, author, "
            + expression
            + " as message, operation_count, created_at, next_entity_id from commit_log_away");
    try {
      check.run();
    } finally {
      execute("drop view commit_log", "alter table commit_log_away rename to commit_log");
    }
  }

  /** Nobody can read a table while {@code check} runs. */
  private void withLocked(String table, Check check) throws Exception {
    try (var connection = connection();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("lock table " + table + " in access exclusive mode");
      check.run();
      connection.rollback();
    }
  }

  private static String repositoryWithCommit() {
    var repository = newRepository();
    Api.commit(
            repository,
            "{'operation':'add','kind':'shape','name':'S','data':{'fields':{'n?':'number'}}}")
        .statusCode(201);
    return repository;
  }

  private static ValidatableResponse unavailable(ValidatableResponse answer, String sentence) {
    return ErrorsTest.problem(answer, ErrorCode.UNAVAILABLE)
        .header("Retry-After", notNullValue())
        .body("detail", containsString(sentence));
  }

  @ParameterizedTest
  @CsvSource({
    "57014, would have to work on this for too long",
    "55P03, Another change to the same is still being written",
    "40001, Too many others write the same",
    "40P01, Too many others write the same",
    "53300, has no connection to spare",
    "53100, short of memory or disk",
    "53200, short of memory or disk",
    "57P01, being stopped or started",
    "57P03, being stopped or started",
    "08006, cannot be reached",
    "08001, cannot be reached"
  })
  void a_state_of_the_database_has_its_own_sentence(String state, String sentence)
      throws Exception {
    var repository = repositoryWithCommit();
    execute(
        """
        create or replace function raise_for_test(state text) returns text language plpgsql as
        $$ begin raise exception 'for test' using errcode = state; end $$
        """);
    withMessages(
        "raise_for_test('" + state + "')",
        () -> {
          unavailable(anonymous().get(repository + "/commits").then(), sentence);
          unavailable(admin().get(repository + "/commits").then(), sentence);
        });
    anonymous().get(repository + "/commits").then().statusCode(200);
  }

  @Test
  void a_state_that_is_a_fault_stays_one() throws Exception {
    var repository = repositoryWithCommit();
    withMessages(
        "(1 / (seq - seq))::text",
        () ->
            ErrorsTest.problem(
                anonymous().get(repository + "/commits").then(), ErrorCode.INTERNAL_ERROR));
  }

  @Test
  void queries_have_3_seconds_without_credentials_and_10_with_them() throws Exception {
    var repository = repositoryWithCommit();
    withMessages(
        "current_setting('statement_timeout')",
        () -> {
          anonymous().get(repository + "/commits").then().body("items[0].message", is("3s"));
          admin().get(repository + "/commits").then().body("items[0].message", is("10s"));
        });
    try (var connection = dataSource.getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery("show statement_timeout")) {
      assertTrue(row.next());
      assertEquals("30s", row.getString(1), "and what follows on the connection as long as ever");
    }
  }

  @Test
  void a_query_that_takes_too_long_is_ended_with_the_advice_to_narrow_it() throws Exception {
    var repository = repositoryWithCommit();
    withLocked(
        "entity",
        () -> {
          // Side by side, since each takes its 3 seconds.
          try (var executor = Executors.newFixedThreadPool(4)) {
            var reads =
                Stream.of("/count", "/head", "/about/S/x", "/history?shape=S")
                    .map(read -> executor.submit(() -> assertEnded(repository + read)))
                    .toList();
            for (var read : reads) {
              read.get();
            }
          }
        });
    anonymous().get(repository + "/count").then().statusCode(200);
  }

  private static void assertEnded(String read) {
    long start = System.nanoTime();
    unavailable(anonymous().get(read).then(), "for too long")
        .body("hint", containsString("Narrow"));
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    assertTrue(seconds >= 2 && seconds <= 4, read + " took " + seconds + " s");
  }

  @Test
  void a_lock_that_is_held_for_too_long_is_told_as_such() throws Exception {
    var repository = repositoryWithCommit();
    withLocked(
        "commit_log",
        () -> unavailable(admin().get(repository + "/commits").then(), "still being written"));
  }

  @Test
  void a_connection_that_is_ended_by_an_operator_is_unavailable() throws Exception {
    var repository = repositoryWithCommit();
    try (var executor = Executors.newSingleThreadExecutor()) {
      withLocked(
          "commit_log",
          () -> {
            var waiting = answer(executor, repository + "/commits", true);
            endAllThatWait();
            unavailable(waiting.get(10, TimeUnit.SECONDS), "being stopped or started");
          });
    }
    admin().get(repository + "/commits").then().statusCode(200);
  }

  private void endAllThatWait() throws Exception {
    try (var connection = connection();
        var statement = connection.createStatement()) {
      for (int i = 0; i < 200; i++) {
        try (var rows =
            statement.executeQuery(
                """
                select pg_terminate_backend(pid) from pg_stat_activity
                where application_name = 'cairn' and wait_event_type = 'Lock'
                """)) {
          if (rows.next()) {
            return;
          }
        }
        Thread.sleep(20);
      }
    }
    throw new AssertionError("no request waits");
  }

  private static CompletableFuture<ValidatableResponse> answer(
      ExecutorService executor, String path, boolean signedIn) {
    return CompletableFuture.supplyAsync(
        () -> (signedIn ? admin() : anonymous()).get(path).then(), executor);
  }

  @Test
  void a_pool_in_use_is_told_as_such_and_does_not_turn_readiness_red() throws Exception {
    var repository = repositoryWithCommit();
    var held = new ArrayList<Connection>();
    try {
      for (int i = 0; i < POOL; i++) {
        held.add(dataSource.getConnection());
      }
      try (var executor = Executors.newSingleThreadExecutor()) {
        var waiting = answer(executor, repository + "/count", false);
        anonymous().get("/q/health/ready").then().statusCode(200).body("status", is("UP"));
        unavailable(waiting.get(15, TimeUnit.SECONDS), "Every connection");
      }
    } finally {
      for (var connection : held) {
        connection.close();
      }
    }
    anonymous().get(repository + "/count").then().statusCode(200);
  }

  @Test
  void slow_reads_without_credentials_leave_half_of_the_connections_to_the_others()
      throws Exception {
    var repository = repositoryWithCommit();
    Api.adminToken();
    try (var executor = Executors.newFixedThreadPool(2 * POOL)) {
      withLocked(
          "commit_log",
          () -> {
            var slow = new ArrayList<CompletableFuture<Integer>>();
            for (int i = 0; i < 2 * POOL; i++) {
              slow.add(anonymousRead(executor, "127.0.0." + (2 + i % 3), repository));
            }
            awaitWaiting(POOL / 2 - 3);
            assertEquals(
                200, RawHttp.sendFrom("127.0.0.9", "GET " + repository + "/count", "").status());
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
          });
    }
  }

  @Test
  void slow_reads_from_one_address_leave_some_connections_to_other_addresses() throws Exception {
    var repository = repositoryWithCommit();
    try (var executor = Executors.newFixedThreadPool(2 * POOL)) {
      withLocked(
          "commit_log",
          () -> {
            var slow = new ArrayList<CompletableFuture<Integer>>();
            for (int i = 0; i < POOL; i++) {
              slow.add(anonymousRead(executor, "127.0.0.2", repository));
            }
            awaitWaiting(POOL / 4);
            assertEquals(
                200, RawHttp.sendFrom("127.0.0.3", "GET " + repository + "/count", "").status());
            assertEquals(POOL / 4, waiting(), "reads from that address that have a connection");
            for (var answer : slow) {
              assertEquals(503, answer.get(15, TimeUnit.SECONDS));
            }
          });
    }
  }

  private static CompletableFuture<Integer> anonymousRead(
      Executor executor, String address, String repository) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return RawHttp.sendFrom(address, "GET " + repository + "/commits", "").status();
          } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
          }
        },
        executor);
  }

  @Test
  void slow_reads_of_one_account_leave_three_quarters_of_the_connections_to_the_others()
      throws Exception {
    var repository = repositoryWithCommit();
    var org = repository.split("/", -1)[3];
    var token = People.member(org, "editor").token();
    Api.adminToken();
    try (var executor = Executors.newFixedThreadPool(2 * POOL)) {
      withLocked(
          "commit_log",
          () -> {
            var slow = new ArrayList<CompletableFuture<Integer>>();
            for (int i = 0; i < 2 * POOL; i++) {
              var path = repository + (i % 2 == 0 ? "/commits" : "/verification");
              slow.add(signedInRead(executor, token, path));
            }
            awaitWaiting(POOL / 4 + 1);
            for (int i = 0; i < 10; i++) {
              admin().get(repository + "/count").then().statusCode(200);
            }
            assertEquals(POOL / 4 + 1, waiting(), "its reads and verification with a connection");
            for (var answer : slow) {
              assertEquals(503, answer.get(15, TimeUnit.SECONDS));
            }
          });
    }
    Api.as(token).get(repository + "/commits").then().statusCode(200);
  }

  @Test
  void slow_reads_of_all_callers_leave_a_quarter_of_the_connections_to_other_requests()
      throws Exception {
    var repository = repositoryWithCommit();
    var org = repository.split("/", -1)[3];
    var tokens = new ArrayList<String>();
    for (int i = 0; i < 3; i++) {
      tokens.add(People.member(org, "editor").token());
    }
    Api.adminToken();
    try (var executor = Executors.newFixedThreadPool(4 * POOL)) {
      withLocked(
          "commit_log",
          () -> {
            var slow = new ArrayList<CompletableFuture<Integer>>();
            for (int i = 0; i < 3; i++) {
              slow.add(signedInRead(executor, tokens.get(i), repository + "/verification"));
            }
            awaitWaiting(2);
            assertEquals(2, waiting(), "verifications that have a connection");
            for (int i = 0; i < POOL; i++) {
              slow.add(signedInRead(executor, tokens.get(i % 3), repository + "/commits"));
            }
            awaitWaiting(2 + POOL / 2 - 3);
            admin().get(repository + "/count").then().statusCode(200);
            assertTrue(waiting() < 2 + POOL / 2, "accounts leave one for other accounts");
            for (int i = 0; i < POOL; i++) {
              slow.add(anonymousRead(executor, "127.0.0." + (2 + i % 3), repository));
            }
            awaitWaiting(POOL - POOL / 4);
            assertEquals(POOL - POOL / 4, waiting(), "reads that have a connection");
            admin().get("/api/orgs/" + org).then().statusCode(200);
            for (var answer : slow) {
              assertEquals(503, answer.get(20, TimeUnit.SECONDS));
            }
          });
    }
  }

  private static CompletableFuture<Integer> signedInRead(
      Executor executor, String token, String path) {
    return CompletableFuture.supplyAsync(() -> Api.as(token).get(path).statusCode(), executor);
  }

  private void awaitWaiting(int count) throws Exception {
    for (int i = 0; i < 100 && waiting() < count; i++) {
      Thread.sleep(20);
    }
  }

  private int waiting() throws SQLException {
    try (var connection = connection();
        var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                """
                select count(*) from pg_stat_activity
                where application_name = 'cairn' and wait_event_type = 'Lock'
                """)) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void readiness_names_the_database_and_the_end_of_the_service() {
    anonymous()
        .get("/q/health/ready")
        .then()
        .statusCode(200)
        .body("checks.name", containsInAnyOrder("database", "Graceful Shutdown"));
  }
}
