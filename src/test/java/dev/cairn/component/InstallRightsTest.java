package dev.cairn.component;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.oauth.Flow;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/components.md}, Installing: who may. */
@HttpTest
@QuarkusTest
class InstallRightsTest {
  private Installs installs;
  private String repository;

  @BeforeEach
  void registerComponent() {
    installs = Installs.registered();
    repository = installs.repository();
  }

  private static String pat(List<String> permissions) {
    return People.pat(
        Api.adminToken(), "{'permissions':['%s']}".formatted(String.join("','", permissions)));
  }

  @Test
  void it_takes_read_write_and_configure_for_the_whole_repository() {
    var all = List.of("repo:read", "repo:write", "repo:configure");
    for (var missing : all) {
      var rest = new ArrayList<>(all);
      rest.remove(missing);
      var token = pat(rest);
      installs
          .install(token, "")
          .statusCode(403)
          .body("code", is("FORBIDDEN"))
          .body("detail", containsString(missing));
    }
    var narrowed =
        People.pat(
            Api.adminToken(),
            "{'resource':'%s','permissions':['repo:read','repo:write','repo:configure'],'allowedMatches':['Cycle/**']}"
                .formatted(repository.substring("/api/repos/".length())));
    installs.install(narrowed, "").statusCode(403);
    installs.install(People.member(installs.org(), "editor").token(), "").statusCode(403);
    installs.install(People.member(installs.org(), "viewer").token(), "").statusCode(403);
    installs.install(People.stranger().token(), "").statusCode(403);
    Api.anonymous().body("{}").post(repository + "/components").then().statusCode(401);
    installs
        .in(Api.newRepository("private"))
        .install(People.stranger().token(), "")
        .statusCode(404);
    installs.list(Api.adminToken()).body("", empty());
    installs.install(pat(all), "").statusCode(201);
  }

  @Test
  void it_takes_what_the_tokens_of_its_subscriptions_may_do() {
    var manifest = Installs.version("2.0.0");
    Manifests.set(
        manifest,
        "/subscriptions/0",
        Manifests.json(
            "{'name':'s','kind':'sprite','on':'Dependency','filter':{},"
                + "'spriteConfig':{'command':'true','inputMode':'stdin'},"
                + "'tokenScopes':[{'permissions':['repo:admin']}]}"));
    installs.register(manifest).statusCode(200);
    var token = pat(List.of("repo:read", "repo:write", "repo:configure"));
    installs.install(token, "").statusCode(403).body("detail", containsString("repo:admin"));
    installs.install(token, ",'dryRun':true").statusCode(403);
    installs.install().statusCode(201);
  }

  @Test
  void a_delegated_token_installs_nothing() {
    var email = Flow.newAccount();
    admin()
        .body(Map.of("role", "owner"))
        .put("/api/orgs/" + installs.org() + "/members/" + email)
        .then()
        .statusCode(200);
    var program = Flow.programToken(email);
    installs
        .install(program, "")
        .statusCode(403)
        .body("detail", containsString("may not install components, tear them down"));
    installs.install(program, ",'dryRun':true").statusCode(403);
    var answer = installs.install().statusCode(201);
    installs.install(answer.extract().path("token"), "").statusCode(403);
  }

  @Test
  void a_private_component_is_installed_by_members_of_its_organization_only() {
    Registry.put(
            installs.owner(),
            Installs.NAME,
            Registry.body(Installs.manifest()).put("visibility", "private"))
        .statusCode(200);
    var outsider = People.member(installs.org(), "admin").token();
    var hidden = installs.install(outsider, "").statusCode(404).extract().asString();
    assertEquals(
        as(outsider)
            .body("{\"component\":\"%s/absent\"}".formatted(installs.owner()))
            .post(repository + "/components")
            .asString()
            .replace("absent", Installs.NAME),
        hidden);
    var id = installs.installed();
    installs
        .list(outsider)
        .body("component", contains(installs.component()))
        .body("[0]", not(hasKey("newestVersion")));
    installs.list(Api.adminToken()).body("newestVersion", contains("1.2.0"));
    assertNobodyIsTold(id);
    assertEquals(200, installs.teardown(id, "{}").extract().statusCode());
    assertNobodyIsTold(id);
  }

  /** Nothing in the public repository names the component to those that may only read it. */
  private void assertNobodyIsTold(String id) {
    for (var reader :
        List.of(People.stranger().token(), People.member(installs.org(), "viewer").token())) {
      installs
          .list(reader)
          .statusCode(200)
          .body("installId", contains(id))
          .body("[0]", not(hasKey("component")))
          .body("[0]", not(hasKey("version")))
          .body("[0]", not(hasKey("manifestHash")))
          .body("[0]", not(hasKey("newestVersion")));
      for (var path : List.of("/things/ComponentInstall/" + id, "/commits", "/head", "/llms.txt")) {
        var answer = as(reader).get(repository + path).then().extract().asString();
        assertFalse(answer.contains(installs.owner()), path);
      }
    }
  }

  @Test
  void the_list_is_for_all_who_may_read_all_of_the_repository() {
    Registry.resolve(admin(), installs.owner(), Installs.NAME, repository);
    installs.list(Api.adminToken()).body("", empty());
    installs.installed();
    Api.anonymous()
        .get(repository + "/components")
        .then()
        .statusCode(200)
        .body("state", contains("installed"))
        .body("[0]", not(hasKey("installedBy")));
    installs.list(People.narrowedPat(repository, "repo:read", "Cycle/**")).statusCode(403);
    installs.in(Api.newRepository("private")).list(People.stranger().token()).statusCode(404);
  }
}
