package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.subscription.Subs.cron;
import static dev.cairn.subscription.Subs.get;
import static dev.cairn.subscription.Subs.named;
import static dev.cairn.subscription.Subs.patch;
import static dev.cairn.subscription.Subs.post;
import static dev.cairn.subscription.Subs.subscribe;
import static dev.cairn.subscription.Subs.webhook;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.TestDatabase;
import dev.cairn.Waiting;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/subscriptions.md}, Principal and Other repositories. */
@HttpTest
@QuarkusTest
class SourceTest {
  private String repository;
  private String source;
  private String org;

  @BeforeEach
  void makeRepositories() {
    repository = Subs.repository();
    source = Subs.sibling(repository, "private");
    org = named(repository).split("/", -1)[0];
  }

  private String watching(String name) {
    return webhook(name, ",'sourceRepo':'" + named(source) + "'");
  }

  /** A token that says nothing of the source. */
  private String ofRepositoryAlone() {
    return People.pat(
        Api.adminToken(),
        "{'resource':'%s','permissions':['repo:write','repo:read']}".formatted(named(repository)));
  }

  private ValidatableResponse watch(String token) {
    return as(token).body(watching("w").replace('\'', '"')).post(repository + "/subs").then();
  }

  @Test
  void a_subscription_watches_another_repository_of_the_organization() {
    subscribe(repository, watching("w"))
        .statusCode(201)
        .body("sourceRepo", equalTo(named(source)))
        .body("shapeName", equalTo("Sensor"));
    admin().get(repository + "/subs").then().body("[0].sourceRepo", equalTo(named(source)));
  }

  /** Each of these holds a connection while it waits, and there are five for all changes. */
  @Test
  void changes_that_wait_for_a_commit_to_the_other_repository_let_others_through()
      throws Exception {
    var changes = new ArrayList<Callable<Integer>>();
    for (int i = 0; i < 6; i++) {
      var watcher = Subs.sibling(repository, "private");
      subscribe(watcher, watching("w")).statusCode(201);
      var token = People.member(org, "admin").token();
      changes.add(
          () ->
              as(token).body("{\"notifyOnSuccess\":true}").patch(watcher + "/subs/w").statusCode());
    }
    var other = People.stranger();
    var another = Api.unique("o");
    as(other.token()).body(Map.of("name", another)).post("/api/orgs").then().statusCode(201);
    as(other.token())
        .body(Map.of("name", "r"))
        .post("/api/orgs/" + another + "/repos")
        .then()
        .statusCode(201);
    try (var connection = OwnConnections.dataSource().getConnection();
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      connection.setAutoCommit(false);
      OwnConnections.execute(
          connection,
          "select from repository_head where repo_id = ? for update",
          Api.repoId(source));
      var answers = changes.stream().map(executor::submit).toList();
      Waiting.awaitWaiters(connection, 4);
      long start = System.nanoTime();
      as(other.token())
          .body(Map.of("visibility", "public"))
          .patch("/api/repos/" + another + "/r")
          .then()
          .statusCode(200);
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(millis < 3_000, millis + " ms");
      connection.rollback();
      for (var answer : answers) {
        assertEquals(200, answer.get());
      }
    }
  }

  @Test
  void its_own_repository_is_no_source_to_show() {
    subscribe(repository, webhook("w", ",'sourceRepo':'" + named(repository) + "'"))
        .statusCode(201)
        .body("", not(hasKey("sourceRepo")));
  }

  @Test
  void a_caller_that_may_not_read_the_source_sees_nothing_of_it() {
    subscribe(repository, watching("w")).statusCode(201);
    anonymous()
        .get(repository + "/subs/w")
        .then()
        .statusCode(200)
        .body("", not(hasKey("sourceRepo")))
        .body("", not(hasKey("shapeName")))
        .body("", not(hasKey("filterJson")));
    anonymous()
        .get(repository + "/subs")
        .then()
        .body("[0]", not(hasKey("sourceRepo")))
        .body("[0]", not(hasKey("shapeName")));
  }

  @Test
  void a_source_that_the_principal_may_not_read_is_not_found() {
    subscribe(repository, webhook("w", ",'sourceRepo':'" + org + "/none'"))
        .statusCode(404)
        .body("code", equalTo("NOT_FOUND"))
        .body("errors[0].pointer", equalTo("/sourceRepo"));
    watch(ofRepositoryAlone()).statusCode(404);
  }

  @Test
  void a_token_that_reads_the_source_only_because_everybody_may_watches_nothing_of_it() {
    admin().body(Map.of("visibility", "public")).patch(source).then().statusCode(200);
    watch(ofRepositoryAlone())
        .statusCode(403)
        .body("detail", containsString("because it is public"));
    subscribe(repository, watching("w")).statusCode(201);
  }

