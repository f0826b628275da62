package dev.cairn.action;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.cairn.Api;
import dev.cairn.HostileTargets;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Actions, Webhooks: the request, its signatures and credentials, and what answers mean. */
@HttpTest
@QuarkusTest
class WebhookTest extends OneHook {
  private static final String FIRST = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String SECOND = "whsec_c2Vjb25kIHNlY3JldCBvZiB0aGUgdGVzdA==";

  private static final Pattern LOOKED_UP =
      Pattern.compile(
          "https://|https?://hooks[.]example[.]org(:80|:22|:8444)?/?|.*[ \\\\\r\n].*",
          Pattern.DOTALL);

  /** A set of credentials, bound to the subscription. */
  private UUID bind(Map<String, String> keys) {
    var id = deliveries.credentials(repository, "keys", keys);
    deliveries.set(subscription, "credential_set = 'keys'");
    return id;
  }

  @Test
  void the_request_carries_the_headers_of_standard_webhooks_and_of_cairn() {
    deliver();
    var call = receiver.only();
    var run = deliveries.onlyRun(repository).toString();
    assertEquals("/hook?a=b", call.path());
    assertEquals("application/json", call.header("Content-Type"));
    assertEquals(run, call.header("webhook-id"));
    assertTrue(call.header("webhook-timestamp").matches("[0-9]{10}"));
    assertEquals(null, call.header("webhook-signature"));
    assertEquals("1", call.header("X-Cairn-Attempt"));
    var trace = call.json().at("/data/traceId").textValue();
    assertEquals(trace, call.header("X-Cairn-Trace-Id"));
    assertTrue(
        call.header("traceparent").matches("00-" + trace.replace("-", "") + "-[0-9a-f]{16}-01"));
    run()
        .body("status", is("succeeded"))
        .body("attemptCount", is(1))
        .body("", not(hasKey("lastErrorCode")));
    attempts()
        .body("attempt", contains(1))
        .body("status", contains("succeeded"))
        .body("httpStatus", contains(200))
        .body("executorKind", contains("webhook"))
        .body("[0]", hasKey("startedAt"))
        .body("[0]", hasKey("finishedAt"));
  }

  @Test
  void a_library_of_others_verifies_the_signature_by_each_of_several_secrets() throws Exception {
    bind(Map.of("WEBHOOK_SIGNING_SECRET", FIRST + " " + SECOND));
    deliver();
    var call = receiver.only();
    var headers = HttpHeaders.of(call.headers(), (_, _) -> true);
    new Webhook(FIRST).verify(call.text(), headers);
    new Webhook(SECOND).verify(call.text(), headers);
    var other = new Webhook("whsec_" + "A".repeat(32));
    assertThrows(WebhookVerificationException.class, () -> other.verify(call.text(), headers));
    assertThrows(
        WebhookVerificationException.class,
        () -> new Webhook(FIRST).verify(call.text() + " ", headers));
  }

  @Test
  void every_attempt_has_the_same_id_and_bytes_and_a_number_of_its_own() {
    receiver.answering(503);
    deliver();
    receiver.answering(200);
    deliveries.hurry(repository);
    deliveries.run(repository);
    var calls = receiver.calls();
    assertEquals(2, calls.size());
    assertEquals(calls.get(0).text(), calls.get(1).text());
    assertEquals(calls.get(0).header("webhook-id"), calls.get(1).header("webhook-id"));
    assertEquals("2", calls.get(1).header("X-Cairn-Attempt"));
    assertNotEquals(calls.get(0).header("traceparent"), calls.get(1).header("traceparent"));
    attempts().body("status", contains("failed", "succeeded")).body("attempt", contains(1, 2));
  }

  @Test
  void a_bearer_token_and_a_key_in_a_header_are_sent() {
    bind(
        Map.of(
            "WEBHOOK_BEARER_TOKEN", "abc",
            "WEBHOOK_API_KEY", "key",
            "WEBHOOK_API_KEY_HEADER", "X-Their-Key"));
    deliver();
    assertEquals("Bearer abc", receiver.only().header("Authorization"));
    assertEquals("key", receiver.only().header("X-Their-Key"));
  }

