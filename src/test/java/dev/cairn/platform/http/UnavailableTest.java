package dev.cairn.platform.http;

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
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Prepared;
import dev.cairn.mcp.Mcp;
import dev.cairn.model.ErrorCode;
import dev.cairn.platform.database.LockedTable;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors: 503, whatever keeps the database from answering. */
@HttpTest
@QuarkusTest
@InProcess("It takes all connections of the pool.")
class UnavailableTest {
  private static final int POOL = 20;

  @Inject DataSource dataSource;

  private void execute(String... statements) throws SQLException {
    try (var connection = OwnConnections.plain();
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

  /** The database answers lists of commits with an SQLSTATE while {@code check} runs. */
  private void withFault(String state, Check check) throws Exception {
    execute(
        """
        create or replace function raise_for_test(state text) returns text language plpgsql as
        $$ begin raise exception 'for test' using errcode = state; end $$
        """);
    withMessages("raise_for_test('" + state + "')", check);
  }

  private static String repositoryWithCommit() {
    var repository = newRepository();
    Prepared.commit(
        repository,
        "{'operation':'add','kind':'shape','name':'S','data':{'fields':{'n?':'number'}}}");
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
    withFault(
        state,
        () -> {
          unavailable(anonymous().get(repository + "/commits").then(), sentence);
          unavailable(admin().get(repository + "/commits").then(), sentence);
        });
    anonymous().get(repository + "/commits").then().statusCode(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void over_mcp_it_is_told_in_the_result_of_the_tool(String version) throws Exception {
    var names = repositoryWithCommit().split("/", -1);
    withFault(
        "55P03",
        () ->
            Mcp.of(version, Api.adminToken())
                .call("commit_log", Map.of("org", names[3], "repo", names[4]))
                .statusCode(200)
                .body("result.isError", is(true))
                .body("result.structuredContent.code", is("UNAVAILABLE"))
                .body("result.structuredContent.status", is(503)));
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
    // Side by side, since each takes its 3 seconds.
    try (var _ = LockedTable.of("entity");
        var executor = Executors.newFixedThreadPool(4)) {
      var reads =
          Stream.of("/count?match=S/x*", "/head", "/about/S/x", "/history?shape=S")
              .map(read -> executor.submit(() -> assertEnded(repository + read)))
              .toList();
      for (var read : reads) {
        read.get();
      }
    }
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
    try (var _ = LockedTable.of("commit_log")) {
      unavailable(admin().get(repository + "/commits").then(), "still being written");
    }
  }

  @Test
  void a_connection_that_is_ended_by_an_operator_is_unavailable() throws Exception {
    var repository = repositoryWithCommit();
    try (var executor = Executors.newSingleThreadExecutor();
        var _ = LockedTable.of("commit_log")) {
      var waiting = answer(executor, repository + "/commits", true);
      endAllThatWait();
      unavailable(waiting.get(10, TimeUnit.SECONDS), "being stopped or started");
    }
    admin().get(repository + "/commits").then().statusCode(200);
  }

  @Test
  void a_request_whose_connection_ends_while_its_token_is_confirmed_is_503() throws Exception {
    var repository = repositoryWithCommit();
    admin().get(repository + "/commits").then().statusCode(200);
    try (var executor = Executors.newSingleThreadExecutor();
        var _ = LockedTable.of("session")) {
      var waiting = answer(executor, "/api/nothing/here", true);
      endAllThatWait();
      unavailable(waiting.get(10, TimeUnit.SECONDS), "being stopped or started");
    }
  }

  private void endAllThatWait() throws Exception {
    try (var connection = OwnConnections.plain();
        var statement = connection.createStatement()) {
      Eventually.await(
          "a request waits for a lock",
          () -> {
            try (var rows =
                statement.executeQuery(
                    """
                    select pg_terminate_backend(pid) from pg_stat_activity
                    where application_name = 'cairn' and wait_event_type = 'Lock'
                    """)) {
              return rows.next();
            }
          });
    }
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
  void readiness_names_the_database_and_the_end_of_the_service() {
    anonymous()
        .get("/q/health/ready")
        .then()
        .statusCode(200)
        .body("checks.name", containsInAnyOrder("database", "Graceful Shutdown"));
  }
}
