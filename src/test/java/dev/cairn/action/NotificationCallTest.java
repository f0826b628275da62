package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.work.Worker;
import io.agroal.api.AgroalDataSource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Actions, Notifications: how the call of a notification URL is tried again, and how it ends. */
@HttpTest
@QuarkusTest
@InProcess("It steps the worker.")
class NotificationCallTest extends OneNotification {
  @Inject Worker<RunAttempt, Outcome> worker;
  @Inject RunKind kind;
  @Inject AgroalDataSource pool;

  @ParameterizedTest
  @ValueSource(ints = {200, 202, 204, 299})
  void any_2xx_answer_means_delivered(int status) {
    told.answering(status);
    failAndTell();
    call().body("status", is("delivered")).body("dispatch.status", is("succeeded"));
    runNextAttempt();
    assertEquals(1, told.calls().size());
  }

  @Test
  void a_temporary_failure_is_retried_on_schedule_with_the_same_bytes() {
    told.answering(503);
    failAndTell();
    call()
        .body("status", is("queued"))
        .body("dispatch.status", is("retry_wait"))
        .body("dispatch.errorCode", is("HTTP_503"))
        .body("dispatch.errorMessage", is("The receiver answered 503."));
    var wait =
        Double.parseDouble(
            deliveries.value(
                """
                select extract(epoch from due_at - now()) from action_run
                where repo_id = ? and status = 'retry_wait'
                """,
                Api.repoId(repository)));
    assertTrue(wait > 4 && wait <= 6, wait + " s");
    told.answering(200);
    runNextAttempt();
    call().body("status", is("delivered")).body("dispatch.attemptCount", is(2));
    var calls = told.calls();
    assertEquals(calls.get(0).text(), calls.get(1).text());
    assertEquals(calls.get(0).header("webhook-id"), calls.get(1).header("webhook-id"));
    assertEquals("2", calls.get(1).header("X-Cairn-Attempt"));
  }

  @Test
  void a_renamed_repository_changes_no_bytes() {
    told.answering(503);
    failAndTell();
    var name = Api.unique("renamed");
    admin().body(Map.of("name", name)).patch(repository).then().statusCode(200);
    repository = repository.substring(0, repository.lastIndexOf('/') + 1) + name;
    runNextAttempt();
    assertEquals(told.calls().get(0).text(), told.calls().get(1).text());
  }

  @Test
  void after_the_last_attempt_there_is_no_retry_and_no_other_notification() {
    told.answering(500);
    failAndTell();
    for (int attempt = 2; attempt <= 7; attempt++) {
      call().body("dispatch.status", is("retry_wait"));
      runNextAttempt();
    }
    runNextAttempt();
    assertEquals(7, told.calls().size());
    call()
        .body("status", is("queued"))
        .body("errorCode", is("HTTP_400"))
        .body("dispatch.status", is("dead_letter"))
        .body("dispatch.errorCode", is("HTTP_500"))
        .body("dispatch.attemptCount", is(7));
  }

  @ParameterizedTest
  @CsvSource({"410", "400", "301"})
  void a_permanent_failure_is_not_retried(int status) {
    told.answering(status);
    failAndTell();
    runNextAttempt();
    assertEquals(1, told.calls().size());
    call()
        .body("status", is("queued"))
        .body("dispatch.status", is("failed_terminal"))
        .body("dispatch.errorCode", is("HTTP_" + status));
    assertEquals(
        "t", deliveries.value("select active from subscription where id = ?", subscription));
  }

  @Test
  void a_url_that_was_removed_or_secrets_that_were_revoked_end_the_retries() {
    var secrets = deliveries.credentials(repository, "ops", Map.of("WEBHOOK_API_KEY", "k"));
    told.answering(500);
    tellBy(",'credentialSetName':'ops'");
    deliver(400);
    database.update("update credential_set set revoked_at = now() where id = ?", secrets);
    runNextAttempt();
    call().body("dispatch.errorCode", is("CREDENTIALS_UNAVAILABLE"));
    assertEquals(1, told.calls().size());
    settings("{'notifications':{'credentialSetName':null}}").statusCode(200);
    deliver(400);
    settings("{'notifications':null}").statusCode(200).body("settings.notifications", nullValue());
    runNextAttempt();
    notifications()
        .body(
            "dispatch.errorCode",
            containsInAnyOrder("CREDENTIALS_UNAVAILABLE", "NOTIFICATIONS_OFF"));
    assertEquals(2, told.calls().size());
    deliver(400);
    notifications().body("channel.findAll { it == 'webhook' }", hasSize(2));
  }

