package dev.cairn.component;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.action.Receiver;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/components.md}, Doctor. */
@HttpTest
@QuarkusTest
class DoctorTest {
  private static final String SECRET = "whsec_" + "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB";

  private final Database database = OwnConnections.database();
  private final Receiver server = new Receiver();

  private Installs installs;
  private String id;

  @BeforeEach
  void install() {
    installs = Installs.registered();
    id = installs.installed();
    put("finder", "{'CLI_SIGNING_SECRET':'%1$s','WEBHOOK_SIGNING_SECRET':'%1$s'}");
    put("other", "{'OTHER_KEY':'value'}");
    commit(
        "{'operation':'revise','name':'ComponentConfig/cycle-finder','data':{'cliBaseUrl':'%s'}}"
            .formatted(server.url("")));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void put(String set, String keys) {
    admin()
        .body("{'keys':%s}".formatted(keys.formatted(SECRET)).replace('\'', '"'))
        .put(installs.repository() + "/credential-sets/" + set)
        .then()
        .statusCode(200);
  }

  private void commit(String operations) {
    Prepared.commit(installs.repository(), operations);
  }

  private ValidatableResponse healthy() {
    return installs
        .doctor(id)
        .statusCode(200)
        .body("checks.findAll { !it.ok }", is(List.of()))
        .body("healthy", is(true));
  }

  /** The checks that fail, each of which says what to do. */
  private List<String> failing() {
    var answer = installs.doctor(id).statusCode(200).body("healthy", is(false));
    answer.body("checks.findAll { !it.ok }.detail", everyItem(notNullValue()));
    answer.body("checks.findAll { !it.ok }.fix", everyItem(notNullValue()));
    List<Map<String, Object>> failed = answer.extract().path("checks.findAll { !it.ok }");
    return failed.stream().map(check -> check.get("kind") + " " + check.get("name")).toList();
  }

  private String fix(String kind) {
    return installs
        .doctor(id)
        .extract()
        .path("checks.find { it.kind == '%s' && !it.ok }.fix".formatted(kind));
  }

  @Test
  void a_component_with_everything_is_healthy() {
    var before = installs.state();
    var checks =
        healthy().extract().<List<Map<String, Object>>>path("checks").stream()
            .map(check -> check.get("kind") + " " + check.get("name"))
            .toList();
    assertEquals(
        List.of(
            "install " + id,
            "registration " + installs.component(),
            "version 1.2.0",
            "record ComponentInstall/" + id,
            "shape Dependency",
            "shape Cycle",
            "shape Setting",
            "seed Setting/default",
            "seed ComponentConfig/cycle-finder",
            "credential-set finder",
            "credential-set other",
            "subscription cycles",
            "token cycle-finder",
            "address ComponentConfig/cycle-finder",
            "requirement Setting/default",
            "requirement /health"),
        checks);
    assertEquals("/health", server.only().path());
    assertEquals(before, installs.state());
    // It has no credentials, and does not tell where the component is installed.
    assertEquals(Set.of("Connection", "Host", "User-agent"), server.only().headers().keySet());
  }

  @Test
  void an_address_that_differs_from_the_one_in_the_manifest_is_told_and_no_fault() {
    var detail = "checks.find { it.kind == 'address' }.detail";
    healthy()
        .body(
            detail,
            is("It is `%s`, which is not the one in the manifest.".formatted(server.url(""))));
    // The version that is installed counts, with or without a slash.
    var manifest = Installs.version("2.0.0");
    var seeded = "'%s'".formatted(server.url("/"));
    Manifests.set(manifest, "/seeds/1/data/cliBaseUrl", Manifests.json(seeded));
    installs.register(manifest).statusCode(200);
    healthy().body(detail, notNullValue());
    installs.install().statusCode(200);
    healthy().body(detail, nullValue());
    // A manifest that seeds none has nothing to differ from.
    manifest = Installs.version("3.0.0");
    Manifests.set(manifest, "/seeds/1/data", Manifests.json("{}"));
    installs.register(manifest).statusCode(200);
    installs.install().statusCode(200);
    healthy().body(detail, nullValue());
  }

  @Test
  void shapes_must_be_there_active_and_as_the_manifest_says() {
    commit("{'operation':'revise','name':'Shape/Cycle','data':{'fields':{}}}");
    commit("{'operation':'retract','name':'Shape/Dependency'}");
    assertEquals(List.of("shape Dependency", "shape Cycle"), failing());
    installs.install().statusCode(200);
    healthy();
    commit("{'operation':'rename','name':'Shape/Dependency','newName':'Edge'}");
    assertEquals(List.of("shape Dependency", "subscription cycles"), failing());
    commit("{'operation':'add','kind':'shape','name':'Dependency','data':{'fields':{}}}");
    assertEquals(List.of("shape Dependency", "subscription cycles"), failing());
    assertEquals("Rename that shape, and install the component again.", fix("shape"));
  }

  @Test
  void seeds_and_required_entities_must_be_there_and_active() {
    commit("{'operation':'retract','name':'Setting/default'}");
    assertEquals(List.of("seed Setting/default", "requirement Setting/default"), failing());
    assertEquals("Restore it: revise it with `active: true`.", fix("seed"));
    commit("{'operation':'revise','name':'Setting/default','active':true}");
    healthy();
    commit("{'operation':'rename','name':'Setting/default','newName':'other'}");
    assertEquals(List.of("seed Setting/default", "requirement Setting/default"), failing());
    installs.install().statusCode(200);
    healthy();
  }

  @Test
  void credential_sets_must_be_there_with_values_that_count() {
    put("finder", "{'CLI_SIGNING_SECRET':null}");
    assertEquals(List.of("credential-set finder"), failing());
    installs.doctor(id).body("checks.find { !it.ok }.detail", containsString("CLI_SIGNING_SECRET"));
    var colleague = People.member(installs.org(), "admin");
    as(colleague.token())
        .body("{\"keys\":{\"CLI_SIGNING_SECRET\":\"%s\"}}".formatted(SECRET))
        .put(installs.repository() + "/credential-sets/finder")
        .then()
        .statusCode(200);
    healthy();
    admin()
        .body(Map.of("role", "editor"))
        .put("/api/orgs/" + installs.org() + "/members/" + colleague.inPath())
        .then()
        .statusCode(200);
    assertEquals(List.of("credential-set finder"), failing());
    admin().post(installs.repository() + "/credential-sets/other/revoke").then().statusCode(200);
    admin().delete(installs.repository() + "/credential-sets/finder").then().statusCode(200);
    assertEquals(List.of("credential-set finder", "credential-set other"), failing());
    put("finder", "{}");
    assertEquals("Delete that set, and install the component again.", fix("credential-set"));
  }

  @Test
  void subscriptions_must_be_there_active_and_as_the_manifest_says() {
    var subscription = installs.repository() + "/subs/cycles";
    admin().post(subscription + "/pause").then().statusCode(200);
    assertEquals(List.of("subscription cycles"), failing());
    assertEquals("Resume it, or install the component again.", fix("subscription"));
    admin().post(subscription + "/resume").then().statusCode(200);
    healthy();
    admin().body("{\"notifyOnSuccess\":true}").patch(subscription).then().statusCode(200);
    assertEquals(List.of("subscription cycles"), failing());
    admin().delete(subscription).then().statusCode(200);
    assertEquals(List.of("subscription cycles"), failing());
    installs.install().statusCode(200);
    healthy();
  }

  @Test
  void the_token_must_be_alive_for_thirty_days() {
    expire("30 days 1 hour");
    healthy();
    expire("29 days 23 hours");
    assertEquals(List.of("token cycle-finder"), failing());
    expire("-1 second");
    assertEquals(List.of("token cycle-finder"), failing());
    installs.rotate(id).statusCode(200);
    healthy();
  }

  @Test
  void the_token_must_be_for_what_the_installed_version_needs() {
    var manifest = Installs.version("2.0.0");
    Manifests.set(manifest, "/runtimeAccess/writes/0", Manifests.json("'Cycle/found/**'"));
    installs.register(manifest).statusCode(200);
    healthy();
    installs.install().statusCode(200);
    assertEquals(List.of("token cycle-finder"), failing());
    installs.rotate(id).statusCode(200);
    healthy();
  }

  @Test
  void the_token_must_act_for_an_account_that_may_do_what_it_is_for() {
    var colleague = People.member(installs.org(), "admin");
    as(colleague.token()).post(installs.path(id, "/token")).then().statusCode(200);
    healthy();
    admin()
        .body(Map.of("role", "viewer"))
        .put("/api/orgs/" + installs.org() + "/members/" + colleague.inPath())
        .then()
        .statusCode(200);
    assertEquals(List.of("token cycle-finder"), failing());
    installs.rotate(id).statusCode(200);
    healthy();
  }

  @Test
  void what_an_earlier_version_made_must_not_work_any_more() {
    var manifest = Installs.version("2.0.0");
    Manifests.set(manifest, "/subscriptions/0/name", Manifests.json("'renamed'"));
    Manifests.set(manifest, "/credentials/1/name", Manifests.json("'third'"));
    Manifests.set(manifest, "/shapes/2/name", Manifests.json("'Option'"));
    Manifests.set(manifest, "/seeds/0/name", Manifests.json("'Option/default'"));
    installs.register(manifest).statusCode(200);
    var plan = Installs.actions(installs.install().statusCode(200));
    assertEquals(
        List.of("shape Setting leave", "credential-set other leave", "subscription cycles leave"),
        plan.subList(plan.size() - 3, plan.size()));
    put("third", "{'OTHER_KEY':'value'}");
    assertEquals(List.of("credential-set other", "subscription cycles"), failing());
    admin().post(installs.repository() + "/subs/cycles/pause").then().statusCode(200);
    admin().post(installs.repository() + "/credential-sets/other/revoke").then().statusCode(200);
    healthy();
  }

  @Test
  void the_record_must_be_active_and_of_the_installed_version() {
    database.update(
        "update component_install set state = 'torn_down', complete_number = null where id ="
            + " ?::uuid",
        id);
    assertTrue(failing().contains("install " + id));
    assertEquals("Repeat the teardown, or install the component again.", fix("install"));
    installs.teardown(id, "{'subscriptions':'pause'}").statusCode(200);
    assertEquals("Install the component again.", fix("install"));
    database.update("update component_install set state = 'installed' where id = ?::uuid", id);
    assertTrue(failing().contains("record ComponentInstall/" + id));
    installs.install().statusCode(200);
    installs.register(Installs.version("2.0.0")).statusCode(200);
    database.update("update component_install set number = 2 where id = ?::uuid", id);
    assertEquals(List.of("record ComponentInstall/" + id), failing());
    installs.install().statusCode(200);
    healthy();
  }

  private void expire(String in) {
    database.update(
        "update service_token set expires_at = now() + ?::interval where repo_id = ?",
        in,
        Api.repoId(installs.repository()));
  }

  @Test
  void a_newer_version_is_told_and_no_fault() {
    installs.register(Installs.version("2.0.0")).statusCode(200);
    var told = is("There is a newer version: `2.0.0`.");
    healthy().body("checks.find { it.kind == 'version' }.detail", told);
    as(People.member(installs.org(), "admin").token())
        .post(installs.path(id, "/doctor"))
        .then()
        .statusCode(200)
        .body("checks.find { it.kind == 'version' }.detail", told);
  }

  @Test
  void a_newer_version_of_a_private_component_is_told_to_its_members_only() {
    var owner = installs.owner();
    var body = Registry.body(Installs.version("2.0.0")).put("visibility", "private");
    Registry.put(owner, Installs.NAME, body).statusCode(200);
    var outsider = People.member(installs.org(), "admin");
    as(outsider.token())
        .post(installs.path(id, "/doctor"))
        .then()
        .statusCode(200)
        .body("checks.find { it.kind == 'version' }.detail", nullValue());
    healthy()
        .body(
            "checks.find { it.kind == 'version' }.detail",
            is("There is a newer version: `2.0.0`."));
  }

  @Test
  void the_installation_must_be_complete_and_the_component_registered() {
    database.update("update component_install set state = 'installing' where id = ?::uuid", id);
    assertEquals(List.of("install " + id), failing());
    database.update("update component_install set state = 'installed' where id = ?::uuid", id);
    admin().delete(Registry.path(installs.owner(), Installs.NAME)).then().statusCode(200);
    assertEquals(List.of("registration " + installs.component()), failing());
    installs.teardown(id, "{'subscriptions':'pause'}").statusCode(200);
    assertEquals(
        List.of("install " + id, "registration " + installs.component(), "subscription cycles"),
        failing());
  }

  @Test
  void its_server_must_answer_with_success() {
    for (int status : List.of(302, 404, 500)) {
      server.answering(status);
      assertEquals(List.of("requirement /health"), failing());
      installs
          .doctor(id)
          .body(
              "checks.find { !it.ok }.detail",
              is("It was answered with the status %d.".formatted(status)));
    }
    server.answering(204);
    healthy();
    server.close();
    assertEquals(List.of("requirement /health"), failing());
  }

  @Test
  void all_paths_of_a_server_that_hangs_fail_after_the_time_of_one() {
    var paths =
        IntStream.range(0, 11)
            .mapToObj("{'path':'/health/%d'}"::formatted)
            .collect(Collectors.joining(",", "[", "]"));
    var manifest = Installs.version("2.0.0");
    Manifests.set(manifest, "/health/requires", Manifests.json(paths));
    installs.register(manifest).statusCode(200);
    installs.install().statusCode(200);
    var hold = new CountDownLatch(1);
    server.answering(
        _ -> {
          hold.await();
          return Receiver.status(200);
        });
    List<String> details =
        installs.doctor(id).statusCode(200).extract().path("checks.findAll { !it.ok }.detail");
    assertEquals(11, details.size());
    assertEquals(
        1,
        details.stream()
            .filter("It was not called: other paths took all of the time."::equals)
            .count());
    hold.countDown();
  }

  @Test
  void its_server_is_called_only_where_somebody_who_may_configure_has_put_it() {
    var before = server.calls().size();
    var editor = People.member(installs.org(), "editor");
    as(editor.token())
        .body(
            "{'operations':[{'operation':'revise','name':'ComponentConfig/cycle-finder','data':{'cliBaseUrl':'%s/moved'}}]}"
                .formatted(server.url(""))
                .replace('\'', '"'))
        .post(installs.repository() + "/commits")
        .then()
        .statusCode(201);
    var address = "address ComponentConfig/cycle-finder";
    assertEquals(List.of(address, "requirement /health"), failing());
    assertEquals(before, server.calls().size());
    commit(
        "{'operation':'revise','name':'ComponentConfig/cycle-finder','data':{'cliBaseUrl':'https://10.0.0.1'}}");
    assertEquals(List.of("requirement /health"), failing());
    commit("{'operation':'revise','name':'ComponentConfig/cycle-finder','data':{}}");
    assertEquals(List.of(address, "requirement /health"), failing());
  }

  @Test
  void it_takes_repo_configure() {
    var path = installs.path(id, "/doctor");
    as(People.member(installs.org(), "editor").token()).post(path).then().statusCode(403);
    as(People.narrowedPat(installs.repository(), "repo:configure"))
        .post(path)
        .then()
        .statusCode(403);
    Api.anonymous().post(path).then().statusCode(401);
    as(People.member(installs.org(), "admin").token()).post(path).then().statusCode(200);
    for (var absent : List.of("01890000-0000-7000-8000-000000000000", "nonsense")) {
      installs.doctor(absent).statusCode(404);
    }
  }
}
