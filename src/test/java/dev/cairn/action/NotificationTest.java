package dev.cairn.action;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.standardwebhooks.Webhook;
import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.docs.PageExample;
import dev.cairn.work.Worker;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Actions, Notifications: what the inbox and the repository's notification URL are told. */
@HttpTest
@QuarkusTest
@InProcess("It steps the worker.")
class NotificationTest extends OneNotification {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  @Inject Worker<RunAttempt, Outcome> worker;
  @Inject InboxDelivery inbox;
  @Inject Retention retention;

  @Test
  void a_failure_is_told_in_the_inbox_and_by_a_call() throws Exception {
    failAndTell();
    var run = receiver.only().header("webhook-id");
    notifications()
        .body("runId", contains(run, run))
        .body("outcome", contains("failed", "failed"))
        .body("errorCode", contains("HTTP_400", "HTTP_400"))
        .body("find { it.channel == 'inbox' }", not(hasKey("dispatch")));
    call()
        .body("status", is("delivered"))
        .body("dispatch.status", is("succeeded"))
        .body("dispatch.attemptCount", is(1))
        .body("dispatch", not(hasKey("errorCode")));
    var json = told.only().json();
    assertEquals("cairn.notification", json.path("type").textValue());
    Instant.parse(json.path("timestamp").textValue());
    var data = json.path("data");
    assertEquals(run, data.path("runId").textValue());
    assertEquals(receiver.only().header("X-Cairn-Trace-Id"), data.path("traceId").textValue());
    assertEquals("hook", data.path("subscriptionName").textValue());
    assertEquals(
        repository,
        "/api/repos/"
            + data.at("/repo/orgName").textValue()
            + "/"
            + data.at("/repo/repoName").textValue());
    assertEquals(run().extract().path("[0].commitId"), data.path("commitId").textValue());
    assertEquals(1, data.path("attempt").intValue());
    assertEquals("failed", data.path("outcome").textValue());
    assertEquals("HTTP_400", data.path("errorCode").textValue());
    assertEquals("The receiver answered 400.", data.path("errorMessage").textValue());
    PageExample.assertShows(
        "docs/actions.md, Notifications",
        json,
        "/timestamp",
        "/data/runId",
        "/data/traceId",
        "/data/subscriptionName",
        "/data/repo/orgName",
        "/data/repo/repoName");
  }

  @Test
  void a_call_is_like_that_of_a_webhook_and_signed_by_its_credential_set() throws Exception {
    deliveries.credentials(
        repository,
        "ops",
        Map.of("WEBHOOK_SIGNING_SECRET", SECRET, "WEBHOOK_BEARER_TOKEN", "bearer"));
    tellBy(",'credentialSetName':'ops'");
    deliver(400);
    var call = told.only();
    assertEquals("/told?c=d", call.path());
    assertEquals("application/json", call.header("Content-Type"));
    assertEquals("Bearer bearer", call.header("Authorization"));
    assertEquals("1", call.header("X-Cairn-Attempt"));
    assertNotEquals(receiver.only().header("webhook-id"), call.header("webhook-id"));
    new Webhook(SECRET).verify(call.text(), HttpHeaders.of(call.headers(), (_, _) -> true));
  }

  @Test
  void a_notification_stays_and_is_resolved_when_a_retry_brings_its_run_to_success() {
    failAndTell();
    var run =
        deliveries.value(
            "select id from action_run where repo_id = ? and executor_kind = 'webhook'",
            Api.repoId(repository));
    notifications().body("[0]", not(hasKey("resolvedAt"))).body("[1]", not(hasKey("resolvedAt")));
    admin().post(repository + "/actions/runs/" + run + "/retry").then().statusCode(200);
    deliveries.run(repository);
    notifications().body("", hasSize(4)).body("findAll { it.resolvedAt }", empty());
    receiver.answering(200);
    admin().post(repository + "/actions/runs/" + run + "/retry").then().statusCode(200);
    deliveries.run(repository);
    long now = run().extract().path("[0].updatedAt");
    notifications()
        .body("outcome", everyItem(is("failed")))
        .body("resolvedAt", contains(now, now, now, now));
  }

  @Test
  void the_ids_of_calls_are_of_version_7_and_sort_by_time() {
    long before = System.currentTimeMillis();
    failAndTell();
    var id = UUID.fromString(told.only().header("webhook-id"));
    assertEquals(7, id.version());
    assertEquals(2, id.variant());
    long millis = id.getMostSignificantBits() >>> 16;
    assertTrue(
        millis >= before - 1000 && millis <= System.currentTimeMillis() + 1000, id::toString);
    var others =
        database.list(
            "select id from action_notification where repo_id = ?",
            row -> row.getObject(1, UUID.class).version(),
            Api.repoId(repository));
    assertEquals(List.of(7, 7), others);
  }

