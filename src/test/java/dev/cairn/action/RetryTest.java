package dev.cairn.action;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Stored;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Actions, Retries and Recovery: how failed runs go on, end, and come back. */
@HttpTest
@QuarkusTest
@InProcess("It settles attempts.")
class RetryTest extends OneHook {
  @Inject InboxDelivery inbox;
  @Inject Recovery recovery;

  private double secondsToNext() {
    return Double.parseDouble(
        deliveries.value(
            "select extract(epoch from due_at - now()) from action_run where repo_id = ?",
            Api.repoId(repository)));
  }

  private ValidatableResponse retry(UUID run) {
    return admin().post(repository + "/actions/runs/" + run + "/retry").then();
  }

  private ValidatableResponse recover(long since) {
    return admin().body(Map.of("since", since)).post(repository + "/subs/hook/recover").then();
  }

  @Test
  void the_next_attempt_waits_for_the_retry_schedule_and_at_most_a_fifth_more() {
    deliver(500);
    assertTrue(secondsToNext() > 4 && secondsToNext() <= 6, secondsToNext() + " s");
    assertEquals(0, deliveries.run(repository));
  }

  @Test
  void retry_after_lengthens_the_delay_to_at_most_twice_and_shortens_nothing() {
    receiver.answering(_ -> new Receiver.Reply(503, Map.of("Retry-After", "3600")));
    commit();
    deliveries.run(repository);
    assertTrue(secondsToNext() > 8 && secondsToNext() <= 10, secondsToNext() + " s");
    receiver.answering(_ -> new Receiver.Reply(503, Map.of("Retry-After", "1")));
    deliveries.hurry(repository);
    deliveries.run(repository);
    assertTrue(secondsToNext() > 58, secondsToNext() + " s");
  }

  @Test
  void a_run_whose_attempts_are_used_up_is_a_dead_letter_with_a_notification() {
    receiver.answering(500);
    commit();
    for (int attempt = 1; attempt <= 7; attempt++) {
      runs().body("[0].status", is(attempt == 1 ? "pending" : "retry_wait"));
      deliveries.hurry(repository);
      assertEquals(1, deliveries.run(repository));
    }
    runs().body("[0].status", is("dead_letter")).body("[0].attemptCount", is(7));
    assertEquals(0, deliveries.run(repository));
    assertEquals(7, receiver.calls().size());
    notifications()
        .body("", hasSize(1))
        .body("[0].attempt", is(7))
        .body("[0].errorCode", is("HTTP_500"))
        .body("[0].channel", is("inbox"))
        .body("[0].outcome", is("failed"))
        .body("[0].subscriptionName", is("hook"));
  }

  @Test
  void a_failed_run_gets_another_attempt_whose_number_goes_on() {
    deliver(400);
    var run = deliveries.onlyRun(repository);
    long before = Stored.assertCounted(repository);
    retry(run)
        .statusCode(200)
        .body("ok", is(true))
        .body("runId", is(run.toString()))
        .body("status", is("retry_wait"));
    assertEquals(before + StoredBytes.RUN, Stored.assertCounted(repository));
    runs().body("[0].maxAttempts", is(8)).body("[0].status", is("retry_wait"));
    receiver.answering(200);
    assertEquals(1, deliveries.run(repository));
    runs().body("[0].status", is("succeeded")).body("[0].attemptCount", is(2));
    admin()
        .get(repository + "/actions/runs/" + run + "/attempts")
        .then()
        .body("attempt", contains(1, 2))
        .body("status", contains("failed", "succeeded"));
  }

  @Test
  void a_run_is_retried_a_hundred_times_at_most() {
    deliver(400);
    var run = deliveries.onlyRun(repository);
    OwnConnections.database().update("update action_run set brought_back = 99 where id = ?", run);
    retry(run).statusCode(200);
    assertEquals(1, deliveries.run(repository));
    runs().body("[0].status", is("failed_terminal"));
    retry(run).statusCode(409).body("details.reason", is("retried_too_often"));
    recover(0).statusCode(200).body("runs", is(0));
  }

  @Test
  void what_has_not_failed_cannot_be_retried() {
    deliver(200);
    retry(deliveries.onlyRun(repository))
        .statusCode(409)
        .body("code", is("CONFLICT"))
        .body("details.reason", is("run_not_failed"))
        .body("details.status", is("succeeded"));
    retry(UUID.fromString("01890000-0000-7000-8000-000000000000")).statusCode(404);
    admin()
        .post(repository + "/actions/runs/nonsense/retry")
        .then()
        .statusCode(400)
        .body("errors.pointer", contains("?runId"));
  }

  @Test
  void a_run_of_a_deleted_subscription_cannot_be_retried() {
    deliver(400);
    database.update("delete from subscription where id = ?", subscription);
    retry(deliveries.onlyRun(repository))
        .statusCode(409)
        .body("details.reason", is("subscription_deleted"));
  }

