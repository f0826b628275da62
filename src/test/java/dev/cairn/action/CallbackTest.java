package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.oneOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HeldLock;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.SameBytes;
import dev.cairn.Waiting;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.ArrayList;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Actions, Callbacks: who reports on a run, what, and when. */
@HttpTest
@QuarkusTest
class CallbackTest extends OneHook {
  private static final int MORE_THAN_THE_POOL = 24;

  private UUID run;

  @BeforeEach
  void accept() {
    deliver(202);
    run = deliveries.onlyRun(repository);
  }

  private String url() {
    return receiver.calls().getFirst().callback();
  }

  private String path() {
    return "/api/action-runs/" + run + "/callback";
  }

  private static ValidatableResponse send(RequestSpecification who, String url, String body) {
    return who.body(body.replace('\'', '"')).post(url).then();
  }

  private ValidatableResponse call(String body) {
    return send(anonymous(), url(), body);
  }

  @Test
  void accepted_leaves_the_run_running_and_its_attempt_started() {
    run().body("status", is("running")).body("attemptCount", is(1));
    attempts().body("status", contains("started")).body("httpStatus", contains(202));
    assertEquals(0, deliveries.run(repository));
  }

  @Test
  void progress_changes_nothing_but_the_time_and_what_is_shown_of_the_attempt() {
    attempts().body("[0]", not(hasKey("progress"))).body("[0]", not(hasKey("message")));
    var deadline = dueAt();
    call("{'status':'progress','progress':0.5,'message':'half'}")
        .statusCode(200)
        .body("ok", is(true))
        .body("runId", is(run.toString()))
        .body("status", is("running"));
    attempts().body("progress", contains(0.5f)).body("message", contains("half"));
    call("{'status':'progress','progress':0}").statusCode(200);
    attempts().body("progress", contains(0.0f)).body("message", contains("half"));
    call("{'status':'progress','message':'more'}").statusCode(200);
    attempts().body("progress", contains(0.0f)).body("message", contains("more"));
    call("{'status':'progress','progress':1}").statusCode(200);
    run().body("status", is("running"));
    assertEquals(deadline, dueAt());
    call("{'status':'succeeded','message':'done'}").statusCode(200);
    attempts().body("progress", contains(1.0f)).body("message", contains("done"));
  }

  private String dueAt() {
    return deliveries.value("select due_at from action_run where id = ?", run);
  }

  @Test
  void what_was_reported_belongs_to_its_attempt() {
    call("{'status':'retry','progress':0.25,'message':'again'}").statusCode(200);
    deliveries.hurry(repository);
    deliveries.run(repository);
    attempts()
        .body("[0].progress", is(0.25f))
        .body("[0].message", is("again"))
        .body("[1]", not(hasKey("progress")))
        .body("[1]", not(hasKey("message")));
  }

  @Test
  void progress_is_for_those_who_may_change_the_repository() {
    call("{'status':'progress','progress':0.5,'message':'half'}").statusCode(200);
    var org = repository.split("/", -1)[3];
    var path = repository + "/actions/runs/" + run + "/attempts";
    as(People.member(org, "editor").token()).get(path).then().body("message", contains("half"));
    as(People.member(org, "viewer").token())
        .get(path)
        .then()
        .statusCode(200)
        .body("status", contains("started"))
        .body("[0]", not(hasKey("progress")))
        .body("[0]", not(hasKey("message")));
  }

  @Test
  void success_ends_the_run_and_the_tokens_use() {
    call("{'status':'succeeded'}").statusCode(200).body("status", is("succeeded"));
    run().body("status", is("succeeded"));
    attempts().body("status", contains("succeeded")).body("httpStatus", contains(202));
    for (var status : new String[] {"succeeded", "progress", "failed", "retry"}) {
      call("{'status':'" + status + "'}")
          .statusCode(409)
          .body("details.reason", is("run_not_running"))
          .body("details.status", is("succeeded"));
    }
  }

  @Test
  void failure_ends_the_run_for_good() {
    call("{'status':'failed','errorCode':'NO_SPACE','errorMessage':'full'}")
        .statusCode(200)
        .body("status", is("failed_terminal"));
    run()
        .body("status", is("failed_terminal"))
        .body("lastErrorCode", is("NO_SPACE"))
        .body("lastErrorMessage", is("full"));
    notifications().body("errorCode", contains("NO_SPACE"));
  }

  @Test
  void failure_without_a_code_has_one_all_the_same() {
    call("{'status':'failed','message':'so it is'}").statusCode(200);
    run().body("lastErrorCode", is("CALLBACK_FAILED")).body("lastErrorMessage", is("so it is"));
  }

