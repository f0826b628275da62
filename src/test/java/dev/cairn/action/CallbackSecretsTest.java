package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.oauth.Flow;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Actions, Callbacks: what is masked in their texts. */
@HttpTest
@QuarkusTest
class CallbackSecretsTest extends OneNotification {
  private static final String RANDOM = "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2yZ3aB4";

  @BeforeEach
  void bind() {
    deliveries.credentials(
        repository,
        "set",
        Map.of(
            "WEBHOOK_BEARER_TOKEN",
            "hunter22",
            "WEBHOOK_API_KEY",
            "a\"b/c",
            "DEPLOY_KEY",
            "for a command",
            "CERTIFICATE",
            "line-one\nline-two\n"));
    deliveries.set(subscription, "credential_set = 'set'");
  }

  private ValidatableResponse report(Map<String, ?> report) {
    return anonymous().body(report).post(receiver.calls().getLast().callback()).then();
  }

  private ValidatableResponse failed(String errorMessage) {
    return report(Map.of("status", "failed", "errorMessage", errorMessage)).statusCode(200);
  }

  @Test
  void the_bound_secrets_are_masked_wherever_its_texts_are_shown() {
    tellBy("");
    deliver(202);
    report(Map.of("status", "progress", "message", "with hunter22")).statusCode(200);
    failed("log: hunter22 of it, \"a\\u0022b\\/c\"");
    var shown = "log: … of it, \"…\"";
    var org = repository.split("/", -1)[3];
    var run = admin().get(repository + "/actions/runs").path("[0].runId");
    as(People.member(org, "editor").token())
        .get(repository + "/actions/runs/" + run + "/attempts")
        .then()
        .body("message", contains("with …"))
        .body("errorMessage", contains(shown));
    run().body("lastErrorMessage", is(shown));
    notifications().body("findAll { it.channel == 'inbox' }.errorMessage", contains(shown));
    deliveries.run(repository);
    assertEquals(shown, told.only().json().at("/data/errorMessage").textValue());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update subscription set credential_set = null where id = ?",
        "update subscription set credential_set = 'another' where id = ?",
        "delete from subscription where id = ?",
        """
        update credential_set c set revoked_at = now() from subscription s
        where s.id = ? and c.repo_id = s.repo_id
        """
      })
  void what_the_attempt_began_with_is_masked_whatever_is_bound_by_now(String change) {
    deliver(202);
    database.update(change, subscription);
    failed("it is hunter22");
    attempts().body("errorMessage", contains("it is …"));
  }

  @Test
  void a_command_knows_all_values_and_a_receiver_only_what_calls_carry() {
    deliver(202);
    report(Map.of("status", "progress", "message", "for a command, hunter22")).statusCode(200);
    attempts().body("message", contains("for a command, …"));
    database.update(
        "update action_attempt set executor_kind = 'sprite' where repo_id = ?",
        Api.repoId(repository));
    failed("for a command, hunter22 / line-two of it");
    attempts().body("errorMessage", contains("…, … / … of it"));
  }

  @Test
  void a_set_that_is_not_used_is_not_masked() {
    var other =
        deliveries.credentials(repository, "other", Map.of("WEBHOOK_BEARER_TOKEN", "swordfish"));
    database.update("update credential_set set repo_id = null, name = 'set' where id = ?", other);
    deliver(202);
    failed("hunter22, swordfish");
    attempts().body("errorMessage", contains("…, swordfish"));
  }

  @Test
  void the_set_that_was_used_is_masked_although_another_one_hides_it_now() {
    var ofOrganization =
        deliveries.credentials(repository, "other", Map.of("WEBHOOK_BEARER_TOKEN", "swordfish"));
    database.update(
        "update credential_set set repo_id = null, name = 'shared' where id = ?", ofOrganization);
    deliveries.set(subscription, "credential_set = 'shared'");
    deliver(202);
    deliveries.credentials(repository, "shared", Map.of("WEBHOOK_BEARER_TOKEN", "halibut"));
    failed("swordfish, halibut");
    attempts().body("errorMessage", contains("…, halibut"));
  }

  @Test
  void a_set_of_the_organization_that_the_name_stands_for_since_is_not_masked() {
    var other =
        deliveries.credentials(repository, "other", Map.of("WEBHOOK_BEARER_TOKEN", "swordfish"));
    database.update("update credential_set set repo_id = null, name = 'set' where id = ?", other);
    deliver(202);
    deliveries.set(subscription, "active = false");
    admin().delete(repository + "/credential-sets/set").then().statusCode(200);
    failed("swordfish");
    attempts().body("errorMessage", contains("swordfish"));
  }

  @Test
  void what_calls_do_not_carry_is_not_masked() {
    deliveries.credentials(
        repository,
        "both",
        Map.of(
            "WEBHOOK_BEARER_TOKEN",
            "hunter22",
            "WEBHOOK_BASIC_USERNAME",
            "somebody",
            "WEBHOOK_BASIC_PASSWORD",
            "swordfish",
            "WEBHOOK_API_KEY_HEADER",
            "X-Special",
            "WEBHOOK_OTHER",
            "halibut"));
    deliveries.set(subscription, "credential_set = 'both'");
    deliver(202);
    failed("hunter22, somebody, swordfish, X-Special, halibut");
    attempts().body("errorMessage", contains("…, somebody, swordfish, X-Special, halibut"));
  }

  @Test
  void an_api_key_in_the_header_of_the_token_is_sent_in_its_place() {
    deliveries.credentials(
        repository,
        "key",
        Map.of(
            "WEBHOOK_BEARER_TOKEN",
            "swordfish",
            "WEBHOOK_API_KEY",
            "hunter22",
            "WEBHOOK_API_KEY_HEADER",
            "authorization"));
    deliveries.set(subscription, "credential_set = 'key'");
    deliver(202);
    failed("hunter22, swordfish");
    attempts().body("errorMessage", contains("…, swordfish"));
  }

  @Test
  void what_no_attempt_was_given_is_not_masked() {
    deliver(202);
    deliveries.credentials(repository, "another", Map.of("WEBHOOK_API_KEY", "swordfish"));
    deliveries.set(subscription, "credential_set = 'another'");
    failed("hunter22, swordfish");
    attempts().body("errorMessage", contains("…, swordfish"));
  }

  @Test
  void a_value_that_was_set_after_the_attempt_began_is_not_masked() {
    deliver(202);
    admin()
        .body(Map.of("keys", Map.of("WEBHOOK_BEARER_TOKEN", "swordfish")))
        .put(repository + "/credential-sets/set")
        .then()
        .statusCode(200);
    failed("hunter22, swordfish, a\"b/c");
    attempts().body("errorMessage", contains("hunter22, swordfish, …"));
  }

  /** Sends a failure that waits for {@code locked}, and does {@code work} meanwhile. */
  private void failedDuring(String message, String locked, Work work) throws Exception {
    var repoId = Api.repoId(repository);
    CompletableFuture<ValidatableResponse> answer;
    try (var connection = OwnConnections.dataSource().getConnection();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(locked.formatted(repoId));
      answer = CompletableFuture.supplyAsync(() -> failed(message), Threads.OWN);
      Waiting.awaitWaiter(connection);
      work.run();
      connection.rollback();
    }
    answer.get(30, TimeUnit.SECONDS);
  }

  private interface Work {
    void run() throws Exception;
  }

  @Test
  void the_run_is_not_locked_while_secrets_are_looked_for() throws Exception {
    deliver(202);
    failedDuring(
        "it is hunter22",
        "lock table credential_key in access exclusive mode",
        () ->
            assertEquals(
                1,
                database
                    .list(
                        "select id from action_run where repo_id = ? for update skip locked",
                        row -> row.getString(1),
                        Api.repoId(repository))
                    .size()));
    run().body("lastErrorMessage", is("it is …"));
  }

  @Test
  void a_set_of_an_attempt_that_begins_while_a_report_waits_for_its_run_is_masked_too()
      throws Exception {
    deliveries.credentials(repository, "another", Map.of("WEBHOOK_API_KEY", "swordfish"));
    deliver(202);
    failedDuring(
        "hunter22, swordfish",
        "select from action_run where repo_id = '%s' for no key update",
        () -> addAttempt(0, "another"));
    run().body("lastErrorMessage", is("…, …"));
  }

  /** Makes a run whose attempts began with this many sets together. */
  private void bindInAll(int sets) {
    deliver(202);
    for (int i = 2; i <= sets; i++) {
      deliveries.credentials(repository, "set-" + i, Map.of("WEBHOOK_API_KEY", "swordfish-" + i));
      addAttempt(1 - i, "set-" + i);
    }
  }

  private void addAttempt(int number, String credentialSet) {
    database.update(
        """
        insert into action_attempt
          (repo_id, run_id, attempt, status, executor_kind, started_at, credential_set_id)
        select a.repo_id, a.run_id, ?, a.status, a.executor_kind, now(), c.id
        from action_attempt a join credential_set c on c.repo_id = a.repo_id and c.name = ?
        where a.repo_id = ? and a.attempt = 1
        """,
        number,
        credentialSet,
        Api.repoId(repository));
  }

  @Test
  void the_secrets_of_ten_sets_are_masked() {
    bindInAll(10);
    failed("hunter22, swordfish-2, swordfish-10, swordfish-11");
    run().body("lastErrorMessage", is("…, …, …, swordfish-11"));
  }

  @Test
  void of_a_run_with_secrets_of_more_than_ten_sets_no_text_is_shown() {
    bindInAll(11);
    report(
            Map.of(
                "status", "failed", "message", "m", "errorMessage", "no secret", "errorCode", "E"))
        .statusCode(200);
    run().body("lastErrorMessage", is("…")).body("lastErrorCode", is("CALLBACK_FAILED"));
  }

  @Test
  void a_code_that_contains_one_is_not_kept() {
    deliveries.credentials(repository, "codes", Map.of("WEBHOOK_API_KEY", "AB12CD"));
    deliveries.set(subscription, "credential_set = 'codes'");
    deliver(202);
    report(Map.of("status", "failed", "errorCode", "PIN_AB12CD")).statusCode(200);
    run().body("lastErrorCode", is("CALLBACK_FAILED"));
  }

  @Test
  void what_a_webhook_is_sent_is_masked_as_it_is_sent() {
    deliveries.credentials(
        repository,
        "of-the-call",
        Map.of(
            "WEBHOOK_SIGNING_SECRET",
            "whsec_c2lnbmluZw== bmV4dC1vbmU=",
            "WEBHOOK_BASIC_USERNAME",
            "user",
            "WEBHOOK_BASIC_PASSWORD",
            "pass:word"));
    deliveries.set(subscription, "credential_set = 'of-the-call'");
    deliver(202);
    failed("by " + receiver.only().header("Authorization") + ", c2lnbmluZw==, bmV4dC1vbmU=");
    attempts().body("errorMessage", contains("by Basic …, …, …"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cairn_svc_" + RANDOM + "Qx0aB1",
        "cairn_pat_" + RANDOM + "Qx0aB1",
        "cairn_refresh_" + RANDOM,
        "cairn_code_" + RANDOM,
        "eyJhbGciOiJFUzI1NiIsImtpZCI6ImEifQ.eyJzdWIiOiIwMTg5MDAwMCJ9.c2lnbmF0dXJlLW9mLWl0"
      })
  void tokens_of_the_service_are_masked_whosever_they_are(String token) {
    deliver(202);
    report(Map.of("status", "retry", "message", token, "errorMessage", "no (" + token + ")"))
        .statusCode(200);
    attempts().body("message", contains("…")).body("errorMessage", contains("no (…)"));
  }

  @Test
  void an_account_that_reports_repeats_no_secret_either() {
    deliver(202);
    admin()
        .body(Map.of("status", "failed", "errorMessage", "hunter22"))
        .post("/api/action-runs/" + deliveries.onlyRun(repository) + "/callback")
        .then()
        .statusCode(200);
    run().body("lastErrorMessage", is("…"));
  }

  @Test
  void an_account_that_may_know_no_secret_cannot_find_out_by_what_is_masked() {
    deliver(202);
    assertNothingIsMaskedFor(People.member(organization(), "editor").token());
  }

  @Test
  void a_program_that_acts_for_an_owner_cannot_find_out_by_what_is_masked() {
    deliver(202);
    assertNothingIsMaskedFor(Flow.programToken(People.member(organization(), "owner").email()));
  }

  private String organization() {
    return repository.split("/", -1)[3];
  }

  private void assertNothingIsMaskedFor(String token) {
    var guesses = "is it hunter22, hunter23 or " + RANDOM;
    as(token)
        .body(Map.of("status", "progress", "message", guesses))
        .post("/api/action-runs/" + deliveries.onlyRun(repository) + "/callback")
        .then()
        .statusCode(200);
    attempts().body("message", contains(guesses));
  }
}
