package dev.cairn.action;

import static dev.cairn.Api.anonymous;
import static org.hamcrest.Matchers.contains;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Stored;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Actions: ended runs are kept for {@code CAIRN_RUN_RETENTION}, 90 days, and then removed. */
@HttpTest
@QuarkusTest
@InProcess("It has old runs removed.")
class RetentionTest {
  @Inject Retention retention;
  @Inject Database database;

  private final Deliveries deliveries = new Deliveries();

  private String commit(String repository, String name) {
    return Api.commit(repository, "{'operation':'add','name':'Sensor/" + name + "','data':{}}")
        .statusCode(201)
        .extract()
        .path("commitId");
  }

  private long count(String table, UUID repoId) {
    return database
        .first(
            "select count(*) from " + table + " where repo_id = ?", row -> row.getLong(1), repoId)
        .orElseThrow();
  }

  private void end(UUID repoId, String commitId, String when) {
    database.update(
        "update action_run set ended_at = now() - interval '%s' where repo_id = ? and commit_id = ?"
            .formatted(when),
        repoId,
        commitId);
  }

  @Test
  void what_ended_longer_ago_goes_with_all_that_belongs_to_it_and_nothing_else() {
    try (var receiver = new Receiver()) {
      var repository = Api.newRepository("public");
      Api.commit(repository, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
      deliveries.webhook(repository, "w", "Sensor", receiver.url("/"));
      var repoId = Api.repoId(repository);
      receiver.answering(400);
      var old = commit(repository, "old");
      var recent = commit(repository, "recent");
      deliveries.run(repository);
      deliveries.run(repository);
      var open = commit(repository, "open");
      end(repoId, old, "90 days 1 minute");
      end(repoId, recent, "89 days 23 hours");

      long before = Stored.assertCounted(repository);

      retention.runBatch();

      anonymous()
          .get(repository + "/actions/runs")
          .then()
          .statusCode(200)
          .body("commitId", contains(open, recent));
      assertEquals(1, count("action_attempt", repoId));
      assertEquals(1, count("action_notification", repoId));
      assertEquals(2, count("matched_operation", repoId));
      assertTrue(Stored.assertCounted(repository) < before, "nothing was given back");
    }
  }
}
