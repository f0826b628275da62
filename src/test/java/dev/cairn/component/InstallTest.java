package dev.cairn.component;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.Api;
import dev.cairn.AtOnce;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.model.CanonicalJson;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/components.md}, Installing. */
@HttpTest
@QuarkusTest
class InstallTest {
  private Installs installs;
  private String repository;

  @BeforeEach
  void registerComponent() {
    installs = Installs.registered();
    repository = installs.repository();
  }

  private static String record(String installId) {
    return "ComponentInstall/" + installId;
  }

  private List<String> all(String installId, String action) {
    return List.of(
        "shape Dependency " + action,
        "shape Cycle " + action,
        "shape Setting " + action,
        "seed Setting/default " + action,
        "seed ComponentConfig/cycle-finder " + action,
        "record " + record(installId) + " " + action,
        "credential-set finder " + action,
        "credential-set other " + action,
        "subscription cycles " + action,
        "token cycle-finder " + action);
  }

  private ValidatableResponse thing(String wref) {
    return admin().get(repository + "/things/" + wref).then();
  }

  private void commit(String operations) {
    Prepared.commit(repository, operations);
  }

  private static JsonNode text(String value) {
    return Manifests.json("'" + value + "'");
  }

  @Test
  void everything_that_the_manifest_names_is_made() {
    var manifest = Installs.manifest();
    var answer =
        installs
            .install()
            .statusCode(201)
            .body("component", is(installs.component()))
            .body("version", is("1.2.0"))
            .body("manifestHash", is(HexFormat.of().formatHex(CanonicalJson.hash(manifest))))
            .body("commitId", notNullValue())
            .body("repoSeq", is(1))
            .body("token", startsWith("cairn_cmp_"))
            .body("tokenExpiresAt", notNullValue());
    String id = answer.extract().path("installId");
    assertEquals(all(id, "create"), Installs.actions(answer));
    thing("Shape/Cycle").body("data.fields.length", is("number")).body("version", is(1));
    thing("Setting/default").body("data.depth", is(10));
    thing("ComponentConfig/cycle-finder").body("data.cliBaseUrl", is("https://finder.example"));
    thing(record(id))
        .body("data.component", is(installs.component()))
        .body("data.version", is("1.2.0"))
        .body("data.manifestHash", is(answer.extract().<String>path("manifestHash")))
        .body("data.shapes", contains("Shape/Dependency@v1", "Shape/Cycle@v1", "Shape/Setting@v1"));
    admin()
        .get(repository + "/credential-sets/finder")
        .then()
        .statusCode(200)
        .body("description", is("Of the server"))
        .body("keyNames", empty());
    admin()
        .get(repository + "/subs/cycles")
        .then()
        .statusCode(200)
        .body("active", is(true))
        .body("webhookUrl", is("https://finder.example/hook"))
        .body("credentialSetName", is("finder"));
    admin()
        .get(repository + "/commits")
        .then()
        .body("items.message", contains("Install " + installs.component() + " 1.2.0"));
    as(answer.extract().path("token"))
        .get("/api/whoami")
        .then()
        .body("kind", is("component"))
        .body("token.name", is(installs.component()));
    installs
        .list(Api.adminToken())
        .statusCode(200)
        .body("installId", contains(id))
        .body("component", contains(installs.component()))
        .body("version", contains("1.2.0"))
        .body("state", contains("installed"))
        .body("installedBy", contains(notNullValue()))
        .body("newestVersion", contains("1.2.0"));
    admin()
        .get("/api/orgs/" + installs.org() + "/audit")
        .then()
        .body("items[0].action", is("component.installed"))
        .body("items[0].target", is(installs.component()))
        .body("items[0].details.version", is("1.2.0"));
  }

  @Test
  void a_dry_run_plans_what_is_done_and_changes_nothing() {
    var before = installs.state();
    var plan = installs.plan().statusCode(200).body("", not(hasKey("installId")));
    plan.body("", not(hasKey("token"))).body("", not(hasKey("commitId")));
    assertEquals(before, installs.state());
    installs.list(Api.adminToken()).body("", empty());
    Registry.resolve(admin(), installs.owner(), Installs.NAME, repository);
    var planned = installs.plan().statusCode(200).body("installId", notNullValue());
    var done = installs.install().statusCode(201);
    assertEquals(Installs.actions(planned), Installs.actions(done));
    assertEquals(
        planned.extract().<String>path("installId"), done.extract().<String>path("installId"));
    var installed = installs.state();
    var again = installs.plan().statusCode(200);
    assertEquals(all(again.extract().path("installId"), "leave"), Installs.actions(again));
    assertEquals(installed, installs.state());
  }

  @Test
  void installing_again_leaves_what_is_as_it_should_be() {
    var id = installs.installed();
    var before = installs.state();
    var again =
        installs
            .install()
            .statusCode(200)
            .body("", not(hasKey("commitId")))
            .body("", not(hasKey("token")));
    assertEquals(all(id, "leave"), Installs.actions(again));
    assertEquals(before, installs.state());
  }

