package dev.cairn.access;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Database;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/access.md, Component tokens. */
@HttpTest
@QuarkusTest
@InProcess("It makes tokens as an installation would.")
class ComponentTokenTest {
  private static final String EVERYTHING =
      "[{'permissions':['repo:read','repo:checkpoint-read','repo:write','repo:configure','repo:admin']}]";
  private static final String READ = "[{'permissions':['repo:read']}]";

  @Inject Database database;
  @Inject Expiry expiry;

  private String repository;
  private People.Person installer;

  @BeforeEach
  void installed() {
    repository = Api.newRepository("private");
    installer = People.member(org(), "admin");
    admin()
        .body(
            Map.of(
                "operations",
                List.of(
                    Map.of("operation", "add", "name", "Note", "data", Map.of("fields", Map.of())),
                    Map.of("operation", "add", "name", "Note/a", "data", Map.of()),
                    Map.of("operation", "add", "name", "Note/b", "data", Map.of()))))
        .post(repository + "/commits")
        .then()
        .statusCode(201);
  }

  private String org() {
    return repository.split("/", -1)[3];
  }

  private String token(String scopes) {
    return Components.token(repository, installer.email(), scopes);
  }

  private static Response add(String token, String repository, String name) {
    var operation = Map.of("operation", "add", "name", name, "data", Map.of());
    return as(token).body(Map.of("operations", List.of(operation))).post(repository + "/commits");
  }

  private static void refused(Response answer, int status, String code) {
    answer.then().statusCode(status).body("code", is(code));
  }

  @Test
  void it_acts_for_its_account_within_its_scopes() {
    var token =
        token(
            "[{'permissions':['repo:read'],'allowedMatches':['Note/a']},"
                + "{'permissions':['repo:write'],'allowedMatches':['Note/x*']}]");
    as(token)
        .get(repository + "/head?kind=thing")
        .then()
        .statusCode(200)
        .body("items.wref", is(List.of("Note/a")));
    add(token, repository, "Note/x1").then().statusCode(201).body("author", is("Person"));
    refused(add(token, repository, "Note/y1"), 403, "FORBIDDEN");
    refused(as(token).body(Map.of("description", "D")).patch(repository), 403, "FORBIDDEN");
    admin().delete("/api/orgs/" + org() + "/members/" + installer.inPath()).then().statusCode(200);
    refused(as(token).get(repository + "/head"), 404, "NOT_FOUND");
  }

  @Test
  void it_exports_nothing_in_any_mode_whatever_it_carries() {
    var asked =
        as(installer.token()).get(repository + "/export?prefer=async").then().statusCode(202);
    var exportToken = asked.extract().<String>path("exportToken");
    var token = token(EVERYTHING);
    as(token).get(repository + "/head").then().statusCode(200);
    for (var visibility : List.of("private", "public")) {
      admin().body(Map.of("visibility", visibility)).patch(repository).then().statusCode(200);
      for (var mode : List.of("", "?prefer=async", "?token=" + exportToken)) {
        refused(as(token).get(repository + "/export" + mode), 403, "FORBIDDEN");
      }
    }
  }

  @Test
  void it_cannot_have_a_sprite_export_for_it() {
    refused(
        as(token(EVERYTHING))
            .body(
                """
                {"name":"out","kind":"sprite","shapeName":"Note","filterJson":{},
                 "spriteConfig":{"command":"true","inputMode":"stdin"},
                 "tokenScopes":[{"permissions":["repo:checkpoint-read"]}]}
                """)
            .post(repository + "/subs"),
        403,
        "FORBIDDEN");
  }

  @Test
  void whoami_names_the_component_and_its_scopes() {
    as(token(READ))
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("kind", is("component"))
        .body("account.email", is(installer.email()))
        .body("token.name", is("crm"))
        .body("token.scopes.resource", contains(repository.substring("/api/repos/".length())))
        .body("token.scopes.permissions", contains(List.of("repo:read")));
  }

  @Test
  void it_is_good_for_nothing_outside_of_its_repository() {
    admin()
        .body(Map.of("name", "other"))
        .post("/api/orgs/" + org() + "/repos")
        .then()
        .statusCode(201);
    var token = token(EVERYTHING);
    refused(as(token).get("/api/repos/" + org() + "/other"), 403, "FORBIDDEN");
    refused(as(token).get("/api/orgs/" + org() + "/members"), 403, "FORBIDDEN");
    refused(as(token).get("/api/pats"), 403, "FORBIDDEN");
    refused(as(token).body(Map.of("name", "x")).post("/api/pats"), 403, "FORBIDDEN");
    refused(as(token).body(Map.of("name", Api.unique("o"))).post("/api/orgs"), 403, "FORBIDDEN");
  }

  @Test
  void it_ends_with_its_time() {
    var token = token(READ);
    as(token).get(repository + "/head").then().statusCode(200);
    expire(token);
    refused(as(token).get(repository + "/head"), 401, "UNAUTHENTICATED");
  }

  private void expire(String token) {
    database.update(
        "update service_token set expires_at = now() - interval '1 ms' where hash = ?",
        Sha256.of(token));
  }

  @Test
  void it_is_forgotten_once_it_has_expired() {
    var token = token(READ);
    expiry.runBatch();
    assertEquals(1, stored(token));
    expire(token);
    expiry.runBatch();
    assertEquals(0, stored(token));
  }

  private long stored(String token) {
    return database
        .first(
            "select count(*) from service_token where hash = ?",
            row -> row.getLong(1),
            Sha256.of(token))
        .orElseThrow();
  }

  @Test
  void a_damaged_or_an_unknown_token_is_401() {
    var token = token(READ);
    for (var wrong :
        List.of(
            token.substring(0, token.length() - 1),
            TokenFormat.COMPONENT.random(),
            token.replace("cairn_cmp_", "cairn_svc_"))) {
      refused(as(wrong).get(repository + "/head"), 401, "UNAUTHENTICATED");
    }
  }
}
