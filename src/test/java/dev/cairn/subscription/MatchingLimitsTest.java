package dev.cairn.subscription;

import static dev.cairn.subscription.Subs.subscribe;
import static dev.cairn.subscription.Subs.webhook;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Stored;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/subscriptions.md}, Matching: what the subscriptions of a commit may cost it. */
@HttpTest
@QuarkusTest
class MatchingLimitsTest {
  private String repository;
  private UUID repoId;

  @BeforeEach
  void makeRepository() {
    repository = Subs.repository();
    repoId = Api.repoId(repository);
  }

  /** Many subscriptions with one filter. */
  private void insert(int count, String filter) {
    OwnConnections.database()
        .update(
            """
            insert into subscription (repo_id, id, name, kind, executor_kind, active,
                                      source_repo_id, shape_id, filter, webhook_url,
                                      allow_trace_reentry, notify_on_success, workspace_policy,
                                      base_url, created_at, updated_at)
            select s.repo_id, gen_random_uuid(), 'many-' || i, 'webhook', 'webhook', true,
                   s.repo_id, s.id, ?, 'http://127.0.0.1:9/', false, false, 'ignore',
                   'http://localhost', now(), now()
            from entity s, generate_series(1, ?) as i
            where s.repo_id = ? and s.shape_name = 'Shape' and s.name = 'Sensor'
            """,
            filter,
            count,
            repoId);
  }

  private static String adds(int count, String name) {
    return IntStream.range(0, count)
        .mapToObj(i -> "{'operation':'add','name':'Sensor/" + name + i + "','data':{}}")
        .collect(Collectors.joining(",", "{'operations':[", "]"));
  }

  /** Commits without a log of what is sent, which is long. */
  private ValidatableResponse submit(String body) {
    return submit(Api.adminToken(), body);
  }

  private ValidatableResponse submit(String token, String body) {
    return given()
        .noFilters()
        .auth()
        .oauth2(token)
        .contentType("application/json")
        .body(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
        .post(repository + "/commits")
        .then();
  }

  private void assertRefused(String body, String detail, String hint) {
    for (var end : new String[] {",'dryRun':true}", ",'atomic':false}", "}"}) {
      submit(body + end)
          .statusCode(413)
          .body("code", equalTo("PAYLOAD_TOO_LARGE"))
          .body("detail", containsString(detail))
          .body("hint", containsString(hint))
          .body("errors[0].pointer", equalTo("/operations"));
    }
    assertEquals(1, count("commit_log where seq > 0 and repo_id = ?"), "commits");
  }

  private long count(String rows) {
    return OwnConnections.database()
        .first("select count(*) from " + rows, row -> row.getLong(1), repoId)
        .orElseThrow();
  }

  @Test
  void a_commit_has_at_most_a_million_matches() {
    insert(99, "{}");
    subscribe(repository, webhook("hundredth")).statusCode(201);
    var body = adds(10_000, "");
    submit(body + ",'dryRun':true}").statusCode(200);
    subscribe(repository, webhook("another").replace("{}", "{'name':'9999'}")).statusCode(201);
    assertRefused(body, "more than 1,000,000 matches", "narrower filters");
  }

  /** A pause by the service leaves them in what a replica has cached. */
  @Test
  void what_was_paused_counts_no_matches() {
    insert(100, "{}");
    subscribe(repository, webhook("last").replace("{}", "{'name':'9999'}")).statusCode(201);
    var body = adds(10_000, "") + ",'dryRun':true}";
    submit(body).statusCode(413);
    OwnConnections.database()
        .update(
            "update subscription set active = false where repo_id = ? and name like 'many-%'",
            repoId);
    submit(body).statusCode(200);
  }

  @Test
  void filters_that_take_long_are_refused_as_soon_as_the_steps_are_used_up() {
    var pattern = "\"Sensor/" + "*a".repeat(14) + "*z?\"";
    insert(20, "{\"match\":[" + (pattern + ",").repeat(9) + pattern + "]}");
    subscribe(repository, webhook("last").replace("{}", "{'name':'x'}")).statusCode(201);
    submit(adds(10, "az" + "a".repeat(200)) + ",'dryRun':true}").statusCode(200);
    assertRefused(
        adds(5_000, "az" + "a".repeat(200)), "more than 150,000,000 steps", "simpler patterns");
  }

  @Test
  void the_patterns_of_a_narrowed_token_take_steps_of_a_commit_too() {
    var slow = "'Sensor/" + "*a".repeat(14) + "*z?',";
    var token =
        People.pat(
            Api.adminToken(),
            "{'resource':'%s','permissions':['repo:read','repo:write'],'allowedMatches':[%s]}"
                .formatted(Subs.named(repository), slow.repeat(90) + "'Sensor/**'"));
    submit(token, adds(10, "az" + "a".repeat(200)) + ",'dryRun':true}").statusCode(200);
    submit(token, adds(10_000, "az" + "a".repeat(200)) + ",'dryRun':true}")
        .statusCode(413)
        .body("code", equalTo("PAYLOAD_TOO_LARGE"))
        .body("detail", containsString("or of the token takes more than 150,000,000 steps"))
        .body("errors[0].pointer", equalTo("/operations"));
  }

  @Test
  void all_runs_are_there_if_their_envelopes_do_not_fit_into_one_batch() {
    insert(59, "{}");
    subscribe(repository, webhook("last")).statusCode(201);
    submit(adds(2, "") + ",'message':'" + "\\\"".repeat(10_000) + "'}").statusCode(201);
    assertEquals(60, count("action_run where cardinality(matched) = 2 and repo_id = ?"));
    assertEquals(2, count("matched_operation where repo_id = ?"));
    Stored.assertCounted(repository);
  }
}