  @Test
  void success_is_told_where_the_subscription_wants_it() {
    tellBy("");
    deliver(200);
    notifications().body("", empty());
    deliveries.set(subscription, "notify_on_success = true");
    deliver(200);
    call().body("outcome", is("succeeded")).body("status", is("delivered"));
    var data = told.only().json().path("data");
    assertEquals("succeeded", data.path("outcome").textValue());
    assertFalse(data.has("errorCode"));
  }

  @Test
  void dead_letters_and_runs_of_a_deleted_subscription_are_notified_too() {
    tellBy("");
    receiver.answering(500);
    commit();
    database.update(
        "update action_run set max_attempts = 1 where repo_id = ?", Api.repoId(repository));
    deliveries.run(repository);
    deliver(500);
    admin().delete(repository + "/subs/hook").then().statusCode(200);
    deliveries.run(repository);
    assertEquals(
        List.of("HTTP_500", "SUBSCRIPTION_DELETED"),
        told.calls().stream().map(c -> c.json().at("/data/errorCode").textValue()).toList());
    notifications().body("status.findAll { it == 'delivered' }", hasSize(2));
  }

  @Test
  void the_end_of_each_of_many_runs_of_a_deleted_subscription_is_told_once() throws Exception {
    tellBy("");
    var repoId = Api.repoId(repository);
    database.update(
        """
        insert into action_run (repo_id, id, subscription_id, subscription_name, commit_id, matched,
                                envelope, executor_kind, target, trace_id, depth, status,
                                attempt_count, max_attempts, due_at, created_at, updated_at)
        select ?, gen_random_uuid(), ?, 'hook', lpad(to_hex(i), 16, '0'), '{}', '{}', 'webhook',
               'https://' || i % 3 || '.example', gen_random_uuid(), 1,
               case i % 2 when 0 then 'pending' else 'retry_wait' end, i % 2, 7,
               now() + make_interval(hours => i % 5), now(), now()
        from generate_series(1, 2500) i
        """,
        repoId, subscription);
    admin().delete(repository + "/subs/hook").then().statusCode(200);
    var ended =
        """
        select count(*) from action_run r
        where r.repo_id = ? and r.subscription_id = ? and r.status = 'failed_terminal'
          and r.last_error_code = 'SUBSCRIPTION_DELETED'
          and exists (select from action_notification n
                      where n.run_id = r.id and n.channel = 'inbox')
          and exists (select from action_notification n
                      join action_run c on c.repo_id = n.repo_id and c.id = n.dispatch_id
                      where n.run_id = r.id and n.channel = 'webhook' and c.status = 'pending')
        """;
    // Counted by this test alone, whose joins need to know how much there is.
    database.update("analyze action_run, action_notification");
    assertTrue(Integer.parseInt(deliveries.value(ended, repoId, subscription)) >= 1000);
    Eventually.await(
        Duration.ofMinutes(1),
        () -> "2500 have ended: " + deliveries.value(ended, repoId, subscription),
        () -> deliveries.value(ended, repoId, subscription).equals("2500"));
    assertEquals(
        "5000",
        deliveries.value("select count(*) from action_notification where repo_id = ?", repoId));
    // Other tests hand over what waits, and not that many.
    database.update("delete from action_run where repo_id = ?", repoId);
  }

  @Test
  void the_inbox_does_not_wait_for_calls_nor_hand_them_over() {
    told.answering(500);
    failAndTell();
    inbox.runDue();
    notifications().body("find { it.channel == 'inbox' }.status", is("delivered"));
    call().body("status", is("queued"));
  }

  @Test
  void calls_are_no_runs_to_anybody() {
    told.answering(400);
    failAndTell();
    var id = told.only().header("webhook-id");
    runs().body("", hasSize(1)).body("runId", not(contains(id)));
    for (var status : List.of("failed_terminal", "succeeded", "pending", "retry_wait")) {
      admin()
          .get(repository + "/actions/runs?status=" + status)
          .then()
          .body("", hasSize(status.equals("failed_terminal") ? 1 : 0));
    }
    admin().get(repository + "/actions/runs/" + id + "/attempts").then().statusCode(404);
    admin().post(repository + "/actions/runs/" + id + "/retry").then().statusCode(404);
    admin()
        .body("{\"status\":\"succeeded\"}")
        .post("/api/action-runs/" + id + "/callback")
        .then()
        .statusCode(404);
    admin()
        .body(Map.of("since", 0))
        .post(repository + "/subs/hook/recover")
        .then()
        .body("runs", is(1));
  }

  @Test
  void a_call_goes_with_its_runs_retention() {
    failAndTell();
    database.update(
        "update action_run set ended_at = now() - interval '91 days' where repo_id = ?",
        Api.repoId(repository));
    retention.runBatch();
    notifications().body("", empty());
    assertEquals(
        "0",
        deliveries.value(
            "select count(*) from action_run where repo_id = ?", Api.repoId(repository)));
  }
}