  @Test
  void a_source_of_another_organization_is_refused() {
    var other = Subs.repository();
    subscribe(repository, webhook("w", ",'sourceRepo':'" + named(other) + "'"))
        .statusCode(400)
        .body("errors[0].pointer", equalTo("/sourceRepo"));
    for (var malformed : new String[] {"x", org + "/a/b", org + "/", org + "/UPPER", "-/a"}) {
      subscribe(repository, webhook("w", ",'sourceRepo':'" + malformed + "'"))
          .statusCode(400)
          .body("errors[0].pointer", equalTo("/sourceRepo"));
    }
  }

  @Test
  void the_shape_is_one_of_the_source() {
    Api.commit(repository, "{'operation':'add','kind':'shape','name':'Room','data':{'fields':{}}}");
    subscribe(repository, watching("w").replace("'Sensor'", "'Room'")).statusCode(404);
    Api.commit(source, "{'operation':'add','kind':'shape','name':'Hall','data':{'fields':{}}}");
    subscribe(repository, watching("w").replace("'Sensor'", "'Hall'")).statusCode(201);
  }

  @Test
  void near_names_are_suggested_for_a_missing_shape_of_either_repository() {
    var body = watching("w").replace("'Sensor'", "'%s'");
    Api.commit(repository, "{'operation':'add','kind':'shape','name':'Room','data':{'fields':{}}}");
    Api.commit(source, "{'operation':'add','kind':'shape','name':'Hall','data':{'fields':{}}}");
    subscribe(repository, webhook("w").replace("'Sensor'", "'Rooms'"))
        .statusCode(404)
        .body("errors[0].pointer", equalTo("/shapeName"))
        .body("details.near", contains("Shape/Room"))
        .body("hint", equalTo("Did you mean `Shape/Room`?"));
    subscribe(repository, body.formatted("Halls"))
        .statusCode(404)
        .body("details.near", contains("Shape/Hall"));
    subscribe(repository, body.formatted("Rooms")).statusCode(404).body("", not(hasKey("details")));
    subscribe(repository, body.formatted("Hall")).statusCode(201);
    patch(repository, "w", "{'shapeName':'Hal'}")
        .statusCode(404)
        .body("details.near", contains("Shape/Hall"));
  }

  @Test
  void a_caller_that_may_not_read_the_source_gets_no_names_of_it() {
    Api.commit(source, "{'operation':'add','kind':'shape','name':'Hall','data':{'fields':{}}}");
    subscribe(repository, watching("w")).statusCode(201);
    var pat = ofRepositoryAlone();
    as(pat)
        .body("{\"shapeName\":\"Halls\"}")
        .patch(repository + "/subs/w")
        .then()
        .statusCode(403)
        .body("", not(hasKey("details")));
    as(pat)
        .body(watching("x").replace("'Sensor'", "'Halls'").replace('\'', '"'))
        .post(repository + "/subs")
        .then()
        .statusCode(404)
        .body("errors[0].pointer", equalTo("/sourceRepo"))
        .body("", not(hasKey("details")));
  }

  @Test
  void a_token_that_may_not_read_the_source_cannot_send_it_elsewhere() {
    subscribe(repository, watching("w")).statusCode(201);
    var pat = ofRepositoryAlone();
    as(pat)
        .body("{\"webhookUrl\":\"http://127.0.0.1:8/\"}")
        .patch(repository + "/subs/w")
        .then()
        .statusCode(403);
    as(pat).post(repository + "/subs/w/pause").then().statusCode(200);
    as(pat).post(repository + "/subs/w/resume").then().statusCode(403);
    as(pat).delete(repository + "/subs/w").then().statusCode(200);
  }

  @Test
  void it_is_paused_when_its_principal_leaves() {
    var editor = People.member(org, "editor");
    as(editor.token())
        .body(watching("w").replace('\'', '"'))
        .post(repository + "/subs")
        .then()
        .statusCode(201);
    as(editor.token())
        .body(webhook("own").replace('\'', '"'))
        .post(repository + "/subs")
        .then()
        .statusCode(201);
    subscribe(repository, watching("other")).statusCode(201);
    admin().delete("/api/orgs/" + org + "/members/" + editor.inPath()).then().statusCode(200);
    get(repository, "w").body("active", equalTo(false));
    get(repository, "own").body("active", equalTo(true));
    get(repository, "other").body("active", equalTo(true));
    patch(repository, "w", "{'allowTraceReentry':true}").statusCode(200);
    recover(Api.adminToken(), "w").statusCode(409).body("details.reason", equalTo("source_lost"));
    post(repository, "w", "resume").statusCode(200);
    get(repository, "w")
        .body("active", equalTo(true))
        .body("principal", equalTo(TestDatabase.ADMIN_EMAIL));
    recover(Api.adminToken(), "w").statusCode(200);
  }

