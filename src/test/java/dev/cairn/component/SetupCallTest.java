package dev.cairn.component;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.standardwebhooks.Webhook;
import dev.cairn.Api;
import dev.cairn.HeldLock;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.action.Receiver;
import dev.cairn.docs.PageExample;
import dev.cairn.model.Sha256;
import dev.cairn.oauth.Flow;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import dev.cairn.platform.database.Rows;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/components.md}, Setup call. */
@HttpTest
@QuarkusTest
class SetupCallTest {
  private final Database database = OwnConnections.database();
  private final Receiver receiver = new Receiver();
  private CalledComponent component;

  @BeforeEach
  void register() {
    component = new CalledComponent();
  }

  @AfterEach
  void close() {
    receiver.close();
  }

  private void register(String others) {
    component.register(
        CalledComponent.manifest(),
        "{'setupUrl':'%s'%s}".formatted(receiver.url("/setup?key=1"), others));
  }

  private String setUpToken() {
    register("");
    component.setUp().statusCode(200).body("ok", is(true));
    return receiver.only().json().at("/data/setupToken").textValue();
  }

  @Test
  void a_component_without_a_setup_url_needs_no_call() {
    component
        .setUp()
        .statusCode(200)
        .body("ok", is(true))
        .body("skipped", is(true))
        .body("", not(hasKey("status")));
    assertEquals(0, tokens());
  }

  private long tokens() {
    return database
        .first(
            "select count(*) from service_token where install_id = ?",
            row -> row.getLong(1),
            UUID.fromString(component.installId))
        .orElseThrow();
  }

  @Test
  void the_call_tells_of_the_install() throws IOException {
    register("");
    receiver.answering(201, "{\"ready\":[1,null]}");
    component
        .setUp()
        .statusCode(200)
        .body("ok", is(true))
        .body("status", is(201))
        .body("result.ready", contains(1, null))
        .body("", not(hasKey("skipped")));
    var call = receiver.only();
    assertEquals("/setup?key=1", call.path());
    assertEquals("application/json", call.header("Content-Type"));
    assertNull(call.header("webhook-signature"));
    var json = call.json();
    assertEquals("cairn.component.setup", json.path("type").textValue());
    var age = Duration.between(Instant.parse(json.path("timestamp").textValue()), Instant.now());
    assertTrue(age.abs().toMinutes() < 5, age.toString());
    var data = json.path("data");
    assertEquals(
        Manifests.json("{'org':'%s','name':'caller','version':'1.0.0'}".formatted(component.owner)),
        data.path("component"));
    assertEquals(component.installId, data.path("installId").textValue());
    assertEquals(
        Manifests.json("{'orgName':'%s','repoName':'repo'}".formatted(component.org())),
        data.path("repo"));
    assertEquals(component.hash(), data.path("manifestHash").textValue());
    assertTrue(data.path("setupToken").textValue().startsWith("cairn_cmp_"));
    assertEquals("127.0.0.1", URI.create(data.path("apiUrl").textValue()).getHost());
    PageExample.assertShows(
        "docs/components.md, Setup call",
        json,
        "/timestamp",
        "/data/component/org",
        "/data/component/name",
        "/data/installId",
        "/data/repo/orgName",
        "/data/repo/repoName",
        "/data/manifestHash",
        "/data/setupToken",
        "/data/apiUrl");
  }

  @Test
  void it_is_signed_and_authenticated_by_the_set_of_the_components_organization() throws Exception {
    component.set(
        "/api/orgs/" + component.owner,
        Map.of(
            "WEBHOOK_SIGNING_SECRET",
            CalledComponent.SECRET + " " + CalledComponent.OTHER_SECRET,
            "WEBHOOK_BEARER_TOKEN",
            "bearer"));
    component.set(component.repository, Map.of("WEBHOOK_BEARER_TOKEN", "other"));
    register(",'credentialSetName':'caller'");
    component.setUp().statusCode(200).body("ok", is(true));
    var call = receiver.only();
    new Webhook(CalledComponent.SECRET).verify(call.text(), CalledComponent.headers(call));
    new Webhook(CalledComponent.OTHER_SECRET).verify(call.text(), CalledComponent.headers(call));
    assertEquals("Bearer bearer", call.header("Authorization"));
  }

