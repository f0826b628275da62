package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.hasSize;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.access.token.Sprites;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actions, Traces: what runs set in motion comes to an end. */
@HttpTest
@QuarkusTest
class TraceTest {
  private final Database database = OwnConnections.database();

  private final Receiver receiver = new Receiver();
  private Deliveries deliveries;
  private String repository;
  private UUID subscription;
  private Sprites sprite;
  private String token;

  @BeforeEach
  void subscribe() {
    deliveries = new Deliveries();
    repository = Api.newRepository("private");
    Api.commit(repository, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
    subscription = deliveries.webhook(repository, "hook", "Sensor", receiver.url("/"));
    sprite = new Sprites(repository);
    token = sprite.token("admin@example.org", "[{'permissions':['repo:write']}]").orElseThrow();
  }

  @AfterEach
  void close() {
    receiver.close();
  }

  private void commitAsSprite() {
    as(token)
        .body(
            "{\"operations\":[{\"operation\":\"add\",\"name\":\"Sensor/%s\",\"data\":{}}]}"
                .formatted(Api.unique("s")))
        .post(repository + "/commits")
        .then()
        .statusCode(201);
  }

  private void assertRuns(int count) {
    // One is the sprite's own.
    admin().get(repository + "/actions/runs").then().body("", hasSize(count + 1));
  }

  private String trace(String where) {
    return deliveries.value(
        "select trace_id::text from action_run where subscription_name "
            + where
            + " and repo_id = ?",
        Api.repoId(repository));
  }

  @Test
  void a_commit_of_a_sprite_joins_the_trace_of_its_run() {
    commitAsSprite();
    deliveries.run(repository);
    var trace = trace("<> 'hook'");
    assertEquals(trace, receiver.only().header("X-Cairn-Trace-Id"));
    assertEquals(
        Integer.toString(Sprites.DEPTH + 1),
        deliveries.value("select depth from action_run where subscription_id = ?", subscription));
  }

  @Test
  void a_subscription_runs_once_in_a_trace() {
    commitAsSprite();
    commitAsSprite();
    assertRuns(1);
    assertEquals(
        "1",
        deliveries.value(
            "select count(*) from matched_operation where repo_id = ?", Api.repoId(repository)));
    Api.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}");
    assertRuns(2);
    assertNotEquals(
        deliveries.value(
            "select min(trace_id::text) from action_run where subscription_id = ?", subscription),
        deliveries.value(
            "select max(trace_id::text) from action_run where subscription_id = ?", subscription));
  }

  @Test
  void with_reentry_allowed_it_runs_again() {
    deliveries.set(subscription, "allow_trace_reentry = true");
    commitAsSprite();
    commitAsSprite();
    assertRuns(2);
  }

  @Test
  void a_clients_traceparent_is_of_no_account() {
    var trace = trace("<> 'hook'").replace("-", "");
    admin()
        .header("traceparent", "00-" + trace + "-0123456789abcdef-01")
        .body("{\"operations\":[{\"operation\":\"add\",\"name\":\"Sensor/t\",\"data\":{}}]}")
        .post(repository + "/commits")
        .then()
        .statusCode(201);
    assertNotEquals(trace, trace("= 'hook'").replace("-", ""));
  }

  @Test
  void a_trace_is_16_runs_deep_at_the_most() {
    deliveries.set(subscription, "allow_trace_reentry = true");
    database.update("update action_run set depth = 15 where id = ?", sprite.runId());
    commitAsSprite();
    assertRuns(1);
    database.update("update action_run set depth = 16 where id = ?", sprite.runId());
    commitAsSprite();
    assertRuns(1);
  }
}
