package dev.cairn.component;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HeldLock;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.oauth.Flow;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/components.md}, Teardown. */
@HttpTest
@QuarkusTest
class TeardownTest {
  private Installs installs;
  private String id;
  private String token;

  @BeforeEach
  void install() {
    installs = Installs.registered();
    var answer = installs.install().statusCode(201).extract();
    id = answer.path("installId");
    token = answer.path("token");
  }

  private ValidatableResponse get(String path) {
    return admin().get(installs.repository() + path).then();
  }

  @Test
  void it_ends_the_token_and_does_to_the_subscriptions_what_the_manifest_says() {
    var secret = "{\"keys\":{\"OTHER_KEY\":\"x\"}}";
    admin()
        .body(secret)
        .put(installs.repository() + "/credential-sets/other")
        .then()
        .statusCode(200);
    var answer = installs.teardown(id, "{}").statusCode(200).body("dryRun", is(false));
    assertEquals(
        List.of(
            "token cycle-finder revoke",
            "subscription cycles delete",
            "record ComponentInstall/" + id + " retract"),
        Installs.actions(answer));
    as(token).get("/api/whoami").then().statusCode(401);
    get("/subs/cycles").statusCode(404);
    get("/things/ComponentInstall/" + id).body("active", is(false));
    // Content and credential sets stay, with their values.
    get("/things/Setting/default").body("active", is(true));
    get("/things/Shape/Cycle").body("active", is(true));
    get("/credential-sets/other").statusCode(200).body("keyNames", contains("OTHER_KEY"));
    installs.list(Api.adminToken()).body("state", contains("torn_down"));
    admin()
        .get("/api/orgs/" + installs.org() + "/audit")
        .then()
        .body("items.action", hasItem("component.torn_down"));
  }

  @Test
  void the_request_may_say_what_becomes_of_the_subscriptions() {
    var answer = installs.teardown(id, "{'subscriptions':'pause'}").statusCode(200);
    assertTrue(Installs.actions(answer).contains("subscription cycles pause"));
    get("/subs/cycles").statusCode(200).body("active", is(false));
    installs
        .teardown(id, "{'subscriptions':'keep'}")
        .statusCode(400)
        .body("errors.pointer", contains("/subscriptions"));
    installs.teardown(id, "{'color':1}").statusCode(400);
  }

  @Test
  void a_dry_run_changes_nothing_and_plans_what_is_done() {
    var before = installs.state();
    var planned = installs.teardown(id, "{'dryRun':true}").statusCode(200).body("dryRun", is(true));
    assertEquals(before, installs.state());
    as(token).get("/api/whoami").then().statusCode(200);
    assertEquals(Installs.actions(planned), Installs.actions(installs.teardown(id, "{}")));
  }

  @Test
  void again_it_leaves_everything() {
    installs.teardown(id, "{'subscriptions':'pause'}").statusCode(200);
    var before = installs.state();
    var again = installs.teardown(id, "{'subscriptions':'pause'}").statusCode(200);
    assertEquals(
        List.of(
            "token cycle-finder leave",
            "subscription cycles leave",
            "record ComponentInstall/" + id + " leave"),
        Installs.actions(again));
    assertEquals(before, installs.state());
    // The other way is still open.
    assertTrue(
        Installs.actions(installs.teardown(id, "{'subscriptions':'delete'}").statusCode(200))
            .contains("subscription cycles delete"));
  }

  @Test
  void an_installation_after_it_begins_again_with_the_same_id() {
    installs.teardown(id, "{'subscriptions':'pause'}").statusCode(200);
    installs
        .install()
        .statusCode(201)
        .body("installId", is(id))
        .body("plan.findAll { it.action == 'create' }.kind", contains("token"))
        .body("plan.findAll { it.action == 'change' }.kind", contains("record", "subscription"));
    get("/subs/cycles").body("active", is(true));
    get("/things/ComponentInstall/" + id).body("active", is(true));
    installs.list(Api.adminToken()).body("state", contains("installed"));
  }

  @Test
  void subscriptions_and_tokens_of_others_are_left() {
    admin()
        .body(
            """
            {"name":"mine","kind":"webhook","shapeName":"Cycle","filterJson":{},
             "webhookUrl":"https://finder.example/hook"}\
            """)
        .post(installs.repository() + "/subs")
        .then()
        .statusCode(201);
    var elsewhere = installs.in(Api.newRepository());
    var other = elsewhere.install().statusCode(201).extract();
    installs.teardown(id, "{}").statusCode(200);
    get("/subs/mine").statusCode(200).body("active", is(true));
    as(other.<String>path("token")).get("/api/whoami").then().statusCode(200);
    elsewhere.list(Api.adminToken()).body("state", contains("installed"));
    // The install of another repository is none here.
    installs.teardown(other.path("installId"), "{}").statusCode(404);
  }