  @Test
  void the_values_of_its_set_are_changed_only_by_whoever_may_name_a_set() {
    var set = "/api/orgs/" + component.owner;
    var name = set + "/credential-sets/caller";
    var configures =
        People.pat(
            Api.adminToken(),
            "{'resource':'%s','permissions':['org:configure']}".formatted(component.owner));
    var keys = Map.of("keys", Map.of("WEBHOOK_BEARER_TOKEN", "another"));
    as(configures).body(keys).put(name).then().statusCode(200);
    register(",'credentialSetName':'caller'");
    as(configures).body(keys).put(name).then().statusCode(403);
    as(configures).body(Map.of("description", "d")).put(name).then().statusCode(200);
    as(configures).delete(name).then().statusCode(200);
    as(configures).body(keys).put(name).then().statusCode(403);
    as(configures).body("{}").put(name).then().statusCode(403);
    component.set(set, Map.of("WEBHOOK_BEARER_TOKEN", "bearer"));
    component.setUp().statusCode(200).body("ok", is(true));
    assertEquals("Bearer bearer", receiver.only().header("Authorization"));
    var path = Registry.path(component.owner, CalledComponent.NAME);
    as(configures).delete(path).then().statusCode(403);
    admin().delete(path).then().statusCode(200);
    as(configures).body(keys).put(name).then().statusCode(200);
  }

  @Test
  void a_setup_token_does_not_outlive_the_token_that_made_the_call() {
    register("");
    var pat = People.pat(Api.adminToken(), null);
    var expiresAt = Instant.now().plusSeconds(60).truncatedTo(ChronoUnit.MILLIS);
    database.update(
        "update personal_access_token set expires_at = ? where hash = ?",
        expiresAt,
        Sha256.of(pat));
    component.setUp(pat, component.installId, component.hash()).statusCode(200);
    var end =
        database
            .first(
                "select expires_at from service_token where install_id = ?",
                row -> Rows.instant(row, "expires_at"),
                UUID.fromString(component.installId))
            .orElseThrow();
    assertEquals(expiresAt, end);
  }

  @Test
  void a_set_that_cannot_be_used_sends_nothing() {
    var set = "/api/orgs/" + component.owner;
    component.set(set, Map.of("WEBHOOK_SIGNING_SECRET", CalledComponent.SECRET));
    register(",'credentialSetName':'caller'");
    admin().body("{}").post(set + "/credential-sets/caller/revoke").then().statusCode(200);
    component
        .setUp()
        .statusCode(409)
        .body("code", is("CONFLICT"))
        .body("details.reason", is("credentials_unavailable"));
    admin().delete(set + "/credential-sets/caller").then().statusCode(200);
    component.setUp().statusCode(409).body("details.reason", is("credentials_unavailable"));
    assertEquals(0, receiver.calls().size());
  }

  @Test
  void a_value_of_somebody_who_may_no_longer_set_it_sends_nothing() {
    var configurer = People.member(component.owner, "admin");
    as(configurer.token())
        .body(Map.of("keys", Map.of("WEBHOOK_BEARER_TOKEN", "t")))
        .put("/api/orgs/" + component.owner + "/credential-sets/caller")
        .then()
        .statusCode(200);
    register(",'credentialSetName':'caller'");
    component.setUp().statusCode(200);
    admin()
        .body(Map.of("role", "viewer"))
        .put("/api/orgs/" + component.owner + "/members/" + configurer.inPath())
        .then()
        .statusCode(200);
    component.setUp().statusCode(409).body("details.reason", is("credentials_unavailable"));
    assertEquals(1, receiver.calls().size());
  }

  @Test
  void nothing_is_sent_once_an_account_that_said_where_may_not_say_so_any_more() {
    component.set("/api/orgs/" + component.owner, Map.of("WEBHOOK_BEARER_TOKEN", "t"));
    var former = People.member(component.owner, "admin");
    registerAs(former.token(), "'setupUrl':'%s'".formatted(receiver.url("/theirs")));
    registerAs(Api.adminToken(), "'credentialSetName':'caller'");
    component.setUp().statusCode(200).body("ok", is(true));
    admin()
        .body(Map.of("role", "editor"))
        .put("/api/orgs/" + component.owner + "/members/" + former.inPath())
        .then()
        .statusCode(200);
    component.setUp().statusCode(409).body("details.reason", is("setup_not_trusted"));
    admin()
        .delete("/api/orgs/" + component.owner + "/members/" + former.inPath())
        .then()
        .statusCode(200);
    component.setUp().statusCode(409).body("details.reason", is("setup_not_trusted"));
    assertEquals(1, receiver.calls().size());
    // Somebody else answers for the same URL.
    registerAs(Api.adminToken(), "'setupUrl':'%s'".formatted(receiver.url("/theirs")));
    component.setUp().statusCode(200).body("ok", is(true));
  }

  private void registerAs(String token, String members) {
    var body = Registry.body(CalledComponent.manifest());
    body.setAll((ObjectNode) Manifests.json("{" + members + "}"));
    Registry.put(as(token), component.owner, CalledComponent.NAME, body).then().statusCode(200);
  }