  @Test
  void installing_again_reconciles_what_people_have_changed_and_deletes_nothing() {
    var id = installs.installed();
    var before = installs.state();
    commit(
        "{'operation':'revise','name':'Shape/Cycle','data':{'fields':{'other':'string?'}}},"
            + "{'operation':'retract','name':'Shape/Setting'},"
            + "{'operation':'revise','name':'Setting/default','data':{'depth':3}},"
            + "{'operation':'add','name':'Dependency/a','data':{'from':'a','to':'b'}}");
    admin().delete(repository + "/credential-sets/other").then().statusCode(200);
    admin()
        .body("{\"webhookUrl\":\"https://elsewhere.example/\",\"notifyOnSuccess\":true}")
        .patch(repository + "/subs/cycles")
        .then()
        .statusCode(200);
    admin().delete(repository + "/subs/cycles/bind").then().statusCode(200);
    admin().post(repository + "/subs/cycles/pause").then().statusCode(200);
    var planned = installs.plan().statusCode(200);
    var done = installs.install().statusCode(200).body("commitId", notNullValue());
    assertEquals(Installs.actions(planned), Installs.actions(done));
    assertEquals(
        List.of(
            "shape Dependency leave",
            "shape Cycle change",
            "shape Setting change",
            "seed Setting/default leave",
            "seed ComponentConfig/cycle-finder leave",
            "record " + record(id) + " leave",
            "credential-set finder leave",
            "credential-set other create",
            "subscription cycles change",
            "token cycle-finder leave"),
        Installs.actions(done));
    thing("Shape/Cycle").body("data.fields.length", is("number"));
    thing("Shape/Setting").body("active", is(true));
    thing("Setting/default").body("data.depth", is(3));
    thing("Dependency/a").statusCode(200);
    admin()
        .get(repository + "/subs/cycles")
        .then()
        .body("active", is(true))
        .body("webhookUrl", is("https://finder.example/hook"))
        .body("notifyOnSuccess", is(false))
        .body("credentialSetName", is("finder"));
    admin().delete(repository + "/subs/cycles").then().statusCode(200);
    assertTrue(Installs.actions(installs.install()).contains("subscription cycles create"));
    assertEquals(all(id, "leave"), Installs.actions(installs.plan()));
    assertEquals(before.size() + 1, installs.state().size());
  }

  @Test
  void the_one_who_installs_again_becomes_the_principal_of_one_whose_account_has_left() {
    var admin = People.member(installs.org(), "admin");
    installs.install(admin.token(), "").statusCode(201);
    admin()
        .delete("/api/orgs/" + installs.org() + "/members/" + admin.inPath())
        .then()
        .statusCode(200);
    var again = installs.install().statusCode(200).body("token", startsWith("cairn_cmp_"));
    assertTrue(Installs.actions(again).contains("subscription cycles change"));
    assertTrue(Installs.actions(again).contains("token cycle-finder create"));
    admin().get(repository + "/subs/cycles").then().body("principal", not(is(admin.email())));
  }

  @Test
  void another_version_is_an_upgrade_with_the_same_id() {
    var id = installs.installed();
    commit("{'operation':'add','name':'Dependency/a','data':{'from':'a','to':'b'}}");
    var manifest = Installs.version("2.0.0");
    Manifests.set(
        manifest,
        "/shapes/0/data/fields",
        Manifests.json("{'from':'string','to':'string','weight':'number?'}"));
    Manifests.set(manifest, "/shapes/2", Manifests.json("{'name':'Extra','data':{'fields':{}}}"));
    Manifests.set(manifest, "/seeds/0", Manifests.json("{'name':'Extra/one','data':{}}"));
    Manifests.set(manifest, "/health/requires/0/wref", text("Extra/one"));
    Manifests.set(manifest, "/subscriptions/0/filterJson", Manifests.json("{'operation':['add']}"));
    installs.register(manifest).statusCode(200);
    installs.list(Api.adminToken()).body("newestVersion", contains("2.0.0"));
    var upgrade =
        installs.install().statusCode(200).body("installId", is(id)).body("version", is("2.0.0"));
    assertEquals(
        List.of(
            "shape Dependency change",
            "shape Cycle leave",
            "shape Extra create",
            "seed Extra/one create",
            "seed ComponentConfig/cycle-finder leave",
            "record " + record(id) + " change",
            "credential-set finder leave",
            "credential-set other leave",
            "subscription cycles change",
            "token cycle-finder leave",
            "shape Setting leave"),
        Installs.actions(upgrade));
    thing("Shape/Dependency").body("version", is(2));
    thing("Shape/Setting").body("active", is(true));
    thing(record(id))
        .body("data.version", is("2.0.0"))
        .body(
            "data.shapes.collect { it.replaceAll('@v.*', '') }",
            containsInAnyOrder("Shape/Dependency", "Shape/Cycle", "Shape/Setting", "Shape/Extra"));
    // The way back: the shape that the newer version has dropped still belongs to the component.
    installs
        .install(Api.adminToken(), ",'version':'1.2.0'")
        .statusCode(200)
        .body("version", is("1.2.0"));
    installs
        .list(Api.adminToken())
        .body("version", contains("1.2.0"))
        .body("newestVersion", contains("2.0.0"));
  }

