package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.org;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.whileLocked;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Waiting;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Commits: those that wait for a repository take no room from the commits to others. */
@HttpTest
@QuarkusTest
@InProcess("It locks the head of a repository, and counts by the meters.")
class CommitRoomTest {
  /** When they are parsed, this number of commits exceeds all room for them. */
  private static final int CLIENTS = 9;

  /** What takes most for its length: 42 MB of the heap. */
  private static final String DATA =
      "{'a':[" + String.join(",", Collections.nCopies(300_000, "[]")) + "]}";

  @Inject DataSource dataSource;
  @Inject MeterRegistry metrics;

  private static Response large(String token, String repository, String name) {
    var commit = "{'operations':[%s,%s]}".formatted(add(name, DATA), add(name + "-2", DATA));
    return as(token).body(commit.replace('\'', '"')).post(repository + "/commits");
  }

  @Test
  void large_commits_that_wait_for_a_locked_repository_leave_room_to_those_of_others()
      throws Exception {
    var busy = repositoryWith(shape("S"));
    var free = repositoryWith(shape("S"));
    var other = People.member(org(free), "editor");
    Api.adminToken();
    var waiting = new ArrayList<Future<Response>>();
    try (var executor = Executors.newFixedThreadPool(CLIENTS)) {
      whileLocked(
          dataSource,
          busy,
          holder -> {
            for (int i = 0; i < CLIENTS; i++) {
              var name = "S/a" + i;
              waiting.add(executor.submit(() -> large(Api.adminToken(), busy, name)));
            }
            Waiting.awaitWaiter(holder);
            awaitQueue();

            var answer = large(other.token(), free, "S/b");
            assertEquals(201, answer.statusCode(), answer.asString());
            assertTrue(waiting.stream().noneMatch(Future::isDone), "the head is still locked");
          });
      for (var answer : waiting) {
        assertEquals(201, answer.get(60, TimeUnit.SECONDS).statusCode());
      }
    }
    admin().get(busy + "/count").then().statusCode(200);
    assertEquals(0, metrics.get("cairn.bodies.waiting").gauge().value());
  }

  /** Until some wait for room, for their turn, or for their account's share. */
  private void awaitQueue() {
    var room = metrics.get("cairn.bodies.waiting").gauge();
    var turns = metrics.get("cairn.commits.waiting").gauge();
    Eventually.await(
        () -> "two wait: " + room.value() + " for room, " + turns.value() + " for their turn",
        () -> room.value() + turns.value() >= 2);
  }
}
