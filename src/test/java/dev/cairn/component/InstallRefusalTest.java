package dev.cairn.component;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.model.CanonicalJson;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/components.md}, Installing: The plan. */
@HttpTest
@QuarkusTest
class InstallRefusalTest {
  private Installs installs;
  private String repository;

  @BeforeEach
  void registerComponent() {
    installs = Installs.registered();
    repository = installs.repository();
  }

  private void commit(String operations) {
    Prepared.commit(repository, operations);
  }

  private void refused(String... reasons) {
    var before = installs.state();
    for (var answer : List.of(installs.plan(), installs.install())) {
      answer
          .statusCode(409)
          .body("code", is("CONFLICT"))
          .body("details.reason", is("not_installable"));
      List<Map<String, String>> refusals = answer.extract().path("details.refusals");
      assertEquals(
          List.of(reasons),
          refusals.stream()
              .map(each -> each.get("kind") + " " + each.get("name") + " " + each.get("reason"))
              .toList());
    }
    // The id of the install is reserved, and nothing else has happened.
    assertEquals(
        before,
        installs.state().stream()
            .filter(row -> before.contains(row) || !row.contains("resolved"))
            .toList());
  }

  private static JsonNode text(String value) {
    return Manifests.json("'" + value + "'");
  }

  @Test
  void a_shape_of_a_person_is_a_refusal_even_if_it_is_equal() {
    commit(
        "{'operation':'add','kind':'shape','name':'Setting','data':{'fields':{'depth':'number'}}}");
    refused("shape Setting name_taken");
    commit("{'operation':'rename','name':'Shape/Setting','newName':'Other'}");
    installs.install().statusCode(201);
  }

  @Test
  void a_shape_of_another_component_is_a_refusal_also_after_its_teardown() {
    var other = Installs.registered().in(repository);
    var id = other.installed();
    other.teardown(id, "{'subscriptions':'delete'}").statusCode(200);
    for (var set : List.of("finder", "other")) {
      admin().delete(repository + "/credential-sets/" + set).then().statusCode(200);
    }
    refused("shape Dependency name_taken", "shape Cycle name_taken", "shape Setting name_taken");
  }

  /** Another organization's component of the same name, which leaves its address. */
  private void leaveAddress() {
    var other = Installs.registered().in(repository);
    var id = other.installed();
    commit(
        "{'operation':'revise','name':'ComponentConfig/cycle-finder',"
            + "'data':{'cliBaseUrl':'https://elsewhere.example'}}");
    other.teardown(id, "{'subscriptions':'delete'}").statusCode(200);
    for (var set : List.of("finder", "other")) {
      admin().delete(repository + "/credential-sets/" + set).then().statusCode(200);
    }
    for (var shape : List.of("Dependency", "Cycle", "Setting")) {
      commit("{'operation':'rename','name':'Shape/%1$s','newName':'Old%1$s'}".formatted(shape));
    }
  }

  @Test
  void an_address_that_a_namesake_from_another_organization_has_left_is_a_refusal() {
    leaveAddress();
    refused("seed ComponentConfig/cycle-finder address_of_other");
    commit("{'operation':'retract','name':'ComponentConfig/cycle-finder'}");
    refused("seed ComponentConfig/cycle-finder address_of_other");
    commit("{'operation':'rename','name':'ComponentConfig/cycle-finder','newName':'former'}");
    installs.install().statusCode(201);
  }

  @Test
  void an_address_that_calls_of_a_namesake_would_go_to_is_a_refusal() {
    var other = Installs.registered().in(repository);
    var least = Registry.publicly(Manifests.least(Installs.NAME, "2.0.0"));
    Registry.put(other.owner(), Installs.NAME, least.put("mintsToken", false)).statusCode(200);
    var id = other.installed();
    refused("seed ComponentConfig/cycle-finder address_of_other");
    other.teardown(id, "{}").statusCode(200);
    installs.install().statusCode(201);
  }

  @Test
  void an_address_is_refused_while_a_namesake_is_being_installed_that_may_write_one() {
    var withoutSeed = Installs.version("8.0.0");
    ((ArrayNode) withoutSeed.get("seeds")).remove(1);
    installs.register(withoutSeed).statusCode(200);
    beginNamesake();
    refused("seed ComponentConfig/cycle-finder address_of_other");
  }

  @Test
  void a_namesake_that_begins_after_the_plan_is_a_refusal() throws Exception {
    Registry.resolve(admin(), installs.owner(), Installs.NAME, repository);
    try (var lock = OwnConnections.dataSource().getConnection()) {
      lock.setAutoCommit(false);
      OwnConnections.execute(
          lock,
          "select pg_advisory_xact_lock(hashtextextended('component installs ' || ?, 0))",
          Api.repoId(repository).toString());
      var refused =
          CompletableFuture.runAsync(
              () ->
                  installs
                      .install()
                      .statusCode(409)
                      .body("details.refusals.reason", contains("address_of_other")),
              Threads.OWN);
      Waiting.awaitWaiter(lock);
      beginNamesake();
      lock.rollback();
      refused.get(30, TimeUnit.SECONDS);
    }
  }