  @Test
  void a_component_that_is_deregistered_during_its_installation_is_not_installed()
      throws Exception {
    var repoId = Api.repoId(repository);
    Registry.resolve(admin(), installs.owner(), Installs.NAME, repository);
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
      Eventually.await(
          "the installation has begun",
          () ->
              installs
                  .list(Api.adminToken())
                  .extract()
                  .path("state")
                  .equals(List.of("installing")));
      admin().delete(Registry.path(installs.owner(), Installs.NAME)).then().statusCode(200);
      head.rollback();
      installation
          .get(30, TimeUnit.SECONDS)
          .statusCode(409)
          .body("details.reason", is("deregistered"));
    }
    String id = installs.list(Api.adminToken()).extract().path("[0].installId");
    installs.teardown(id, "{}").statusCode(200);
  }

  @Test
  void a_shape_that_was_renamed_still_belongs_to_the_component() {
    installs.installed();
    commit("{'operation':'rename','name':'Shape/Dependency','newName':'Edge'}");
    var again = installs.install().statusCode(200);
    assertTrue(Installs.actions(again).contains("shape Dependency create"));
    assertTrue(Installs.actions(again).contains("subscription cycles change"));
    commit(
        "{'operation':'rename','name':'Shape/Dependency','newName':'Third'},"
            + "{'operation':'rename','name':'Shape/Edge','newName':'Dependency'}");
    installs.install().statusCode(200);
  }

  @Test
  void installations_at_once_end_in_one_state() {
    var body = "{\"component\":\"%s\"}".formatted(installs.component());
    var statuses =
        AtOnce.statuses(
            4, _ -> Prepared.status(Api.adminToken(), "POST", repository + "/components", body));
    assertTrue(
        statuses.stream().allMatch(status -> status == 200 || status == 201), statuses::toString);
    var again = installs.install().statusCode(200);
    var alone = Installs.registered();
    alone.installed();
    assertEquals(alone.state(), installs.state());
    assertEquals(
        all(again.extract().path("installId"), "leave"), Installs.actions(installs.plan()));
  }

  @Test
  void a_component_without_parts_is_installed_too() {
    var owner = Api.newOrg();
    Registry.put(owner, "least", Registry.publicly(Manifests.least("least", "1.0.0")));
    admin()
        .body("{\"component\":\"%s/least\"}".formatted(owner))
        .post(repository + "/components")
        .then()
        .statusCode(201)
        .body("plan.kind", contains("record"))
        .body("", not(hasKey("token")));
  }

  @Test
  void all_kinds_of_subscriptions_are_compared_with_the_manifest() {
    var manifest = Installs.version("2.0.0");
    Manifests.set(
        manifest,
        "/subscriptions",
        Manifests.json(
            """
            [{'name': 'nightly', 'kind': 'cron', 'executor': 'webhook', 'active': false,
              'url': 'https://finder.example/nightly', 'allowTraceReentry': true,
              'cronConfig': {'cronspec': '30 2 * * MON-FRI'}},
             {'name': 'repair', 'kind': 'sprite', 'on': 'Dependency', 'filter': {'not': {'operation': 'retract'}},
              'spriteConfig': {'command': 'true', 'inputMode': 'stdin', 'tokenTtlMinutes': 15},
              'tokenScopes': [{'permissions': ['repo:read']}], 'workspacePolicy': 'include'}]\
            """));
    installs.register(manifest).statusCode(200);
    installs.installed();
    installs
        .plan()
        .body("plan.findAll { it.kind == 'subscription' }", hasSize(2))
        .body("plan.action", everyItem(is("leave")));
    admin()
        .body("{\"cronConfig\":{\"timezone\":\"Europe/Berlin\"}}")
        .patch(repository + "/subs/nightly")
        .then()
        .statusCode(200);
    admin()
        .body("{\"spriteConfig\":{\"tokenTtlMinutes\":null,\"spriteName\":\"elsewhere\"}}")
        .patch(repository + "/subs/repair")
        .then()
        .statusCode(200);
    var done = installs.install().statusCode(200);
    assertTrue(Installs.actions(done).contains("subscription nightly change"));
    assertTrue(Installs.actions(done).contains("subscription repair change"));
    installs.plan().body("plan.action", everyItem(is("leave")));
    admin().get(repository + "/subs/nightly").then().body("active", is(false));
    assertEquals(
        List.of(true),
        OwnConnections.database()
            .list(
                "select sprite_container is null from subscription where repo_id = ? and kind = ?",
                row -> row.getBoolean(1),
                Api.repoId(repository),
                "sprite"));
  }
}