  @Test
  void the_organization_whose_secrets_are_sent_sees_that_in_its_audit_log() {
    component.set("/api/orgs/" + component.owner, Map.of("WEBHOOK_BEARER_TOKEN", "t"));
    register(",'credentialSetName':'caller'");
    component.setUp().statusCode(200);
    admin()
        .get("/api/orgs/" + component.owner + "/audit")
        .then()
        .body("items[0].action", is("component.setup_called"))
        .body("items[0].details.credentialSetName", is("caller"))
        .body("items[0].details.installRepo", is(component.org() + "/repo"))
        .body("items[0].actor", is("cairn"));
  }

  @Test
  void the_setup_token_works_for_five_minutes_and_for_its_scopes_only() {
    var token = setUpToken();
    as(token).get("/api/whoami").then().statusCode(200).body("kind", is("component"));
    Api.commit(
            component.repository,
            "{'operation':'add','name':'Note','data':{'fields':{}}},"
                + "{'operation':'add','name':'Note/a','data':{}},"
                + "{'operation':'add','name':'Other','data':{'fields':{}}},"
                + "{'operation':'add','name':'Other/a','data':{}}")
        .statusCode(201);
    as(token).get(component.repository + "/things/Note/a").then().statusCode(200);
    as(token).get(component.repository + "/things/Other/a").then().statusCode(404);
    write(token, "Note/mine/a", 201);
    write(token, "Note/other", 403);
    as(token).get(component.repository + "/subs").then().statusCode(403);
    long lifetime =
        database
            .first(
                "select extract(epoch from expires_at - created_at)::bigint from service_token"
                    + " where hash = ?",
                row -> row.getLong(1),
                Sha256.of(token))
            .orElseThrow();
    assertEquals(300, lifetime);
    database.update("update service_token set expires_at = now() where hash = ?", Sha256.of(token));
    as(token).get("/api/whoami").then().statusCode(401);
  }

  @Test
  void the_setup_token_ends_when_its_account_revokes_a_personal_access_token() {
    var token = setUpToken();
    People.pat(Api.adminToken(), null);
    String name = admin().get("/api/pats").path("[0].name");
    as(token).get("/api/whoami").then().statusCode(200);
    admin().delete("/api/pats/" + name).then().statusCode(200);
    as(token).get("/api/whoami").then().statusCode(401);
  }

  private void write(String token, String name, int status) {
    as(token)
        .body(
            "{'operations':[{'operation':'add','name':'%s','data':{}}]}"
                .formatted(name)
                .replace('\'', '"'))
        .post(component.repository + "/commits")
        .then()
        .statusCode(status);
  }

  @Test
  void it_can_be_made_in_each_state_but_after_a_teardown() {
    register("");
    component.setUp().statusCode(200).body("ok", is(true));
    component.interrupted(1);
    component.setUp().statusCode(200).body("ok", is(true));
    Prepared.answer(
        200,
        Api.adminToken(),
        "POST",
        component.repository + "/components",
        Map.of("component", component.owner + "/" + CalledComponent.NAME));
    component.setUp().statusCode(200).body("ok", is(true));
    component.tearDown();
    component.setUp().statusCode(409).body("details.reason", is("torn_down"));
    assertEquals(3, receiver.calls().size());
  }

  /** A connection that holds the row of the install until it is rolled back or closed. */
  private Connection lockedInstall() throws SQLException {
    var row = OwnConnections.dataSource().getConnection();
    row.setAutoCommit(false);
    OwnConnections.execute(
        row,
        "select from component_install where repo_id = ? for update",
        Api.repoId(component.repository));
    return row;
  }

  @Test
  void a_setup_token_that_would_be_minted_after_a_teardown_is_not() throws Exception {
    register("");
    component.installed();
    try (var row = lockedInstall()) {
      var teardown = CompletableFuture.supplyAsync(component::tearDown, Threads.OWN);
      Waiting.awaitWaiter(row);
      var call = CompletableFuture.supplyAsync(component::setUp, Threads.OWN);
      Waiting.awaitWaiters(row, 2);
      row.rollback();
      teardown.get(30, TimeUnit.SECONDS);
      call.get(30, TimeUnit.SECONDS).statusCode(409).body("details.reason", is("torn_down"));
    }
    assertEquals(0, receiver.calls().size());
    assertEquals(0, tokens());
  }

  @Test
  void no_setup_token_is_minted_once_archiving_was_answered() throws Exception {
    register("");
    component.installed();
    HeldLock.afterChange(
            component::setUp,
            "update organization set archived_at = now() where id = ?",
            Api.orgId(Api.repoId(component.repository)))
        .statusCode(409)
        .body("code", is("ARCHIVED"));
    assertEquals(0, tokens());
  }