  /** Another organization's component of the same name, whose installation does not end. */
  private void beginNamesake() {
    OwnConnections.database()
        .update(
            """
            insert into component_install
              (repo_id, id, component_id, state, number, created_at, updated_at)
            select ?, gen_random_uuid(), c.id, 'installing', c.newest, now(), now()
            from component c join organization o on o.id = c.org_id
            where o.name = ?
            """,
            Api.repoId(repository),
            Installs.registered().owner());
  }

  @Test
  void a_version_that_begins_to_make_calls_is_refused_the_address_of_a_namesake() {
    leaveAddress();
    var withoutCalls = Installs.version("8.0.0");
    Manifests.set(withoutCalls, "/cli/methods", Manifests.json("[]"));
    Manifests.set(withoutCalls, "/health/requires", Manifests.json("[]"));
    installs.register(withoutCalls).statusCode(200);
    installs.install().statusCode(201);
    installs.register(Installs.version("9.0.0")).statusCode(200);
    refused("seed ComponentConfig/cycle-finder address_of_other");
  }

  @Test
  void everything_that_is_in_the_way_is_told_at_once() {
    commit("{'operation':'add','kind':'shape','name':'Cycle','data':{'fields':{}}}");
    admin().body("{}").put(repository + "/credential-sets/other").then().statusCode(200);
    admin()
        .body(
            """
            {"name":"cycles","kind":"webhook","shapeName":"Cycle","filterJson":{},
             "webhookUrl":"https://finder.example/hook"}\
            """)
        .post(repository + "/subs")
        .then()
        .statusCode(201);
    refused(
        "shape Cycle name_taken",
        "credential-set other name_taken",
        "subscription cycles name_taken");
  }

  @Test
  void what_the_rules_of_content_refuse_is_refused_before_anything_is_changed() {
    installs.register(Manifests.set(Manifests.full(), "/component/version", text("2.0.0")));
    refused("seed Cycle/example refused");
    commit(
        "{'operation':'add','kind':'shape','name':'Node','data':{'fields':{}}},"
            + "{'operation':'add','name':'Node/a','data':{}}");
    var manifest = Installs.version("2.1.0");
    Manifests.set(
        manifest,
        "/seeds/2",
        Manifests.json("{'name':'Cycle/x','about':'Node/a','data':{'length':1}}"));
    installs.register(manifest).statusCode(200);
    refused("seed Cycle/x refused");
  }

  @Test
  void a_url_that_may_not_be_called_is_a_refusal() {
    var manifest = Installs.version("2.0.0");
    Manifests.set(manifest, "/subscriptions/0/webhookUrl", text("https://10.0.0.1/hook"));
    installs.register(manifest).statusCode(200);
    refused("subscription cycles target_forbidden");
  }

  @Test
  void a_credential_set_that_would_replace_the_one_of_others_is_a_refusal() {
    admin()
        .body("{}")
        .put("/api/orgs/" + installs.org() + "/credential-sets/finder")
        .then()
        .statusCode(200);
    commit("{'operation':'add','kind':'shape','name':'Note','data':{'fields':{}}}");
    admin()
        .body(
            """
            {"name":"mine","kind":"webhook","shapeName":"Note","filterJson":{},
             "webhookUrl":"https://finder.example/hook","credentialSetName":"finder"}\
            """)
        .post(repository + "/subs")
        .then()
        .statusCode(201);
    refused("credential-set finder name_bound");
    admin().delete(repository + "/subs/mine/bind").then().statusCode(200);
    installs.install().statusCode(201);
  }

  @Test
  void a_name_that_was_bound_after_the_plan_is_a_refusal() throws Exception {
    var set = Map.of("keys", Map.of("WEBHOOK_BEARER_TOKEN", "secret"));
    admin()
        .body(set)
        .put("/api/orgs/" + installs.org() + "/credential-sets/finder")
        .then()
        .statusCode(200);
    try (var lock = OwnConnections.dataSource().getConnection();
        var settings = OwnConnections.dataSource().getConnection()) {
      lock.setAutoCommit(false);
      settings.setAutoCommit(false);
      // Changes of credential sets of the repository wait.
      OwnConnections.execute(
          lock,
          "select pg_advisory_xact_lock(hashtextextended(?, 0))",
          "credential sets " + Api.repoId(repository));
      var installation = CompletableFuture.supplyAsync(installs::install, Threads.OWN);
      Waiting.awaitWaiter(lock);
      OwnConnections.execute(
          settings,
          """
          update repository
          set settings = '{"notifications":{"credentialSetName":"finder"}}' where id = ?
          """,
          Api.repoId(repository));
      lock.rollback();
      Waiting.awaitWaiter(settings);
      settings.commit();
      installation
          .get(30, TimeUnit.SECONDS)
          .statusCode(409)
          .body("details.reason", is("name_bound"));
    }
    admin().get(repository + "/credential-sets/finder").then().statusCode(404);
  }

