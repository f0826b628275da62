package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.commit;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.shape;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Uncommon;
import dev.cairn.Waiting;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Commits: one repository does not take the connections of all. */
@HttpTest
@QuarkusTest
@TestProfile(Uncommon.class)
@InProcess("It counts by the meters.")
class CommitLimiterTest {
  private static final int CLIENTS = 40;
  private static final int OF_REPOSITORY = 2;

  /** Of 16 connections, of which commits may have 12. */
  private static final int OF_ACCOUNT = 6;

  @Inject DataSource dataSource;
  @Inject MeterRegistry metrics;

  @Test
  void while_one_repository_is_locked_the_others_are_served_and_its_commits_are_turned_away()
      throws Exception {
    var busy = repositoryWith(shape("S"));
    var free = repositoryWith(shape("S"));
    Api.adminToken();
    try (var connection = dataSource.getConnection();
        var executor = Executors.newFixedThreadPool(CLIENTS)) {
      connection.setAutoCommit(false);
      Commits.lockHead(connection, busy);
      try {
        var waiting = new ArrayList<Future<ValidatableResponse>>();
        for (int i = 0; i < CLIENTS; i++) {
          var name = "S/a" + i;
          waiting.add(executor.submit(() -> commit(busy, add(name, "{}"))));
        }
        awaitQueue(CLIENTS - OF_REPOSITORY);

        long start = System.nanoTime();
        for (int i = 0; i < 5; i++) {
          applied(free, add("S/b" + i, "{}"));
          anonymous().get(busy + "/count").then().statusCode(200);
          admin().get("/q/health/ready").then().statusCode(200);
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(millis < 3_000, "the others took " + millis + " ms");

        for (var answer : waiting) {
          answer
              .get(30, TimeUnit.SECONDS)
              .statusCode(503)
              .header("Retry-After", notNullValue())
              .body("code", equalTo("UNAVAILABLE"))
              .body(
                  "detail",
                  equalTo(
                      "Another commit to this repository is still being written: try again later."));
        }
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
    assertEquals(0, metrics.get("cairn.commits.repositories").gauge().value());
    applied(busy, add("S/a", "{}"));
  }

  @Test
  void a_commit_waits_longer_than_the_database_lets_it_wait_for_a_lock() throws Exception {
    var busy = repositoryWith(shape("S"));
    Api.adminToken();
    try (var connection = dataSource.getConnection();
        var executor = Executors.newFixedThreadPool(CLIENTS)) {
      connection.setAutoCommit(false);
      Commits.lockHead(connection, busy);
      var waiting = new ArrayList<Future<ValidatableResponse>>();
      try {
        for (int i = 0; i < 2 * OF_REPOSITORY; i++) {
          var name = "S/a" + i;
          waiting.add(executor.submit(() -> commit(busy, add(name, "{}"))));
        }
        awaitLaterWaits(connection);
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      for (var answer : waiting) {
        answer.get(20, TimeUnit.SECONDS).statusCode(201);
      }
    }
  }

  /** It waits with others that came later, and have time left when it has none. */
  @Test
  void a_commit_that_has_waited_too_long_takes_none_with_it() throws Exception {
    var busy = repositoryWith(shape("S"));
    Api.adminToken();
    try (var connection = dataSource.getConnection();
        var executor = Executors.newFixedThreadPool(CLIENTS)) {
      connection.setAutoCommit(false);
      Commits.lockHead(connection, busy);
      try {
        var early = new ArrayList<Future<ValidatableResponse>>();
        for (int i = 0; i < 2 * OF_REPOSITORY; i++) {
          var name = "S/early" + i;
          early.add(executor.submit(() -> commit(busy, add(name, "{}"))));
        }
        awaitLaterWaits(connection);
        var late = executor.submit(() -> commit(busy, add("S/late", "{}")));
        for (var answer : early) {
          answer.get(20, TimeUnit.SECONDS).statusCode(503);
        }
        assertFalse(late.isDone());
        connection.rollback();
        late.get(20, TimeUnit.SECONDS).statusCode(201).body("repoSeq", equalTo(2));
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
    admin().get(busy + "/count?shape=S").then().body("count", equalTo(1));
  }

  /** Those that wait for the lock give their connections back when it times out, and try again. */
  private void awaitLaterWaits(Connection connection) throws Exception {
    Waiting.awaitWaiters(connection, OF_REPOSITORY);
    var firstWait = lockWaitsSince(connection);
    Eventually.await(
        "others wait for the lock",
        () -> {
          var since = lockWaitsSince(connection);
          return since.size() == OF_REPOSITORY && Collections.disjoint(since, firstWait);
        });
  }

  @Test
  void while_all_repositories_of_one_account_are_locked_the_others_are_served() throws Exception {
    var free = repositoryWith(shape("S"));
    var other = People.member(free.split("/", -1)[3], "editor").token();
    var busy = new ArrayList<String>();
    for (int i = 0; i < CLIENTS / OF_REPOSITORY; i++) {
      busy.add(repositoryWith(shape("S")));
    }
    var waiting = new ArrayList<Future<ValidatableResponse>>();
    try (var connection = dataSource.getConnection();
        var executor = Executors.newFixedThreadPool(CLIENTS)) {
      connection.setAutoCommit(false);
      try {
        for (var repository : busy) {
          Commits.lockHead(connection, repository);
        }
        for (int i = 0; i < CLIENTS; i++) {
          var repository = busy.get(i % busy.size());
          var name = "S/a" + i;
          waiting.add(executor.submit(() -> commit(repository, add(name, "{}"))));
        }
        awaitQueue(CLIENTS - OF_ACCOUNT);

        long start = System.nanoTime();
        for (int i = 0; i < 5; i++) {
          var body = "{\"operations\":[" + add("S/b" + i, "{}").replace('\'', '"') + "]}";
          Api.as(other).body(body).post(free + "/commits").then().statusCode(201);
          anonymous().get(free + "/count").then().statusCode(200);
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(millis < 3_000, "the others took " + millis + " ms");
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      for (var answer : waiting) {
        answer.get(30, TimeUnit.SECONDS).statusCode(201);
      }
    }
  }

  @Test
  void a_member_removed_while_waiting_gets_no_earlier_answer() throws Exception {
    var repository = repositoryWith(shape("S"));
    var editor = People.member(Commits.org(repository), "editor");
    Callable<ValidatableResponse> keyed =
        () ->
            Api.as(editor.token())
                .header("Idempotency-Key", "key")
                .body("{'operations':[%s]}".formatted(add("S/a", "{}")).replace('\'', '"'))
                .post(repository + "/commits")
                .then();
    keyed.call().statusCode(201);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var others = new ArrayList<Future<ValidatableResponse>>();
      var waiting = new CompletableFuture<Future<ValidatableResponse>>();
      Commits.whileLocked(
          dataSource,
          repository,
          holder -> {
            for (int i = 0; i < OF_REPOSITORY; i++) {
              var name = "S/b" + i;
              others.add(executor.submit(() -> commit(repository, add(name, "{}"))));
            }
            Waiting.awaitWaiters(holder, OF_REPOSITORY);
            waiting.complete(executor.submit(keyed));
            awaitQueue(1);
            admin()
                .delete("/api/orgs/" + Commits.org(repository) + "/members/" + editor.inPath())
                .then()
                .statusCode(200);
          });
      waiting.get().get(30, TimeUnit.SECONDS).statusCode(403).body("code", equalTo("FORBIDDEN"));
      for (var other : others) {
        other.get(30, TimeUnit.SECONDS).statusCode(201);
      }
    }
  }

  /** When each session that waits for a lock began to. */
  private static Set<Timestamp> lockWaitsSince(Connection connection) throws SQLException {
    var since = new HashSet<Timestamp>();
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "select waitstart from pg_locks where not granted and waitstart is not null")) {
      while (rows.next()) {
        since.add(rows.getTimestamp(1));
      }
    }
    return since;
  }

  /** Until so many wait without a connection. */
  private void awaitQueue(int count) {
    var waiting = metrics.get("cairn.commits.waiting").gauge();
    Eventually.await(
        () -> count + " commits wait: " + waiting.value(), () -> waiting.value() >= count);
    assertEquals(count, waiting.value());
  }
}
