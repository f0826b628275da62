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
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Uncommon;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.ArrayList;
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
class CommitTurnsTest {
  private static final int CLIENTS = 40;
  private static final int QUARTER_OF_POOL = 4;

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
        awaitQueue();

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
                  equalTo("Another commit to this repository is still being written; try again."));
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
        for (int i = 0; i < QUARTER_OF_POOL; i++) {
          var name = "S/a" + i;
          waiting.add(executor.submit(() -> commit(busy, add(name, "{}"))));
        }
        // The first one gives its connection back after 5 s and tries again.
        Thread.sleep(6_000);
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      for (var answer : waiting) {
        answer.get(20, TimeUnit.SECONDS).statusCode(201);
      }
    }
  }

  /** Until all but those that wait with a connection wait without one. */
  private void awaitQueue() throws InterruptedException {
    var waiting = metrics.get("cairn.commits.waiting").gauge();
    for (int i = 0; i < 200 && waiting.value() < CLIENTS - QUARTER_OF_POOL; i++) {
      Thread.sleep(20);
    }
    assertEquals(CLIENTS - QUARTER_OF_POOL, waiting.value());
  }
}
