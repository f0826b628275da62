package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.repository;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The API: a tag never names two answers, also where a commit comes between the look at the
 * repository's sequence number and the read. A lock holds the read back until the commit is done.
 */
@HttpTest
@QuarkusTest
@InProcess("It holds transactions of the service.")
class TagRaceTest {
  @Inject Database database;

  /** Everything that a read could show, and the number that says so. */
  private void change(UUID repoId) {
    database.update("update entity set data = '{\"n\":7}' where repo_id = ? and id > 99", repoId);
    database.update("update entity_version set data = '{\"n\":7}' where repo_id = ?", repoId);
    database.update("update commit_log set message = 'changed' where repo_id = ?", repoId);
    database.update("update repository_head set seq = seq + 1 where repo_id = ?", repoId);
  }

  private boolean isWaitedFor(String table) {
    return database
        .first(
            "select exists (select from pg_locks where not granted and relation = ?::regclass)",
            row -> row.getBoolean(1),
            table)
        .orElseThrow();
  }

  /** The answer to a read that found its repository as it was, and {@code table} as it is now. */
  private Response readDuringCommit(String url, String table, UUID repoId) throws Exception {
    Api.adminToken();
    try (var executor = Executors.newSingleThreadExecutor()) {
      Future<Response> answer =
          database.transaction(
              () -> {
                database.update("lock table " + table + " in access exclusive mode");
                var read = executor.submit(() -> Api.admin().get(url));
                Eventually.await(
                    "the read waits for " + table,
                    () -> {
                      assertTrue(!read.isDone(), "the read did not wait for " + table);
                      return isWaitedFor(table);
                    });
                change(repoId);
                return read;
              });
      return answer.get(20, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/head, entity",
    "/things/Sensor/a, entity",
    "/history?shape=Sensor, entity_version",
    "/commits, commit_log",
    "/commits/:commitId, entity_version",
    "/about/Sensor/a, entity",
    "/query?about=Sensor/a, entity"
  })
  void a_commit_in_between_gives_no_tag_two_answers(String read, String table) throws Exception {
    var repository = repository("Sensor/a");
    commit(repository, note("n", "Sensor/a"));
    String commitId = Api.admin().get(repository + "/commits").path("items[0].commitId");
    var url = repository + read.replace(":commitId", commitId);
    var before = Api.admin().get(url);
    var between = readDuringCommit(url, table, Api.repoId(repository));
    var after = Api.admin().get(url);
    assertNotEquals(before.header("ETag"), after.header("ETag"));
    assertNotEquals(before.asString(), after.asString());
    assertEquals(200, between.statusCode(), between.asString());
    var same = between.asString().equals(before.asString()) ? before : after;
    assertEquals(same.asString(), between.asString());
    assertEquals(same.header("ETag"), between.header("ETag"));
  }

  @Test
  void a_plain_read_after_the_commit_shows_it_and_says_so() throws Exception {
    var repository = repository("Sensor/a");
    var url = repository + "/things/Sensor/a";
    var answer = readDuringCommit(url, "entity", Api.repoId(repository));
    assertEquals(Integer.valueOf(7), answer.path("data.n"));
    Api.admin().header("If-None-Match", answer.header("ETag")).get(url).then().statusCode(304);
  }
}
