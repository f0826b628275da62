package dev.cairn.action;

import static dev.cairn.Api.admin;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import dev.cairn.Stored;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Actions, Runs: one repository watches others, whose commits do not wait for one another. */
@HttpTest
@QuarkusTest
class ManyWatchedTest {
  private final Receiver receiver = new Receiver();
  private final Deliveries deliveries = new Deliveries();

  private String org;
  private String first;
  private String second;
  private String watcher;

  @BeforeEach
  void repositories() {
    first = Api.newRepository("private");
    org = first.split("/", -1)[3];
    second = repository("second");
    watcher = repository("watcher");
    for (var source : new String[] {first, second}) {
      Prepared.commit(source, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
      deliveries.webhook(
          watcher, source, source.split("/", -1)[4], "Sensor", receiver.url("/hook"));
    }
  }

  @AfterEach
  void close() {
    receiver.close();
  }

  private String repository(String name) {
    admin().body(Map.of("name", name)).post("/api/orgs/" + org + "/repos").then().statusCode(201);
    return "/api/repos/" + org + "/" + name;
  }

  private static Response commit(String repository, String key) {
    return admin()
        .header("Idempotency-Key", key)
        .body("{\"operations\":[{\"operation\":\"add\",\"name\":\"Sensor/a\",\"data\":{}}]}")
        .post(repository + "/commits");
  }

  /** Runs {@code work} while a transaction holds what a statement takes, and then ends it. */
  private static void holding(String sql, UUID parameter, Work work) throws Exception {
    try (var connection = OwnConnections.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      try {
        execute(connection, sql, parameter);
        work.run(connection);
      } finally {
        connection.rollback();
      }
    }
  }

  private interface Work {
    void run(Connection connection) throws Exception;
  }

  private static boolean execute(Connection connection, String sql, UUID parameter)
      throws SQLException {
    try (var statement = connection.prepareStatement(sql)) {
      statement.setObject(1, parameter);
      return statement.execute();
    }
  }

  private static CompletableFuture<Integer> sent(Supplier<Response> request) {
    Api.adminToken();
    return CompletableFuture.supplyAsync(() -> request.get().statusCode(), Threads.OWN);
  }

  @Test
  void their_commits_do_not_wait_for_one_another_nor_hold_the_row_of_the_watcher()
      throws Exception {
    // Keeping the answer for its key is the last thing that a commit does.
    var theKey =
        """
        insert into idempotency_key (repo_id, account_id, key, body_hash, status, answer, created_at)
        select ?, id, 'held', '', 200, '', now() from account where email = 'admin@example.org'
        """;
    var answer = new CompletableFuture<CompletableFuture<Integer>>();
    holding(
        theKey,
        Api.repoId(first),
        connection -> {
          answer.complete(sent(() -> commit(first, "held")));
          Waiting.awaitWaiter(connection);
          assertEquals(201, commit(second, "other").statusCode());
          assertTrue(
              execute(
                  connection,
                  "select from repository where id = ? for no key update nowait",
                  Api.repoId(watcher)));
          assertTrue(Waiting.isAnyone(connection), "the first commit has ended");
        });
    assertEquals(201, answer.get().get(30, TimeUnit.SECONDS));
    Stored.assertCounted(first);
    Stored.assertCounted(second);
    Stored.assertCounted(watcher);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"archived\":true}", "{\"name\":\"other\"}"})
  void a_change_of_the_watcher_that_waits_for_a_commit_holds_nothing_that_the_commit_needs(
      String change) throws Exception {
    var answer = new CompletableFuture<CompletableFuture<Integer>>();
    holding(
        "select from repository_head where repo_id = ? for update",
        Api.repoId(first),
        connection -> {
          var repoId = Api.repoId(watcher);
          answer.complete(sent(() -> admin().body(change).patch(watcher)));
          Waiting.awaitWaiter(connection);
          // More than a commit takes: runs have no foreign key to it.
          assertTrue(
              execute(
                  connection, "select from repository where id = ? for key share nowait", repoId));
        });
    assertEquals(200, answer.get().get(30, TimeUnit.SECONDS));
  }
}