  @Test
  void a_setup_token_that_is_minted_while_its_personal_access_token_is_revoked_ends()
      throws Exception {
    register("");
    var pat = People.pat(Api.adminToken(), null);
    String name = admin().get("/api/pats").path("[0].name");
    try (var row = lockedInstall()) {
      var call =
          CompletableFuture.supplyAsync(
              () -> component.setUp(pat, component.installId, component.hash()), Threads.OWN);
      Waiting.awaitWaiter(row);
      var revocation =
          CompletableFuture.supplyAsync(
              () -> admin().delete("/api/pats/" + name).statusCode(), Threads.OWN);
      Waiting.awaitWaitersUnless(row, 2, revocation::isDone);
      row.rollback();
      call.get(30, TimeUnit.SECONDS).statusCode(200).body("ok", is(true));
      assertEquals(200, revocation.get(30, TimeUnit.SECONDS));
    }
    assertEquals(0, tokens());
  }

  @Test
  void another_hash_than_the_newest_or_the_installed_one_calls_nothing() {
    register("");
    component.installed();
    var first = component.hash();
    component.register(
        Manifests.set(CalledComponent.manifest(), "/component/version", Manifests.json("'1.1.0'")),
        "{}");
    component.setUp(Api.adminToken(), component.installId, first).statusCode(200);
    assertEquals("1.0.0", receiver.only().json().at("/data/component/version").textValue());
    component.setUp().statusCode(200);
    component.register(
        Manifests.set(CalledComponent.manifest(), "/component/version", Manifests.json("'1.2.0'")),
        "{}");
    var second = receiver.calls().getLast().json().at("/data/manifestHash").textValue();
    component
        .setUp(Api.adminToken(), component.installId, second)
        .statusCode(409)
        .body("code", is("CONFLICT"))
        .body("details.reason", is("manifest_changed"))
        .body("details.manifestHash", is(component.hash()))
        .body("errors.pointer", contains("/expectedManifestHash"));
    assertEquals(2, receiver.calls().size());
  }

  @Test
  void the_install_must_be_that_of_the_repository_and_the_component() {
    register("");
    var other = new CalledComponent();
    for (var id : new String[] {other.installId, "no id", "00000000-0000-0000-0000-000000000000"}) {
      component
          .setUp(Api.adminToken(), id, component.hash())
          .statusCode(404)
          .body("errors.pointer", contains("/installId"));
    }
    for (var body : new String[] {"{'installRepo':'a/b'}", "{'installId':'x'}", "[]", "no JSON"}) {
      admin()
          .body(body.replace('\'', '"'))
          .post(Registry.path(component.owner, CalledComponent.NAME) + "/setup-call")
          .then()
          .statusCode(400)
          .body("code", is("VALIDATION_ERROR"));
    }
    assertEquals(0, receiver.calls().size());
  }

  @Test
  void it_takes_what_its_token_may_do() {
    register("");
    var path = component.repository;
    refused(component.member("viewer"), 403);
    refused(People.stranger().token(), 404);
    refused(
        People.pat(
            component.member("editor"),
            "{'resource':'%s','permissions':['repo:write','org:read']}"
                .formatted(path.substring("/api/repos/".length()))),
        403);
    refused(People.narrowedPat(path, "repo:write", "Note/**"), 403);
    var email = Flow.newAccount();
    admin()
        .body(Map.of("role", "owner"))
        .put("/api/orgs/" + component.org() + "/members/" + email.replace("@", "%40"))
        .then()
        .statusCode(200);
    refused(Flow.programToken(email), 403);
    component
        .setUp(component.member("editor"), component.installId, component.hash())
        .statusCode(200);
    assertEquals(1, receiver.calls().size());
    assertEquals(1, tokens());
  }

  private void refused(String token, int status) {
    component.setUp(token, component.installId, component.hash()).statusCode(status);
  }

  @Test
  void an_archived_repository_is_not_set_up() {
    register("");
    admin().body(Map.of("archived", true)).patch(component.repository).then().statusCode(200);
    component.setUp().statusCode(409).body("code", is("ARCHIVED"));
    assertEquals(0, receiver.calls().size());
  }

  @Test
  void whatever_leaves_no_permission_sends_no_token() {
    component.register(
        Manifests.set(
            Manifests.without(CalledComponent.manifest(), "/runtimeAccess"),
            "/component/version",
            Manifests.json("'1.1.0'")),
        "{'setupUrl':'%s'}".formatted(receiver.url("/")));
    component.setUp().statusCode(200).body("ok", is(true));
    assertFalse(receiver.only().json().path("data").has("setupToken"));
  }

  @Test
  void it_is_in_the_audit_log() {
    register("");
    component.setUp().statusCode(200);
    admin()
        .get("/api/orgs/" + component.org() + "/audit")
        .then()
        .body("items.action", hasItem("component.setup_called"))
        .body("items[0].target", is(component.owner + "/caller"))
        .body("items[0].details.repository", is("repo"))
        .body("items[0].details.version", is("1.0.0"))
        .body("items[0].actor", notNullValue());
  }
}
