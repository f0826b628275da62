package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actions, Reading: runs, attempts and notifications, by filter and page. */
@HttpTest
@QuarkusTest
class ActionReadsTest {
  private final Receiver receiver = new Receiver();
  private Deliveries deliveries;
  private String repository;

  @BeforeEach
  void subscribe() {
    deliveries = new Deliveries();
    repository = Api.newRepository("public");
    Api.commit(repository, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
    deliveries.webhook(repository, "hooks/a", "Sensor", receiver.url("/"));
  }

  @AfterEach
  void close() {
    receiver.close();
  }

  private String commit(int status) {
    receiver.answering(status);
    String id =
        Api.commit(
                repository,
                "{'operation':'add','name':'Sensor/%s','data':{}}".formatted(Api.unique("s")))
            .statusCode(201)
            .extract()
            .path("commitId");
    deliveries.run(repository);
    return id;
  }

  private ValidatableResponse get(String path) {
    return anonymous().get(repository + "/actions/" + path).then();
  }

  @Test
  void runs_come_newest_first_and_by_status_and_time() {
    var first = commit(200);
    var second = commit(400);
    var third = commit(200);
    get("runs").statusCode(200).body("commitId", contains(third, second, first));
    get("runs?status=succeeded").body("commitId", contains(third, first));
    get("runs?status=failed_terminal").body("commitId", contains(second));
    for (var status : List.of("pending", "running", "retry_wait", "dead_letter")) {
      get("runs?status=" + status).statusCode(200).body("", empty());
    }
    long time = get("runs").extract().path("[1].createdAt");
    get("runs?since=" + time).body("commitId", contains(third));
    get("runs?since=" + (time - 1)).body("commitId", contains(third, second));
    get("runs?since=99999999999999").statusCode(200).body("", empty());
  }

  @Test
  void pages_are_in_the_header_link_and_have_200_at_the_most() {
    var commits = new ArrayList<String>();
    for (int i = 0; i < 5; i++) {
      commits.add(commit(400));
    }
    Collections.reverse(commits);
    for (var list : List.of("runs", "notifications", "runs?status=failed_terminal")) {
      var seen = new ArrayList<String>();
      var next = repository + "/actions/" + list + (list.contains("?") ? "&" : "?") + "limit=2";
      while (next != null) {
        var page = anonymous().get(next).then().statusCode(200);
        seen.addAll(page.extract().path("commitId"));
        next = next(page.extract().header("Link"));
      }
      assertEquals(commits, seen);
      var query = list.contains("?") ? list + "&" : list + "?";
      get(query + "limit=200").statusCode(200);
      get(query + "limit=201").statusCode(400).body("errors.pointer", contains("?limit"));
      get(query + "limit=0").statusCode(400);
      get(query + "cursor=x").statusCode(400).body("errors.pointer", contains("?cursor"));
      get(query + "since=x").statusCode(400).body("errors.pointer", contains("?since"));
      get(query + "colour=red").statusCode(400).body("errors.pointer", contains("?colour"));
    }
    assertNull(get("runs").extract().header("Link"));
  }

  private static String next(String link) {
    if (link == null) {
      return null;
    }
    var url = URI.create(link.substring(1, link.indexOf('>')));
    return url.getRawPath() + "?" + url.getRawQuery();
  }

  @Test
  void a_cursor_belongs_to_its_filters() {
    commit(200);
    commit(200);
    var link = next(get("runs?limit=1").extract().header("Link"));
    anonymous().get(link + "&status=succeeded").then().statusCode(400);
  }

  @Test
  void an_unknown_status_is_refused() {
    get("runs?status=done").statusCode(400).body("errors.pointer", contains("?status"));
  }

  @Test
  void attempts_are_read_by_run_and_by_subscription_and_commit() {
    var commit = commit(500);
    var run = deliveries.onlyRun(repository);
    for (var path :
        List.of(
            "runs/" + run + "/attempts",
            "subs/hooks/a/commits/" + commit + "/attempts",
            "subs/hooks%2Fa/commits/" + commit + "/attempts")) {
      get(path)
          .statusCode(200)
          .body("", hasSize(1))
          .body("[0].attempt", is(1))
          .body("[0].status", is("failed"))
          .body("[0].httpStatus", is(500))
          .body("[0].errorCode", is("HTTP_500"));
      anonymous().get(repository + "/actions/" + path + "?limit=1").then().statusCode(400);
    }
    get("subs/hooks%2Fa/commits/0123456789abcdef/attempts").statusCode(404);
    get("subs/none/commits/" + commit + "/attempts").statusCode(404);
    get("runs/01890000-0000-7000-8000-000000000000/attempts").statusCode(404);
    for (var bad : List.of("0123456789abcde", "0123456789ABCDEF", "0123456789abcdef0")) {
      get("subs/hooks%2Fa/commits/" + bad + "/attempts")
          .statusCode(400)
          .body("errors.pointer", contains("?commitId"));
    }
    get("runs/nonsense/attempts").statusCode(400).body("errors.pointer", contains("?runId"));
  }

  @Test
  void a_run_without_attempts_has_none() {
    Api.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}");
    get("runs/" + deliveries.onlyRun(repository) + "/attempts").statusCode(200).body("", empty());
  }