  @Test
  void a_set_that_would_sign_calls_of_another_component_is_a_refusal() {
    var called = new CalledComponent(repository).installed();
    admin().delete(repository + "/credential-sets/caller").then().statusCode(200);
    called.set("/api/orgs/" + called.org(), Map.of("CLI_SIGNING_SECRET", CalledComponent.SECRET));
    var org = Api.newOrg();
    var manifest = Manifests.least("other", "1.0.0");
    manifest.set(
        "credentials", Manifests.json("[{'name': 'caller', 'keys': ['CLI_SIGNING_SECRET']}]"));
    Registry.put(org, "other", Registry.publicly(manifest)).statusCode(201);
    admin()
        .body(Map.of("component", org + "/other"))
        .post(repository + "/components")
        .then()
        .statusCode(409)
        .body("details.refusals.reason", contains("name_bound"));
  }

  @Test
  void a_revoked_credential_set_is_a_refusal() {
    installs.installed();
    admin().post(repository + "/credential-sets/finder/revoke").then().statusCode(200);
    refused("credential-set finder revoked");
    admin().delete(repository + "/credential-sets/finder").then().statusCode(200);
    installs.install().statusCode(200);
  }

  @Test
  void what_cannot_be_changed_of_a_subscription_is_a_refusal() {
    installs.installed();
    var manifest = Installs.version("2.0.0");
    Manifests.set(
        manifest,
        "/subscriptions/0",
        Manifests.json(
            "{'name':'cycles','kind':'sprite','shapeName':'Cycle','filterJson':{},"
                + "'spriteConfig':{'command':'true','inputMode':'stdin'}}"));
    installs.register(manifest).statusCode(200);
    refused("subscription cycles cannot_be_changed");
    admin().delete(repository + "/subs/cycles").then().statusCode(200);
    installs.install().statusCode(200);
    admin()
        .get(repository + "/subs/cycles")
        .then()
        .body("kind", is("sprite"))
        .body("shapeName", is("Cycle"));
  }

  @Test
  void a_subscription_of_a_shape_that_nobody_has_is_a_refusal_before_anything_is_done() {
    var id = installs.installed();
    var manifest = Installs.version("2.0.0");
    Manifests.set(manifest, "/subscriptions/0/shapeName", Manifests.json("'Nowhere'"));
    installs.register(manifest).statusCode(200);
    var before = installs.state();
    for (var members : List.of("", ",'dryRun':true")) {
      installs
          .install(Api.adminToken(), members)
          .statusCode(409)
          .body("details.reason", is("not_installable"))
          .body("details.refusals.reason", contains("refused"))
          .body("detail", containsString("Nowhere"));
    }
    assertEquals(before, installs.state());
    Prepared.commit(
        repository, "{'operation':'add','kind':'shape','name':'Nowhere','data':{'fields':{}}}");
    installs.install().statusCode(200).body("installId", is(id));
  }

  @Test
  void a_sprite_with_a_set_that_has_no_variables_for_it_is_a_refusal_before_anything_is_done() {
    installs.installed();
    admin()
        .body("{\"keys\":{\"lower\":\"x\"}}")
        .put(repository + "/credential-sets/other")
        .then()
        .statusCode(200);
    var manifest = Installs.version("2.0.0");
    Manifests.set(
        manifest,
        "/subscriptions/1",
        Manifests.json(
            "{'name':'s','kind':'sprite','on':'Dependency','filter':{},"
                + "'credentialSetName':'other','spriteConfig':{'command':'true','inputMode':'stdin'},"
                + "'tokenScopes':[{'permissions':['repo:read']}]}"));
    installs.register(manifest).statusCode(200);
    var before = installs.state();
    for (var members : List.of("", ",'dryRun':true")) {
      installs
          .install(Api.adminToken(), members)
          .statusCode(409)
          .body("details.refusals.name", contains("s"))
          .body("detail", containsString("`lower`"));
    }
    assertEquals(before, installs.state());
  }

