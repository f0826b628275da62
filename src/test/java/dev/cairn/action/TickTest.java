package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import dev.cairn.TestDatabase;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actions, Scale to zero: what is due is done on request. */
@HttpTest
@QuarkusTest
class TickTest {
  private final Database database = OwnConnections.database();

  private final Receiver receiver = new Receiver();
  private Deliveries deliveries;
  private String repository;

  @BeforeEach
  void subscribe() {
    // What other tests have left is not waited for.
    database.update("delete from action_run where status in ('pending', 'retry_wait', 'running')");
    deliveries = new Deliveries();
    repository = Api.newRepository("private");
    Api.commit(repository, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
    deliveries.webhook(repository, "hook", "Sensor", receiver.url("/"));
  }

  @AfterEach
  void close() {
    receiver.close();
  }

  private void commit(int count) {
    for (int i = 0; i < count; i++) {
      Prepared.commit(
          repository,
          "{'operation':'add','name':'Sensor/%s','data':{}}".formatted(Api.unique("s")));
    }
  }

  private static ValidatableResponse tick(String query) {
    return as(TestDatabase.TICK_TOKEN).post("/internal/tick" + query).then();
  }

  @Test
  void what_is_due_is_carried_out_and_the_rest_is_told() {
    commit(20);
    tick("").statusCode(200).body("runsExecuted", is(20)).body("runsDue", is(0));
    assertEquals(20, receiver.calls().size());
    tick("?seconds=1").statusCode(200).body("runsExecuted", is(0)).body("cronFired", is(0));
    assertEquals(20, receiver.calls().size());
    receiver.answering(500);
    commit(1);
    long now = System.currentTimeMillis();
    tick("?seconds=300")
        .statusCode(200)
        .body("runsExecuted", is(1))
        .body("runsDue", is(0))
        .body("nextDueAt", greaterThan(now));
    admin().get(repository + "/actions/runs?status=succeeded").then().body("", hasSize(20));
  }

  @Test
  void runs_that_wait_for_an_open_circuit_are_not_due_before_its_next_probe() {
    receiver.answering(500);
    commit(6);
    tick("").statusCode(200).body("runsExecuted", is(6));
    database.update(
        """
        update delivery_target set open_until = date_trunc('milliseconds', now()) + interval '1 hour'
        where repo_id = ?
        """,
        Api.repoId(repository));
    database.update(
        "update action_run set due_at = now() - interval '1 minute' where status = 'retry_wait'");
    long probe =
        Long.parseLong(
            deliveries.value(
                """
                select (extract(epoch from open_until) * 1000)::bigint from delivery_target
                where repo_id = ?
                """,
                Api.repoId(repository)));
    // The schedules of archived repositories, which rest, are due for ever.
    archivedSchedule();
    tick("")
        .statusCode(200)
        .body("runsExecuted", is(0))
        .body("runsDue", is(0))
        .body("nextDueAt", is(probe));
    database.update("update delivery_target set open_until = now()");
    tick("").statusCode(200).body("runsExecuted", is(1)).body("runsDue", is(0));
  }

  private void archivedSchedule() {
    var archived = Api.newRepository("private");
    Api.commit(archived, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
    var id = deliveries.webhook(archived, "cron", "Sensor", receiver.url("/"));
    deliveries.set(
        id,
        """
        kind = 'cron', cronspec = '*/5 * * * *', timezone = 'UTC', source_repo_id = null,
        next_tick_at = now() - interval '1 hour'
        """);
    database.update("update repository set archived_at = now() where id = ?", Api.repoId(archived));
  }

  @Test
  void what_waits_for_others_to_end_is_due_now_and_not_in_the_past() throws Exception {
    long now = System.currentTimeMillis();
    receiver.answering(
        _ -> {
          Thread.sleep(2000);
          return Receiver.status(200);
        });
    commit(30);
    tick("?seconds=1")
        .statusCode(200)
        .body("runsDue", greaterThan(0))
        .body("nextDueAt", greaterThan(now));
    receiver.answering(200);
    // The calls of the first one are still under way, and no other one waits for them.
    while (tick("?seconds=60").statusCode(200).extract().<Integer>path("runsDue") > 0) {
      assertTrue(System.currentTimeMillis() < now + 60_000, "it never ends");
    }
    // A run whose attempt has just begun is not due, and its call is yet to come.
    Eventually.await(
        () -> receiver.calls().size() + " of 30 calls come", () -> receiver.calls().size() >= 30);
    tick("").statusCode(200);
    assertEquals(30, receiver.calls().size());
  }

  @Test
  void what_is_left_of_a_deleted_subscription_ends_although_it_is_not_due() {
    receiver.answering(500);
    commit(1);
    tick("").statusCode(200).body("runsExecuted", is(1));
    database.update("delete from subscription where repo_id = ?", Api.repoId(repository));
    tick("").statusCode(200).body("runsExecuted", is(0));
    assertEquals(
        "failed_terminal SUBSCRIPTION_DELETED",
        deliveries.value(
            "select status || ' ' || last_error_code from action_run where repo_id = ?",
            Api.repoId(repository)));
    assertEquals(1, receiver.calls().size());
  }

  @Test
  void two_at_the_same_time_do_each_thing_once() throws InterruptedException {
    commit(30);
    var other = Thread.ofVirtual().start(() -> tick("?seconds=20").statusCode(200));
    tick("?seconds=20").statusCode(200).body("runsExecuted", greaterThanOrEqualTo(0));
    other.join();
    assertEquals(30, receiver.calls().size());
  }

  @Test
  void it_does_the_chores_that_are_due_and_only_those() {
    database.update("delete from chore");
    oldBucket("first");
    tick("").statusCode(200);
    assertEquals(0, oldBuckets());
    oldBucket("second");
    tick("").statusCode(200);
    assertEquals(1, oldBuckets(), "they were done less than an hour ago");
    database.update("update chore set due_at = now()");
    tick("").statusCode(200);
    assertEquals(0, oldBuckets());
  }

  private void oldBucket(String name) {
    database.update(
        "insert into rate_limit values ('tick ' || ?, 1, now() - interval '25 hours')", name);
  }

  private int oldBuckets() {
    return database.list("select from rate_limit where bucket like 'tick %'", _ -> true).size();
  }

  @Test
  void only_the_operators_token_is_taken() {
    anonymous().post("/internal/tick").then().statusCode(401);
    as(TestDatabase.TICK_TOKEN + "x").post("/internal/tick").then().statusCode(401);
    as(adminToken()).post("/internal/tick").then().statusCode(401);
    as(TestDatabase.TICK_TOKEN).get("/api/whoami").then().statusCode(401);
  }

  @Test
  void it_takes_1_to_300_seconds() {
    for (var bad : new String[] {"0", "301", "x"}) {
      tick("?seconds=" + bad).statusCode(400).body("errors.pointer", contains("?seconds"));
    }
    tick("?colour=red").statusCode(400).body("errors.pointer", contains("?colour"));
  }
}