  @Test
  void it_takes_the_rights_of_an_installation() {
    var before = installs.state();
    var editor = People.member(installs.org(), "editor").token();
    var email = Flow.newAccount();
    admin()
        .body(Map.of("role", "owner"))
        .put("/api/orgs/" + installs.org() + "/members/" + email)
        .then()
        .statusCode(200);
    for (var caller : List.of(editor, token, Flow.programToken(email), People.stranger().token())) {
      as(caller).body("{}").post(installs.path(id, "/teardown")).then().statusCode(403);
    }
    Api.anonymous().body("{}").post(installs.path(id, "/teardown")).then().statusCode(401);
    assertEquals(before, installs.state());
    var resolved = Installs.registered().in(installs.repository());
    String reserved =
        Registry.resolve(admin(), resolved.owner(), Installs.NAME, installs.repository())
            .path("installId");
    for (var absent : List.of(reserved, "01890000-0000-7000-8000-000000000000", "nonsense")) {
      installs.teardown(absent, "{}").statusCode(404);
    }
  }

  @Test
  void an_archived_repository_takes_none() {
    admin().body("{\"archived\":true}").patch(installs.repository()).then().statusCode(200);
    var before = installs.state();
    installs.teardown(id, "{}").statusCode(409).body("code", is("ARCHIVED"));
    assertEquals(before, installs.state());
  }

  @Test
  void a_component_that_was_deregistered_is_torn_down_too() {
    admin().delete(Registry.path(installs.owner(), Installs.NAME)).then().statusCode(200);
    installs.teardown(id, "{}").statusCode(200);
    get("/subs/cycles").statusCode(404);
    installs.list(Api.adminToken()).body("state", contains("torn_down"));
  }

  @Test
  void one_that_is_refused_since_the_repository_was_archived_ends_nothing() throws Exception {
    HeldLock.afterChange(
            () -> installs.teardown(id, "{}"),
            "update repository set archived_at = now() where id = ?",
            Api.repoId(installs.repository()))
        .statusCode(409)
        .body("code", is("ARCHIVED"));
    assertTrue(isIn("installed"));
    as(token).get("/api/whoami").then().statusCode(200);
  }

  @Test
  void an_installation_that_is_in_progress_ends_when_a_teardown_begins() throws Exception {
    installs.register(Installs.version("2.0.0")).statusCode(200);
    var repoId = Api.repoId(installs.repository());
    try (var row = OwnConnections.dataSource().getConnection();
        var head = OwnConnections.dataSource().getConnection()) {
      row.setAutoCommit(false);
      head.setAutoCommit(false);
      OwnConnections.execute(
          row, "select from component_install where repo_id = ? for update", repoId);
      var installation = CompletableFuture.supplyAsync(installs::install, Threads.OWN);
      // It has been planned, and waits to begin; then it waits to commit.
      Waiting.awaitWaiter(row);
      OwnConnections.execute(
          head, "select from repository_head where repo_id = ? for update", repoId);
      row.rollback();
      Eventually.await("the installation has begun", () -> isIn("installing"));
      Waiting.awaitWaiter(row);
      var teardown =
          CompletableFuture.supplyAsync(
              () -> installs.teardown(id, "{'subscriptions':'pause'}"), Threads.OWN);
      Eventually.await("the teardown has begun", () -> isIn("torn_down"));
      head.rollback();
      installation
          .get(30, TimeUnit.SECONDS)
          .statusCode(409)
          .body("details.reason", is("superseded"));
      teardown.get(30, TimeUnit.SECONDS).statusCode(200);
    }
    get("/subs/cycles").statusCode(200).body("active", is(false));
    get("/things/ComponentInstall/" + id)
        .body("active", is(false))
        .body("data.version", is("1.2.0"));
    installs.list(Api.adminToken()).body("state", contains("torn_down"));
  }

  @Test
  void a_teardown_that_is_in_progress_ends_when_an_installation_begins() throws Exception {
    var repoId = Api.repoId(installs.repository());
    try (var row = OwnConnections.dataSource().getConnection();
        var head = OwnConnections.dataSource().getConnection()) {
      row.setAutoCommit(false);
      head.setAutoCommit(false);
      OwnConnections.execute(
          row, "select from component_install where repo_id = ? for update", repoId);
      var teardown =
          CompletableFuture.supplyAsync(
              () -> installs.teardown(id, "{'subscriptions':'pause'}"), Threads.OWN);
      Waiting.awaitWaiter(row);
      var installation = CompletableFuture.supplyAsync(installs::install, Threads.OWN);
      // It has been planned, and waits to begin after the teardown; then both wait to commit.
      Waiting.awaitWaiters(row, 2);
      OwnConnections.execute(
          head, "select from repository_head where repo_id = ? for update", repoId);
      row.rollback();
      Eventually.await("the installation has begun", () -> isIn("installing"));
      head.rollback();
      teardown.get(30, TimeUnit.SECONDS).statusCode(409).body("details.reason", is("superseded"));
      String minted =
          installation.get(30, TimeUnit.SECONDS).statusCode(200).extract().path("token");
      as(minted).get("/api/whoami").then().statusCode(200);
    }
    get("/subs/cycles").statusCode(200).body("active", is(true));
    get("/things/ComponentInstall/" + id).body("active", is(true));
    installs.list(Api.adminToken()).body("state", contains("installed"));
  }

  private boolean isIn(String state) {
    return installs.list(Api.adminToken()).extract().path("state").equals(List.of(state));
  }
}