  @Test
  void retry_waits_for_the_next_attempt_and_counts() {
    call("{'status':'retry'}").statusCode(200).body("status", is("retry_wait"));
    run().body("status", is("retry_wait")).body("lastErrorCode", is("CALLBACK_RETRY"));
    database.update("update action_run set max_attempts = 2 where id = ?", run);
    deliveries.hurry(repository);
    deliveries.run(repository);
    call("{'status':'retry'}").statusCode(200).body("status", is("dead_letter"));
  }

  @Test
  void a_run_that_is_retried_by_hand_takes_no_token_from_before() {
    var former = url();
    call("{'status':'failed'}").statusCode(200);
    admin().post(repository + "/actions/runs/" + run + "/retry").then().statusCode(200);
    send(anonymous(), former, "{'status':'succeeded'}").statusCode(401);
    deliveries.run(repository);
    for (var status : new String[] {"progress", "succeeded", "failed", "retry"}) {
      send(anonymous(), former, "{'status':'" + status + "'}").statusCode(401);
    }
    run().body("status", is("running"));
    send(anonymous(), receiver.calls().getLast().callback(), "{'status':'succeeded'}")
        .statusCode(200);
    run().body("status", is("succeeded"));
  }

  @Test
  void a_token_that_a_change_has_ended_stays_ended_when_the_subscription_is_deleted() {
    var subscription = repository + "/subs/hook";
    admin()
        .body(Map.of("webhookUrl", receiver.url("/other")))
        .patch(subscription)
        .then()
        .statusCode(200);
    call("{'status':'progress'}").statusCode(401);
    admin().delete(subscription).then().statusCode(200);
    call("{'status':'succeeded'}").statusCode(401);
    run().body("status", is("running"));
  }

  @Test
  void a_token_of_the_last_attempt_outlives_the_subscription() {
    admin().delete(repository + "/subs/hook").then().statusCode(200);
    call("{'status':'succeeded'}").statusCode(200);
    run().body("status", is("succeeded"));
  }

  @Test
  void without_a_callback_the_attempt_fails_at_the_deadline() {
    deliveries.hurry(repository);
    deliveries.rescue(repository);
    run().body("status", is("retry_wait")).body("lastErrorCode", is("CALLBACK_TIMEOUT"));
    attempts().body("status", contains("failed"));
    call("{'status':'succeeded'}").statusCode(409).body("details.status", is("retry_wait"));
  }