  @Test
  void recovering_brings_back_what_failed_since_then() {
    deliver(400);
    receiver.answering(200);
    commit();
    deliveries.run(repository);
    deliver(404);
    long last = runs().extract().path("[0].createdAt");
    long first = runs().extract().path("[2].createdAt");
    recover(last + 1).statusCode(200).body("", is(Map.of("ok", true, "runs", 0)));
    recover(last).statusCode(200).body("runs", is(1));
    runs().body("status", contains("retry_wait", "succeeded", "failed_terminal"));
    admin()
        .get("/api/orgs/" + repository.split("/", -1)[3] + "/audit?limit=1")
        .then()
        .body("items[0].action", is("subscription.recovered"))
        .body("items[0].target", is("hook"))
        .body("items[0].details.runs", is("1"));
    recover(first).body("runs", is(1));
    deliveries.set(subscription, "active = false");
    receiver.answering(200);
    assertEquals(2, deliveries.run(repository));
    runs().body("status", contains("succeeded", "succeeded", "succeeded"));
  }

  @Test
  void recovering_takes_a_time_and_a_subscription_that_there_is() {
    for (var body : List.of("{}", "{\"since\":-1}", "{\"since\":100000000000000}")) {
      admin()
          .body(body)
          .post(repository + "/subs/hook/recover")
          .then()
          .statusCode(400)
          .body("errors.pointer", contains("/since"));
    }
    recover(99_999_999_999_999L).statusCode(200).body("runs", is(0));
    admin()
        .body(Map.of("since", 0))
        .post(repository + "/subs/no/such/recover")
        .then()
        .statusCode(404);
  }

  @Test
  void a_paused_subscription_still_completes_its_runs() {
    commit();
    deliveries.set(subscription, "active = false");
    assertEquals(1, deliveries.run(repository));
    runs().body("status", contains("succeeded"));
  }

  @Test
  void the_runs_of_a_subscription_end_when_it_is_deleted() {
    receiver.answering(500);
    commit();
    deliveries.run(repository);
    commit();
    runs().body("status", contains("pending", "retry_wait"));
    admin().delete(repository + "/subs/hook").then().statusCode(200);
    runs()
        .body("status", contains("failed_terminal", "failed_terminal"))
        .body("lastErrorCode", contains("SUBSCRIPTION_DELETED", "SUBSCRIPTION_DELETED"));
    notifications().body("errorCode", contains("SUBSCRIPTION_DELETED", "SUBSCRIPTION_DELETED"));
  }

  @Test
  void what_a_replica_that_died_has_left_of_a_deleted_subscription_ends_before_it_is_due() {
    deliver(500);
    deliveries.webhook(repository, "other", "Sensor", receiver.url("/other"));
    deliver(500);
    runs().body("status", is(List.of("retry_wait", "retry_wait", "retry_wait")));
    database.update("delete from subscription where id = ?", subscription);
    // It takes some at a time, and other tests may have left more.
    database.update(
        """
        delete from action_run r
        where r.status in ('pending', 'retry_wait') and r.repo_id <> ?
          and not exists (select from subscription s where s.id = r.subscription_id)
        """,
        Api.repoId(repository));
    recovery.endOrphans();
    runs()
        .body(
            "findAll { it.subscriptionName == 'hook' }.status",
            is(List.of("failed_terminal", "failed_terminal")))
        .body(
            "findAll { it.subscriptionName == 'hook' }.lastErrorCode",
            is(List.of("SUBSCRIPTION_DELETED", "SUBSCRIPTION_DELETED")))
        .body("findAll { it.subscriptionName == 'other' }.status", is(List.of("retry_wait")));
    notifications().body("errorCode", is(List.of("SUBSCRIPTION_DELETED", "SUBSCRIPTION_DELETED")));
    assertEquals(3, receiver.calls().size());
    recovery.endOrphans();
    notifications().body("", hasSize(2));
  }

  @Test
  void a_deleted_subscription_is_not_called() {
    commit();
    database.update("delete from subscription where id = ?", subscription);
    deliveries.run(repository);
    assertEquals(0, receiver.calls().size());
    runs()
        .body("[0].status", is("failed_terminal"))
        .body("[0].lastErrorCode", is("SUBSCRIPTION_DELETED"));
  }

  @Test
  void success_is_told_where_the_subscription_wants_it() {
    deliver(200);
    notifications().body("", empty());
    deliveries.set(subscription, "notify_on_success = true");
    deliver(200);
    notifications()
        .contentType(ContentType.JSON)
        .body("", hasSize(1))
        .body("[0].outcome", is("succeeded"))
        .body("[0].status", is("queued"));
    inbox.runDue();
    notifications().body("[0].status", is("delivered"));
  }
}
