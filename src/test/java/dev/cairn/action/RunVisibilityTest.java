package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.mcp.Mcp;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actions, What callers see: runs of a public repository whose subscription watches another. */
@HttpTest
@QuarkusTest
class RunVisibilityTest {
  private static final String FIRST = "the first line";
  private static final String BELOW = "and what is below it";
  private static final String SAID = "what it was doing";

  private final Receiver receiver = new Receiver();
  private final Receiver told = new Receiver();
  private final Deliveries deliveries = new Deliveries();
  private String repository;
  private String source;

  @BeforeEach
  void watch() {
    repository = Api.newRepository("public");
    var org = repository.split("/", -1)[3];
    admin().body(Map.of("name", "own")).post("/api/orgs/" + org + "/repos").then().statusCode(201);
    source = "/api/repos/" + org + "/own";
    Prepared.commit(source, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
    deliveries.webhook(repository, source, "watch", "Sensor", receiver.url("/hook"));
  }

  @AfterEach
  void close() {
    receiver.close();
    told.close();
  }

  /** A commit that the subscription matches; answers its id. */
  private String commit() {
    return Api.commit(source, "{'operation':'add','name':'Sensor/s','data':{}}")
        .statusCode(201)
        .extract()
        .path("commitId");
  }

  /** A run that has failed, with all that there is to say of it; answers the id of its commit. */
  private String fail() {
    receiver.answering(202);
    var commitId = commit();
    deliveries.run(repository);
    var report =
        Map.of(
            "status",
            "failed",
            "message",
            SAID,
            "progress",
            0.5,
            "errorCode",
            "NO_SPACE",
            "errorMessage",
            FIRST + "\n" + BELOW);
    admin().body(report).post("/api/action-runs/" + runId() + "/callback").then().statusCode(200);
    deliveries.run(repository);
    return commitId;
  }

  /** The run, which is not the call that tells of it. */
  private String runId() {
    return admin().get(repository + "/actions/runs").then().extract().path("[0].runId");
  }

  private static String named(String repository) {
    return repository.substring("/api/repos/".length());
  }

  private static String entry(String resource, String permissions) {
    return "{'resource':'%s','permissions':[%s]}".formatted(resource, permissions);
  }

  private static String pat(String scopes) {
    return People.pat(Api.adminToken(), scopes);
  }

  /** What a caller gets about the run, by path. */
  private Map<String, String> answers(RequestSpecification caller) {
    var answers = new LinkedHashMap<String, String>();
    for (var path : List.of("runs", "runs/" + runId() + "/attempts", "notifications")) {
      var answer = caller.get(repository + "/actions/" + path).then().statusCode(200);
      answers.put(path, answer.extract().asString());
    }
    return answers;
  }

  private RequestSpecification of(String token) {
    return token == null ? anonymous() : as(token);
  }

  private void assertHidden(String token, String commitId) {
    answers(of(token))
        .forEach(
            (path, answer) -> {
              for (var part :
                  List.of(commitId, "matchedOperationIndexes", FIRST, BELOW, SAID, "progress")) {
                assertFalse(answer.contains(part), () -> path + " shows " + part + ": " + answer);
              }
              assertTrue(answer.contains("NO_SPACE"), answer);
            });
    of(token)
        .get(repository + "/actions/runs")
        .then()
        .body("[0].status", is("failed_terminal"))
        .body("[0].attemptCount", is(1))
        .body("[0].createdAt", notNullValue());
    of(token).get(ofCommit(commitId)).then().statusCode(404);
  }

  private String ofCommit(String commitId) {
    return repository + "/actions/subs/watch/commits/" + commitId + "/attempts";
  }

  @Test
  void a_caller_that_may_not_read_the_source_sees_neither_its_commits_nor_messages_about_them() {
    var commitId = fail();
    var own = named(repository);
    var all = entry(own, "'repo:read','repo:write','repo:configure'");
    var part =
        "{'resource':'%s','permissions':['repo:read'],'allowedMatches':['Pub/**']}"
            .formatted(named(source));
    assertHidden(null, commitId);
    assertHidden(People.stranger().token(), commitId);
    assertHidden(pat(all), commitId);
    assertHidden(pat(all + "," + part), commitId);
    assertHidden(pat(all + "," + entry(named(source), "'repo:write'")), commitId);
    assertHidden(pat(entry(own, "'repo:configure'")), commitId);
  }

  @Test
  void a_caller_that_may_read_the_source_sees_everything() {
    var commitId = fail();
    var both = entry(named(repository), "'repo:read','repo:write'");
    var token = pat(both + "," + entry(named(source), "'repo:read'"));
    for (var caller : List.of(token, Api.adminToken())) {
      answers(as(caller))
          .forEach(
              (path, answer) -> {
                var isAttempt = path.endsWith("attempts");
                assertEquals(!isAttempt, answer.contains(commitId), answer);
                assertTrue(answer.contains(BELOW), answer);
                assertEquals(isAttempt, answer.contains(SAID), answer);
              });
      as(caller).get(ofCommit(commitId)).then().statusCode(200).body("[0].message", is(SAID));
    }
  }

  @Test
  void what_everybody_may_read_is_shown_and_what_was_deleted_is_not() {
    var commitId = fail();
    admin().body(Map.of("visibility", "public")).patch(source).then().statusCode(200);
    anonymous()
        .get(repository + "/actions/runs")
        .then()
        .body("[0].commitId", is(commitId))
        .body("[0].matchedOperationIndexes", is(List.of(0)))
        .body("[0].lastErrorCode", is("NO_SPACE"))
        .body("[0].lastErrorMessage", nullValue());
    anonymous().get(ofCommit(commitId)).then().statusCode(200);
    admin().delete(source).then().statusCode(200);
    assertHidden(Api.adminToken(), commitId);
  }

  @Test
  void a_token_that_does_not_read_the_repository_sees_no_message_of_its_own_runs() {
    admin().body(Map.of("visibility", "public")).patch(source).then().statusCode(200);
    fail();
    var both = entry(named(repository), "'repo:configure'");
    var token = pat(both + "," + entry(named(source), "'repo:read'"));
    answers(as(token))
        .forEach(
            (path, answer) -> {
              for (var part : List.of(FIRST, BELOW, SAID)) {
                assertFalse(answer.contains(part), () -> path + " shows " + part + ": " + answer);
              }
            });
  }

  @Test
  void tools_show_no_more() {
    var commitId = fail();
    var token = pat(entry(named(repository), "'repo:read','repo:write','repo:configure'"));
    var place = Map.of("org", repository.split("/", -1)[3], "repo", "repo");
    var run = new LinkedHashMap<String, String>(place);
    run.put("runId", runId());
    var calls =
        Map.of(
            "action_runs",
            place,
            "action_feed",
            place,
            "action_notifications",
            place,
            "action_attempts",
            run);
    calls.forEach(
        (tool, arguments) -> {
          for (var caller : List.of(token, Api.adminToken())) {
            var answer = Mcp.of(Mcp.OLD, caller).call(tool, arguments).statusCode(200).extract();
            assertEquals(false, answer.path("result.isError"), answer::asString);
            boolean all = caller.equals(Api.adminToken());
            assertEquals(all, answer.asString().contains(BELOW), answer::asString);
            assertEquals(
                all && !tool.equals("action_attempts"),
                answer.asString().contains(commitId),
                answer::asString);
          }
        });
  }

  private void tell() {
    var settings = Map.of("notifications", Map.of("webhookUrl", told.url("/told")));
    admin().body(Map.of("settings", settings)).patch(repository).then().statusCode(200);
  }

  @Test
  void calls_of_the_notification_url_contain_nothing_of_the_source() {
    tell();
    var commitId = fail();
    var call = told.only().json().path("data");
    assertEquals("NO_SPACE", call.path("errorCode").textValue());
    for (var part : List.of(commitId, "commitId", FIRST, BELOW, SAID, "errorMessage")) {
      assertFalse(told.only().text().contains(part), told.only().text());
    }
  }

  @Test
  void calls_about_runs_of_a_deleted_subscription_contain_nothing_of_the_source_either() {
    tell();
    var commitId = commit();
    admin().delete(repository + "/subs/watch").then().statusCode(200);
    deliveries.run(repository);
    var call = told.only();
    assertEquals("SUBSCRIPTION_DELETED", call.json().at("/data/errorCode").textValue());
    assertFalse(call.text().contains(commitId), call.text());
  }
}