  @Test
  void a_callback_that_comes_before_the_answer_counts() throws Exception {
    call("{'status':'succeeded'}").statusCode(200);
    var early = new StringBuilder();
    receiver.answering(
        got -> {
          early.append(
              send(anonymous(), got.callback(), "{'status':'succeeded'}").extract().statusCode());
          return Receiver.status(202);
        });
    deliver();
    assertEquals("200", early.toString());
    run().body("status", is("succeeded"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | /status",
        "{'status':'done'} | /status",
        "{'status':'progress','progress':1.01} | /progress",
        "{'status':'progress','progress':-0.01} | /progress",
        "{'status':'progress','progress':null} | /progress",
        "{'status':'failed','errorCode':'lower'} | /errorCode",
        "{'status':'succeeded','errorCode':'E'} | /errorCode",
        "{'status':'progress','errorMessage':'E'} | /errorMessage",
        "{'status':'succeeded','colour':'red'} | /colour"
      })
  void what_is_not_valid_changes_nothing(String body, String pointer) {
    call(body).statusCode(400).body("errors.pointer", contains(pointer));
    run().body("status", is("running"));
  }

  @Test
  void texts_have_2000_characters_at_the_most() {
    call("{'status':'progress','message':'" + "x".repeat(2001) + "'}").statusCode(400);
    call("{'status':'progress','message':'" + "x".repeat(2000) + "'}").statusCode(200);
    call("{'status':'failed','errorMessage':'" + "x".repeat(2001) + "'}").statusCode(400);
    call("{'status':'failed','errorCode':'" + "X".repeat(65) + "'}").statusCode(400);
    call("{'status':'failed','errorCode':'" + "X".repeat(64) + "'}").statusCode(200);
  }

  @Test
  void the_token_is_masked_in_what_a_callback_says() {
    var token = url().substring(url().indexOf('=') + 1);
    call("{'status':'retry','message':'not %s','errorMessage':'no %s'}".replace("%s", token))
        .statusCode(200);
    attempts().body("message", contains("not …")).body("errorMessage", contains("no …"));
    assertTokenIsNotStored(token);
  }

  @Test
  void a_token_of_another_run_is_refused() {
    var other = UUID.fromString("01890000-0000-7000-8000-000000000000");
    var token = url().substring(url().indexOf('=') + 1);
    send(anonymous(), "/api/action-runs/" + other + "/callback?token=" + token, "{}")
        .statusCode(401);
    send(anonymous(), path() + "?token=%20", "{}").statusCode(401);
    send(anonymous(), path() + "?token=" + token.substring(1), "{}").statusCode(401);
    int code = token.lastIndexOf('.') + 1;
    for (var same : SameBytes.of(token.substring(code))) {
      send(anonymous(), path() + "?token=" + token.substring(0, code) + same, "{}").statusCode(401);
    }
    send(admin(), path() + "?token=nonsense", "{'status':'succeeded'}").statusCode(401);
    send(anonymous(), url() + "&colour=red", "{'status':'succeeded'}").statusCode(400);
    run().body("status", is("running"));
  }

  @Test
  void the_token_is_nowhere_in_the_database() {
    assertTokenIsNotStored(url().substring(url().indexOf('=') + 1));
  }

  private void assertTokenIsNotStored(String token) {
    assertEquals(
        "0",
        deliveries.value(
            """
            select count(*) from action_run r, action_attempt a
            where r.id = ? and a.run_id = r.id
              and (r::text like '%' || ? || '%' or a::text like '%' || ? || '%')
            """,
            run, token, token));
  }

  @Test
  void an_account_needs_a_callback_permission() {
    var org = repository.split("/", -1)[3];
    var body = "{'status':'progress'}";
    send(anonymous(), path(), body).statusCode(401);
    send(as(People.stranger().token()), path(), body).statusCode(404);
    send(as(People.member(org, "viewer").token()), path(), body).statusCode(403);
    send(as(People.member(org, "editor").token()), path(), body).statusCode(200);
    send(as(pat("{'permissions':['repo:read','repo:write']}")), path(), body).statusCode(403);
    send(as(pat("{'permissions':['repo:action-callback']}")), path(), body).statusCode(200);
    send(as(pat("{'resource':'" + org + "','permissions':['org:action-callback']}")), path(), body)
        .statusCode(200);
    var ofRepository = "{'resource':'%s','permissions':['org:action-callback']}";
    send(as(pat(ofRepository.formatted(org + "/" + repository.split("/", -1)[4]))), path(), body)
        .statusCode(403);
    send(as(People.narrowedPat(repository, "repo:action-callback", "Sensor/**")), path(), body)
        .statusCode(403);
  }

  private static String pat(String scope) {
    return People.pat(Api.adminToken(), scope);
  }

  @Test
  void a_hidden_run_is_like_one_that_does_not_exist() {
    var stranger = People.stranger().token();
    var none = UUID.fromString("01890000-0000-7000-8000-000000000000");
    var hidden = send(as(stranger), path(), "{}").extract();
    var missing = send(as(stranger), "/api/action-runs/" + none + "/callback", "{}").extract();
    assertEquals(404, hidden.statusCode());
    assertEquals(
        hidden.asString().replace(run.toString(), "ID"),
        missing.asString().replace(none.toString(), "ID"));
  }

  @Test
  void a_member_removed_while_waiting_reports_nothing() throws Exception {
    var org = repository.split("/", -1)[3];
    var editor = People.member(org, "editor");
    HeldLock.during(
            () -> send(as(editor.token()), path(), "{'status':'progress','message':'late'}"),
            () ->
                admin()
                    .delete("/api/orgs/" + org + "/members/" + editor.inPath())
                    .then()
                    .statusCode(200),
            "select from action_run where id = ? for update",
            run)
        .statusCode(404);
    attempts().body("[0]", not(hasKey("message")));
  }

  @Test
  void a_token_revoked_while_it_waits_for_the_attempt_reports_nothing() throws Exception {
    var editor = People.member(repository.split("/", -1)[3], "editor");
    var token = People.pat(editor.token(), null);
    HeldLock.during(
            () -> send(as(token), path(), "{'status':'progress','message':'late'}"),
            () -> People.revokeTokens(editor.email()),
            "select from action_attempt where run_id = ? for update",
            run)
        .statusCode(401);
    attempts().body("[0]", not(hasKey("message")));
  }

  @Test
  void reports_that_wait_for_their_run_take_two_connections() throws Exception {
    var reports = new ArrayList<Future<ValidatableResponse>>();
    try (var holder = OwnConnections.plain();
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      holder.setAutoCommit(false);
      OwnConnections.execute(holder, "select from action_run where id = ? for update", run);
      for (int i = 0; i < MORE_THAN_THE_POOL; i++) {
        reports.add(executor.submit(() -> call("{'status':'progress'}")));
      }
      Waiting.awaitWaiters(holder, 2);
      for (int i = 0; i < 5; i++) {
        run().body("status", is("running"));
      }
      int waiters = Waiting.waiters(holder);
      assertTrue(waiters <= 2, waiters + " reports have a connection");
      holder.rollback();
      for (var report : reports) {
        report.get(30, TimeUnit.SECONDS).statusCode(oneOf(200, 503));
      }
    }
  }
}