  @Test
  void a_run_of_another_repository_is_not_found_here() {
    commit(200);
    var other = Api.newRepository("public");
    anonymous()
        .get(other + "/actions/runs/" + deliveries.onlyRun(repository) + "/attempts")
        .then()
        .statusCode(404);
  }

  @Test
  void errors_are_shown_of_runs_that_wait_or_failed() {
    commit(500);
    get("runs").body("[0].lastErrorCode", is("HTTP_500"));
    receiver.answering(200);
    deliveries.hurry(repository);
    deliveries.run(repository);
    get("runs").body("[0].lastErrorCode", nullValue()).body("[0].status", is("succeeded"));
  }

  @Test
  void what_a_callback_says_is_for_those_who_may_change_subscriptions() {
    commit(202);
    String runId = get("runs").extract().path("[0].runId");
    admin()
        .body(Map.of("status", "failed", "errorMessage", "It broke.\nthe output of a command"))
        .post("/api/action-runs/" + runId + "/callback")
        .then()
        .statusCode(200);
    deliveries.run(repository);
    var messages =
        Map.of(
            "runs",
            "[0].lastErrorMessage",
            "runs/" + runId + "/attempts",
            "[0].errorMessage",
            "notifications",
            "[0].errorMessage");
    messages.forEach(
        (path, message) -> {
          get(path).body(message, nullValue());
          admin()
              .get(repository + "/actions/" + path)
              .then()
              .body(message, is("It broke.\nthe output of a command"));
        });
  }

  @Test
  void reading_takes_repo_read_or_repo_configure_and_no_narrowed_token() {
    var hidden = Api.newRepository("private");
    for (var path : List.of("/actions/runs", "/actions/notifications")) {
      anonymous().get(hidden + path).then().statusCode(404);
      as(pat("repo:read")).get(hidden + path).then().statusCode(200);
      as(pat("repo:configure")).get(hidden + path).then().statusCode(200);
      as(pat("repo:write")).get(hidden + path).then().statusCode(403);
      as(People.narrowedPat(hidden, "repo:read", "Sensor/**"))
          .get(hidden + path)
          .then()
          .statusCode(403);
      as(People.narrowedPat(repository, "repo:read", "Sensor/**"))
          .get(repository + path)
          .then()
          .statusCode(403);
    }
  }

  @Test
  void a_token_that_reads_a_part_reads_no_runs_whatever_else_it_may() {
    var resource = repository.substring("/api/repos/".length());
    var org = resource.split("/", -1)[0];
    var part = "{'resource':'%s','permissions':['repo:read'],'allowedMatches':['Pub/**']}";
    var token =
        People.pat(
            Api.adminToken(),
            (part + ",{'resource':'%s','permissions':['repo:configure']}")
                .formatted(resource, org));
    for (var path : List.of("/actions/runs", "/actions/notifications")) {
      as(token).get(repository + path).then().statusCode(403);
    }
  }

  private static String pat(String permission) {
    return People.pat(Api.adminToken(), "{'permissions':['" + permission + "']}");
  }

  @Test
  void retrying_takes_repo_configure() {
    commit(400);
    var path = repository + "/actions/runs/" + deliveries.onlyRun(repository) + "/retry";
    var org = repository.split("/", -1)[3];
    anonymous().post(path).then().statusCode(401);
    as(People.member(org, "editor").token()).post(path).then().statusCode(403);
    var admin = People.member(org, "admin");
    as(admin.token()).post(path).then().statusCode(200);
    admin()
        .get("/api/orgs/" + org + "/audit?limit=1")
        .then()
        .body("items[0].action", is("run.retried"))
        .body("items[0].target", is(path.split("/", -1)[7]))
        .body("items[0].actor", is(admin.email()))
        .body("items[0].details", is(Map.of("repository", "repo", "subscription", "hooks/a")));
    admin().get(path.replace("/retry", "/attempts")).then().statusCode(200);
  }
}