  /** They could otherwise read on, with secrets that were changed since. */
  @ParameterizedTest
  @ValueSource(strings = {"editor", "nobody"})
  void nothing_is_sent_for_an_account_that_may_no_longer_configure(String becomes) {
    var org = repository.split("/", -1)[3];
    var person = People.member(org, "admin");
    deliveries.credentials(repository, "ops", Map.of("WEBHOOK_BEARER_TOKEN", "secret"));
    as(person.token()).body(notificationSettings()).patch(repository).then().statusCode(200);
    deliver(400);
    assertEquals(1, told.calls().size());

    var member = "/api/orgs/" + org + "/members/" + person.inPath();
    if (becomes.equals("nobody")) {
      admin().delete(member).then().statusCode(200);
    } else {
      admin().body(Map.of("role", becomes)).put(member).then().statusCode(200);
    }
    deliver(400);
    deliver(400);
    assertEquals(1, told.calls().size());
    notifications()
        .body("findAll { it.channel == 'inbox' }", hasSize(3))
        .body(
            "findAll { it.channel == 'webhook' }.dispatch.errorCode",
            containsInAnyOrder(nullValue(), is("NOTIFICATIONS_OFF")));
    admin()
        .get("/api/orgs/" + org + "/audit")
        .then()
        .rootPath("items.findAll { it.action == 'repository.notifications_paused' }")
        .body("actor", contains("cairn"))
        .body("target", contains(repository.split("/", -1)[4]))
        .body("details.reason", contains("access_lost"));

    settings("{'notifications':{}}").statusCode(200);
    deliver(400);
    assertEquals("Bearer secret", told.calls().getLast().header("Authorization"));
    assertEquals(2, told.calls().size());
  }

  @Test
  void nothing_is_sent_either_while_the_repository_is_busy() throws Exception {
    var org = repository.split("/", -1)[3];
    var person = People.member(org, "admin");
    deliveries.credentials(repository, "ops", Map.of("WEBHOOK_BEARER_TOKEN", "secret"));
    as(person.token()).body(notificationSettings()).patch(repository).then().statusCode(200);
    admin()
        .body(Map.of("role", "editor"))
        .put("/api/orgs/" + org + "/members/" + person.inPath())
        .then()
        .statusCode(200);
    var repoId = Api.repoId(repository);
    try (var connection = pool.getConnection();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("select from repository where id = '" + repoId + "' for share");
      deliver(400);
      connection.rollback();
    }
    call()
        .body("dispatch.errorCode", is("NOTIFICATIONS_OFF"))
        .body("dispatch.status", is("failed_terminal"))
        .body("dispatch.attemptCount", is(1));
    assertEquals(0, told.calls().size());
    var principal = "select notifications_principal_id from repository where id = ?";
    assertNotNull(deliveries.value(principal, repoId), "it was not busy");
  }

  private String notificationSettings() {
    return "{'settings':{'notifications':{'webhookUrl':'%s','credentialSetName':'ops'}}}"
        .formatted(told.url("/told"))
        .replace('\'', '"');
  }

  @Test
  void a_worker_that_dies_in_the_middle_loses_no_call() {
    failAndTell();
    database.update(
        """
        update action_run set status = 'running', lease = gen_random_uuid(), due_at = now(),
               ended_at = null
        where repo_id = ? and executor_kind = 'notification'
        """,
        Api.repoId(repository));
    database.update(
        """
        update action_notification set status = 'queued' where repo_id = ? and channel = 'webhook'
        """,
        Api.repoId(repository));
    kind.rescue();
    call().body("dispatch.status", is("retry_wait")).body("dispatch.errorCode", is("WORKER_LOST"));
    runNextAttempt();
    call().body("status", is("delivered")).body("dispatch.attemptCount", is(2));
    assertEquals(told.calls().get(0).text(), told.calls().get(1).text());
  }

  @Test
  void a_target_that_is_forbidden_when_it_is_called_is_not_called() {
    tellBy("");
    database.update(
        "update repository set settings = replace(settings, '127.0.0.1', '127.0.0.2') where id = ?",
        Api.repoId(repository));
    deliver(400);
    assertEquals(0, told.calls().size());
    call().body("dispatch.errorCode", is("WEBHOOK_TARGET_FORBIDDEN"));
  }
}