  @Test
  void a_name_that_is_taken_after_the_plan_is_refused_without_the_claim_that_nothing_changed()
      throws Exception {
    Registry.resolve(admin(), installs.owner(), Installs.NAME, repository);
    try (var row = OwnConnections.dataSource().getConnection()) {
      row.setAutoCommit(false);
      OwnConnections.execute(
          row,
          "select from component_install where repo_id = ? for update",
          Api.repoId(repository));
      var installation = CompletableFuture.supplyAsync(installs::install, Threads.OWN);
      Waiting.awaitWaiter(row);
      Prepared.commit(
          repository, "{'operation':'add','kind':'shape','name':'Cycle','data':{'fields':{}}}");
      row.rollback();
      installation
          .get(30, TimeUnit.SECONDS)
          .statusCode(409)
          .body("details.reason", is("not_installable"))
          .body("details.refusals.reason", contains("name_taken"))
          .body("hint", is("Rename or delete what is in the way, and install it again."));
    }
    installs.list(Api.adminToken()).body("state", contains("installing"));
    installs.install().statusCode(409).body("hint", startsWith("Nothing was changed."));
  }

  @Test
  void a_repository_installs_at_most_200_components() {
    var database = OwnConnections.database();
    Registry.fill(database, installs.owner());
    database.update(
        """
        insert into component_version
          (component_id, number, version, manifest, manifest_hash, created_at)
        select c.id, 1, '1.0.0', '{}', sha256('{}'), now()
        from component c join organization o on o.id = c.org_id
        where o.name = ? and c.name like 'filled-%'
        """,
        installs.owner());
    database.update(
        """
        insert into component_install
          (repo_id, id, component_id, state, number, created_at, updated_at)
        select ?, gen_random_uuid(), c.id,
               case when c.name < 'filled-5' then 'installing' else 'installed' end, 1, now(), now()
        from component c join organization o on o.id = c.org_id
        where o.name = ? and c.name like 'filled-%'
        """,
        Api.repoId(repository), installs.owner());
    installs.installed();
    installs.install().statusCode(200);
    var other = Installs.registered().in(repository);
    for (var members : List.of("", ",'dryRun':true")) {
      other
          .install(Api.adminToken(), members)
          .statusCode(409)
          .body("details.reason", is("too_many_components"));
    }
    // Others that are torn down, or only resolved, do not count.
    database.update(
        """
        update component_install set state = 'torn_down' where repo_id = ? and id = (
          select id from component_install where repo_id = ? and state = 'installing' limit 1)
        """,
        Api.repoId(repository),
        Api.repoId(repository));
    other
        .install(Api.adminToken(), "")
        .statusCode(409)
        .body("details.reason", is("not_installable"));
  }

  @Test
  void another_manifest_than_the_expected_one_is_a_conflict() {
    installs
        .install(Api.adminToken(), ",'expectedManifestHash':'" + "0".repeat(64) + "'")
        .statusCode(409)
        .body("details.reason", is("manifest_changed"))
        .body("errors.pointer", contains("/expectedManifestHash"));
    var hash = HexFormat.of().formatHex(CanonicalJson.hash(Installs.manifest()));
    installs.install(Api.adminToken(), ",'expectedManifestHash':'" + hash + "'").statusCode(201);
  }

  @Test
  void the_body_names_a_component_and_a_version_that_exist() {
    for (var body :
        Map.of(
                "{}",
                "/component",
                "{'component':null}",
                "/component",
                "{'component':'name'}",
                "/component",
                "{'component':'a/b/c'}",
                "/component",
                "{'component':'%s','color':1}".formatted(installs.component()),
                "/color",
                "{'component':'%s','dryRun':'yes'}".formatted(installs.component()),
                "/dryRun")
            .entrySet()) {
      admin()
          .body(body.getKey().replace('\'', '"'))
          .post(repository + "/components")
          .then()
          .statusCode(400)
          .body("errors.pointer", contains(body.getValue()));
    }
    installs
        .install(Api.adminToken(), ",'version':'9.9.9'")
        .statusCode(404)
        .body("errors.pointer", contains("/version"));
    admin()
        .body("{\"component\":\"nobody/nothing\"}")
        .post(repository + "/components")
        .then()
        .statusCode(404)
        .body("errors.pointer", contains("/component"));
    installs.list(Api.adminToken()).body("", empty());
  }

  @Test
  void nothing_is_installed_in_an_archived_repository() {
    admin().body("{\"archived\":true}").patch(repository).then().statusCode(200);
    var before = installs.state();
    installs.install().statusCode(409).body("code", is("ARCHIVED"));
    installs.plan().statusCode(409).body("code", is("ARCHIVED"));
    assertEquals(before, installs.state());
  }

  @Test
  void a_component_that_was_deregistered_is_not_installed() {
    installs.installed();
    admin().delete(Registry.path(installs.owner(), Installs.NAME)).then().statusCode(200);
    installs.install().statusCode(404);
    installs
        .list(Api.adminToken())
        .body("version", contains("1.2.0"))
        .body("[0]", not(hasKey("newestVersion")));
  }
}
