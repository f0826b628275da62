package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.is;

import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Actions, Callbacks: only the target that the subscription calls now reports, for its present
 * principal.
 */
@HttpTest
@QuarkusTest
class CallbackTargetTest extends OneHook {
  private static ValidatableResponse report(Receiver.Call call) {
    return anonymous().body(Map.of("status", "succeeded")).post(call.callback()).then();
  }

  private ValidatableResponse patch(RequestSpecification who, Map<String, ?> changes) {
    return who.body(changes).patch(repository + "/subs/hook").then().statusCode(200);
  }

  private ValidatableResponse post(RequestSpecification who, String path) {
    return who.post(repository + "/subs/hook/" + path).then().statusCode(200);
  }

  private void unbind() {
    admin().delete(repository + "/subs/hook/bind").then().statusCode(200);
  }

  private People.Person member(String role) {
    return People.member(repository.split("/", -1)[3], role);
  }

  /** The next attempt, which the receiver accepts; one that waits for its callback ends first. */
  private Receiver.Call acceptedAttempt() {
    receiver.answering(202);
    deliveries.hurry(repository);
    deliveries.rescue(repository);
    deliveries.hurry(repository);
    deliveries.run(repository);
    return receiver.calls().getLast();
  }

  @Test
  void a_receiver_that_was_replaced_reports_on_no_later_attempt() {
    var editor = member("editor");
    patch(as(editor.token()), Map.of("webhookUrl", receiver.url("/of-the-editor")));
    deliver(500);
    var former = receiver.only();
    patch(admin(), Map.of("webhookUrl", receiver.url("/of-the-owner")));
    admin()
        .delete("/api/orgs/" + repository.split("/", -1)[3] + "/members/" + editor.inPath())
        .then()
        .statusCode(200);
    var present = acceptedAttempt();
    report(former).statusCode(401);
    run().body("status", is("running"));
    report(present).statusCode(200).body("status", is("succeeded"));
    report(former).statusCode(401);
  }

  @Test
  void an_attempt_in_progress_at_a_former_target_ends_at_the_deadline() {
    deliver(202);
    patch(admin(), Map.of("webhookUrl", receiver.url("/new")));
    report(receiver.only()).statusCode(401);
    run().body("status", is("running"));
    deliveries.hurry(repository);
    deliveries.rescue(repository);
    run().body("status", is("retry_wait")).body("lastErrorCode", is("CALLBACK_TIMEOUT"));
    report(acceptedAttempt()).statusCode(200);
  }

  @Test
  void a_command_in_place_of_the_webhook_ends_its_tokens() {
    deliver(202);
    deliveries.set(
        subscription,
        """
        kind = 'cron', cronspec = '0 0 1 1 *', timezone = 'UTC', source_repo_id = null,
        shape_id = null, filter = null
        """);
    var command = Map.of("command", "true", "inputMode", "stdin");
    patch(admin(), Map.of("executorKind", "sprite", "spriteConfig", command));
    report(receiver.only()).statusCode(401);
  }

  @Test
  void another_principal_ends_the_tokens() {
    deliver(202);
    var admin = member("admin");
    patch(as(admin.token()), Map.of("webhookUrl", receiver.url("/hook?a=b")));
    report(receiver.only()).statusCode(401);
    report(acceptedAttempt()).statusCode(200);
  }

  @Test
  void another_account_that_resumes_it_ends_the_tokens() {
    deliver(202);
    post(admin(), "pause");
    post(as(member("admin").token()), "resume");
    report(receiver.only()).statusCode(401);
  }

  @Test
  void another_binding_ends_the_tokens() {
    deliveries.credentials(repository, "set", Map.of("API_KEY", "hunter22"));
    deliver(202);
    post(admin().body(Map.of("credentialSetName", "set")), "bind");
    report(receiver.only()).statusCode(401);
    var bound = acceptedAttempt();
    unbind();
    report(bound).statusCode(401);
    report(acceptedAttempt()).statusCode(200);
  }

  @Test
  void an_account_that_may_no_longer_use_the_secrets_stays_principal_and_the_tokens_end() {
    deliveries.credentials(repository, "set", Map.of("API_KEY", "hunter22"));
    deliver(202);
    var editor = member("editor");
    deliveries.set(
        subscription,
        "credential_set = 'set', principal_id = (select id from account where email = ?)",
        editor.email());
    unbind();
    report(receiver.only()).statusCode(401);
  }

  static Stream<Map<String, ?>> others() {
    return Stream.of(
        Map.of("filterJson", Map.of("operation", "add")),
        Map.of("notifyOnSuccess", true),
        Map.of("allowTraceReentry", true));
  }

  @ParameterizedTest
  @MethodSource("others")
  void a_change_of_anything_else_leaves_them(Map<String, ?> changes) {
    deliver(202);
    patch(as(member("editor").token()), changes);
    report(receiver.only()).statusCode(200);
  }

  @Test
  void a_change_that_changes_nothing_leaves_them() {
    deliver(202);
    patch(admin(), Map.of("webhookUrl", receiver.url("/hook?a=b")));
    report(receiver.only()).statusCode(200);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_pause_leaves_them(boolean resumes) {
    deliver(202);
    post(admin(), "pause");
    if (resumes) {
      post(admin(), "resume");
    }
    report(receiver.only()).statusCode(200);
  }

  @Test
  void the_last_attempt_of_a_deleted_subscription_reports_and_no_former_receiver() {
    deliver(500);
    var former = receiver.only();
    patch(admin(), Map.of("webhookUrl", receiver.url("/new")));
    var present = acceptedAttempt();
    admin().delete(repository + "/subs/hook").then().statusCode(200);
    report(former).statusCode(401);
    report(present).statusCode(200);
  }
}