  @Test
  void what_acts_in_a_private_repository_for_somebody_who_leaves_is_paused() {
    var editor = People.member(org, "editor");
    for (var body : new String[] {webhook("w"), cron("c", "0 5 * * *", "")}) {
      as(editor.token())
          .body(body.replace('\'', '"'))
          .post(source + "/subs")
          .then()
          .statusCode(201);
    }
    subscribe(source, webhook("other")).statusCode(201);
    admin().delete("/api/orgs/" + org + "/members/" + editor.inPath()).then().statusCode(200);
    get(source, "w").body("active", equalTo(false));
    get(source, "c").body("active", equalTo(false));
    get(source, "other").body("active", equalTo(true));
    admin()
        .get("/api/orgs/" + org + "/audit?limit=3")
        .then()
        .body("items.action", hasItem("member.removed"))
        .body(
            "items.findAll { it.action == 'subscription.paused' }.target",
            containsInAnyOrder("w", "c"))
        .body(
            "items.findAll { it.action == 'subscription.paused' }.actor",
            everyItem(equalTo("cairn")))
        .body(
            "items.findAll { it.action == 'subscription.paused' }.details.reason",
            everyItem(equalTo("access_lost")));
    as(Api.adminToken())
        .body("{\"since\":0}")
        .post(source + "/subs/w/recover")
        .then()
        .statusCode(409)
        .body("details.reason", equalTo("source_lost"));
    post(source, "w", "resume").statusCode(200);
    get(source, "w")
        .body("active", equalTo(true))
        .body("principal", equalTo(TestDatabase.ADMIN_EMAIL));
  }

  /** What it sends names the private repository, and gives a token to report to it. */
  @Test
  void what_watches_a_public_repository_from_a_private_one_is_paused_too() {
    var editor = People.member(org, "editor");
    as(editor.token())
        .body(webhook("w", ",'sourceRepo':'%s'".formatted(named(repository))).replace('\'', '"'))
        .post(source + "/subs")
        .then()
        .statusCode(201);
    admin().delete("/api/orgs/" + org + "/members/" + editor.inPath()).then().statusCode(200);
    get(source, "w").body("active", equalTo(false));
    as(Api.adminToken())
        .body("{\"since\":0}")
        .post(source + "/subs/w/recover")
        .then()
        .statusCode(409)
        .body("details.reason", equalTo("source_lost"));
  }

  private ValidatableResponse recover(String token, String name) {
    return as(token).body("{\"since\":0}").post(repository + "/subs/" + name + "/recover").then();
  }

  @Test
  void runs_are_recovered_only_by_callers_that_may_read_their_content() {
    subscribe(repository, watching("w")).statusCode(201);
    var pat =
        People.pat(
            Api.adminToken(),
            "{'resource':'%s','permissions':['repo:configure','repo:read']}"
                .formatted(named(repository)));
    recover(pat, "w").statusCode(403).body("code", equalTo("FORBIDDEN"));
    recover(Api.adminToken(), "w").statusCode(200);
  }

  @Test
  void a_token_that_reads_a_part_of_the_source_changes_nothing_that_shows_all_of_it() {
    subscribe(repository, watching("w")).statusCode(201);
    var pat =
        People.pat(
            Api.adminToken(),
            ("{'resource':'%s','permissions':['repo:configure','repo:write','repo:read']},"
                    + "{'resource':'%s','permissions':['repo:read'],"
                    + "'allowedMatches':['Sensor/a*']}")
                .formatted(named(repository), named(source)));
    for (var change :
        new String[] {
          "{\"webhookUrl\":\"http://127.0.0.1:8/\"}", "{\"filterJson\":{\"name\":\"x\"}}"
        }) {
      as(pat).body(change).patch(repository + "/subs/w").then().statusCode(403);
    }
    as(pat).post(repository + "/subs/w/resume").then().statusCode(403);
    as(pat).delete(repository + "/subs/w/bind").then().statusCode(403);
    recover(pat, "w").statusCode(403);
  }

  @Test
  void it_is_paused_when_what_it_watches_is_hidden_from_its_principal() {
    admin().body("{\"visibility\":\"public\"}").patch(source).then().statusCode(200);
    var editor = People.member(org, "editor");
    as(editor.token())
        .body(watching("w").replace('\'', '"'))
        .post(repository + "/subs")
        .then()
        .statusCode(201);
    admin().delete("/api/orgs/" + org + "/members/" + editor.inPath()).then().statusCode(200);
    get(repository, "w").body("active", equalTo(true));
    admin().body("{\"visibility\":\"private\"}").patch(source).then().statusCode(200);
    get(repository, "w").body("active", equalTo(false));
  }

  @Test
  void it_is_deleted_with_what_it_watches() {
    subscribe(repository, watching("w")).statusCode(201);
    subscribe(repository, webhook("own")).statusCode(201);
    admin().delete(source).then().statusCode(200);
    admin().get(repository + "/subs").then().body("", hasSize(1)).body("[0].name", equalTo("own"));
    admin()
        .get("/api/orgs/" + org + "/audit")
        .then()
        .rootPath("items.find { it.action == 'subscription.deleted' }")
        .body("target", equalTo("w"))
        .body("actor", equalTo("cairn"))
        .body("details.repository", equalTo(named(repository).split("/", -1)[1]))
        .body("details.reason", equalTo("source_deleted"));
  }
}