  @Test
  void a_key_without_a_header_of_its_own_and_a_name_with_a_password_are_sent() {
    bind(
        Map.of(
            "WEBHOOK_API_KEY", "key",
            "WEBHOOK_BASIC_USERNAME", "user",
            "WEBHOOK_BASIC_PASSWORD", "pass"));
    deliver();
    assertEquals("key", receiver.only().header("X-API-Key"));
    assertEquals("Basic dXNlcjpwYXNz", receiver.only().header("Authorization"));
  }

  @ParameterizedTest
  @CsvSource({
    "WEBHOOK_SIGNING_SECRET, not base64!",
    "WEBHOOK_SIGNING_SECRET, whsec_",
    "WEBHOOK_BEARER_TOKEN, 'a\nb'",
    "WEBHOOK_API_KEY_HEADER, Host",
    "WEBHOOK_API_KEY_HEADER, webhook-id",
    "WEBHOOK_API_KEY_HEADER, X-Cairn-Attempt",
    "WEBHOOK_API_KEY_HEADER, content-type"
  })
  void a_secret_that_cannot_be_used_means_no_delivery(String key, String value) {
    bind(Map.of("WEBHOOK_API_KEY", "k", key, value));
    deliver();
    assertEquals(0, receiver.calls().size());
    run()
        .body("status", is("failed_terminal"))
        .body("lastErrorCode", is("CREDENTIALS_UNAVAILABLE"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update credential_set set revoked_at = now() where id = ?",
        "delete from credential_set where id = ?",
        "update credential_key set sealed = sealed || '\\x00' where set_id = ?"
      })
  void a_set_that_was_revoked_is_gone_or_cannot_be_read_means_no_delivery(String sql) {
    var id = bind(Map.of("WEBHOOK_SIGNING_SECRET", FIRST));
    database.update(sql, id);
    deliver();
    assertEquals(0, receiver.calls().size());
    run()
        .body("status", is("failed_terminal"))
        .body("lastErrorCode", is("CREDENTIALS_UNAVAILABLE"));
  }

  @Test
  void a_set_whose_use_the_principal_has_lost_means_no_delivery() {
    var id = bind(Map.of("WEBHOOK_SIGNING_SECRET", FIRST));
    database.update(
        """
        update member m set role = 'editor' from credential_set c
        where c.id = ? and m.org_id = c.org_id
        """,
        id);
    deliver();
    assertEquals(0, receiver.calls().size());
    run()
        .body("status", is("failed_terminal"))
        .body("lastErrorCode", is("CREDENTIALS_UNAVAILABLE"));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 204, 299})
  void an_answer_of_the_200s_is_success(int status) {
    receiver.answering(status);
    deliver();
    run().body("status", is("succeeded"));
    attempts().body("httpStatus", contains(status));
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 425, 429, 500, 502, 503, 599})
  void what_may_pass_is_tried_again(int status) {
    receiver.answering(status);
    deliver();
    run()
        .body("status", is("retry_wait"))
        .body("lastErrorCode", is("HTTP_" + status))
        .body("attemptCount", is(1));
    attempts().body("status", contains("failed")).body("errorCode", contains("HTTP_" + status));
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 301, 302, 307, 304, 400, 401, 404, 409, 418, 499})
  void redirects_and_refusals_end_the_run(int status) {
    receiver.answering(
        _ -> new Receiver.Reply(status, Map.of("Location", receiver.url("/elsewhere"))));
    deliver();
    assertEquals("/hook?a=b", receiver.only().path());
    run().body("status", is("failed_terminal")).body("lastErrorCode", is("HTTP_" + status));
  }

  @Test
  void gone_pauses_the_subscription_and_ends_the_run() {
    deliver(410);
    run().body("status", is("failed_terminal")).body("lastErrorCode", is("HTTP_410"));
    assertEquals("f", active());
    commit();
    admin().get(repository + "/actions/runs").then().body("size()", is(1));
  }

  @Test
  void gone_pauses_a_subscription_that_was_changed_where_the_clock_is_ahead() {
    deliveries.set(subscription, "updated_at = now() + interval '1 hour'");
    deliver(410);
    assertEquals("f", active());
  }

  @Test
  void gone_does_not_pause_a_subscription_changed_by_a_replica_with_a_late_clock() {
    receiver.answering(
        _ -> {
          deliveries.set(
              subscription,
              "webhook_url = ?, updated_at = now() - interval '1 hour'",
              receiver.url("/other"));
          return Receiver.status(410);
        });
    deliver();
    run().body("lastErrorCode", is("HTTP_410"));
    assertEquals("t", active());
  }

  private String active() {
    return deliveries.value("select active from subscription where id = ?", subscription);
  }

  @Test
  void a_receiver_that_is_not_there_is_a_network_error_that_is_tried_again() {
    receiver.close();
    deliver();
    run().body("status", is("retry_wait")).body("lastErrorCode", is("WEBHOOK_NETWORK_ERROR"));
  }

  /** Without those that are no URLs, and those of a name that is looked up before it is refused. */
  static List<String> hostileUrls() {
    return HostileTargets.urls().stream().filter(url -> !LOOKED_UP.matcher(url).matches()).toList();
  }

  @ParameterizedTest
  @MethodSource("hostileUrls")
  void a_target_that_is_forbidden_at_delivery_ends_the_run(String url) {
    deliveries.set(subscription, "webhook_url = ?", url);
    deliver();
    assertEquals(0, receiver.calls().size());
    run()
        .body("status", is("failed_terminal"))
        .body("lastErrorCode", is("WEBHOOK_TARGET_FORBIDDEN"));
  }

  @Test
  void input_that_is_gone_ends_the_run() {
    commit();
    database.update("delete from matched_operation where repo_id = ?", Api.repoId(repository));
    deliveries.run(repository);
    assertEquals(0, receiver.calls().size());
    run()
        .body("status", is("failed_terminal"))
        .body("lastErrorCode", is("WEBHOOK_INPUT_NOT_FOUND"));
  }

  @Test
  void a_large_body_arrives_whole() {
    var text = "x".repeat(1_000_000);
    Prepared.commit(
        repository, "{'operation':'add','name':'Sensor/large','data':{'t':'%s'}}".formatted(text));
    deliveries.run(repository);
    assertEquals(text, receiver.only().json().at("/data/matchedOperations/0/data/t").textValue());
  }

  /** Many operations, and one that is longer than a piece, with characters of several bytes. */
  @Test
  void a_large_body_is_signed_and_sent_in_pieces_and_is_the_same_in_each_attempt()
      throws Exception {
    bind(Map.of("WEBHOOK_SIGNING_SECRET", FIRST + " " + SECOND));
    var sizes = new int[] {10, 60_000, 70_000, 500_000, 1, 131_072, 90_000};
    var operations =
        IntStream.range(0, sizes.length)
            .mapToObj(
                i ->
                    "{'operation':'add','name':'Sensor/l%d','data':{'t':'%s'}}"
                        .formatted(i, "ü".repeat(sizes[i] / 2) + i))
            .collect(Collectors.joining(","));
    receiver.answering(500);
    Prepared.commit(repository, operations);
    deliveries.run(repository);
    deliveries.hurry(repository);
    deliveries.run(repository);
    var calls = receiver.calls();
    assertEquals(2, calls.size());
    assertEquals(calls.get(0).text(), calls.get(1).text());
    for (var call : calls) {
      var headers = HttpHeaders.of(call.headers(), (_, _) -> true);
      new Webhook(FIRST).verify(call.text(), headers);
      new Webhook(SECOND).verify(call.text(), headers);
      var matched = call.json().at("/data/matchedOperations");
      assertEquals(sizes.length, matched.size());
      for (int i = 0; i < sizes.length; i++) {
        assertEquals("ü".repeat(sizes[i] / 2) + i, matched.at("/" + i + "/data/t").textValue());
      }
    }
  }
}
