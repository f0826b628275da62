package dev.cairn.access.token;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.matchesRegex;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.People.Person;
import dev.cairn.Prepared;
import dev.cairn.Threads;
import dev.cairn.access.authentication.AccountRows;
import dev.cairn.mcp.Mcp;
import dev.cairn.model.Sha256;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.hamcrest.MatcherAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Component tokens: what an installed component may do, for whom, and for how long. */
@HttpTest
@QuarkusTest
class ComponentTokenTest {
  private static final Duration YEAR = Duration.ofDays(366);
  private static final List<String> ALL = List.of("**");

  private final Database database = OwnConnections.database();

  private String repository;
  private Person installer;
  private InstalledComponent component;

  @BeforeEach
  void install() {
    repository = Api.newRepository("private");
    Prepared.commit(
        repository,
        "{'operation':'add','name':'Note','data':{'fields':{}}},"
            + "{'operation':'add','name':'Note/a','data':{}},"
            + "{'operation':'add','name':'Note/b','data':{}}");
    installer = People.member(org(), "admin");
    component = new InstalledComponent(repository);
  }

  private String org() {
    return repository.split("/", -1)[3];
  }

  private String token() {
    return component.token(installer.email());
  }

  private static Response add(String token, String repository, String name) {
    var operation = Map.of("operation", "add", "name", name, "data", Map.of());
    return as(token).body(Map.of("operations", List.of(operation))).post(repository + "/commits");
  }

  private void role(String role) {
    admin().body(Map.of("role", role)).put(membership()).then().statusCode(200);
  }

  private String membership() {
    return "/api/orgs/" + org() + "/members/" + installer.inPath();
  }

  private static void refused(Response answer, int status, String code) {
    answer.then().statusCode(status).body("code", is(code));
  }

  private void assertLive(String token) {
    as(token).get(repository + "/head").then().statusCode(200);
  }

  private void assertEnded(String token) {
    refused(as(token).get(repository + "/head"), 401, "UNAUTHENTICATED");
    refused(as(token).get("/api/whoami"), 401, "UNAUTHENTICATED");
  }

  @Test
  void a_token_acts_for_the_account_that_installed_the_component() {
    var token = token();
    MatcherAssert.assertThat(token, matchesRegex("cairn_cmp_[0-9A-Za-z]{49}"));
    add(token, repository, "Note/c").then().statusCode(201).body("author", is("Person"));
    as(token).get(repository + "/things/Note%2Fc").then().statusCode(200);
    as(token).get(repository + "/commits").then().statusCode(200);
    refused(as(token).body(Map.of("description", "D")).patch(repository), 403, "FORBIDDEN");
  }

  @Test
  void whoami_names_the_component_and_its_scopes() {
    long now = System.currentTimeMillis();
    as(component.token(installer.email(), List.of("Note/*"), ALL))
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("kind", is("component"))
        .body("account.email", is(installer.email()))
        .body("token.name", is(component.name()))
        .body("token.scopes.resource", contains(org() + "/repo", org() + "/repo"))
        .body("token.scopes.permissions", contains(List.of("repo:read"), List.of("repo:write")))
        .body("token.scopes[0].allowedMatches", contains("Note/*"))
        .body("token.scopes[1]", not(hasKey("allowedMatches")))
        .body(
            "token.expiresAt",
            allOf(
                greaterThan(now + YEAR.minusMinutes(1).toMillis()),
                lessThanOrEqualTo(now + YEAR.plusMinutes(1).toMillis())));
  }

  @Test
  void reads_and_writes_narrow_it_each_by_itself() {
    var token = component.token(installer.email(), List.of("Note/a"), List.of("Note/x*"));
    as(token)
        .get(repository + "/head?kind=thing")
        .then()
        .statusCode(200)
        .body("items.wref", is(List.of("Note/a")));
    refused(as(token).get(repository + "/things/Note%2Fb"), 404, "NOT_FOUND");
    refused(as(token).get(repository + "/commits"), 403, "FORBIDDEN");
    add(token, repository, "Note/x1").then().statusCode(201);
    refused(add(token, repository, "Note/y1"), 403, "FORBIDDEN");
  }

  @Test
  void without_patterns_it_has_no_such_permission() {
    var reads = component.token(installer.email(), ALL, List.of());
    assertLive(reads);
    refused(add(reads, repository, "Note/c"), 403, "FORBIDDEN");
    var writes = component.token(installer.email(), List.of(), ALL);
    add(writes, repository, "Note/c").then().statusCode(201);
    refused(as(writes).get(repository + "/head"), 403, "FORBIDDEN");
    assertFalse(component.isMinted(installer.email(), List.of(), List.of()));
  }

  @Test
  void what_the_account_has_lost_is_not_minted() {
    role("viewer");
    as(token())
        .get("/api/whoami")
        .then()
        .body("token.scopes.permissions", contains(List.of("repo:read")));
    assertFalse(component.isMinted(installer.email(), List.of(), ALL));
    assertFalse(component.isMinted(People.stranger().email(), ALL, ALL));
  }

  @Test
  void it_does_no_more_than_its_account_may_at_that_moment() {
    var token = token();
    role("viewer");
    refused(add(token, repository, "Note/c"), 403, "FORBIDDEN");
    assertLive(token);
  }

  @ParameterizedTest
  @ValueSource(strings = {"private", "public"})
  void it_ends_with_the_membership_of_its_account(String visibility) {
    admin().body(Map.of("visibility", visibility)).patch(repository).then().statusCode(200);
    var token = token();
    assertLive(token);
    admin().delete(membership()).then().statusCode(200);
    assertEnded(token);
    admin().body(Map.of("role", "admin")).put(membership()).then().statusCode(200);
    assertEnded(token);
  }

  @Test
  void it_is_good_for_nothing_outside_of_its_repository() {
    admin()
        .body(Map.of("name", "other"))
        .post("/api/orgs/" + org() + "/repos")
        .then()
        .statusCode(201);
    var other = "/api/repos/" + org() + "/other";
    var token = token();
    refused(as(token).get(other), 403, "FORBIDDEN");
    refused(add(token, other, "Note/a"), 403, "FORBIDDEN");
    refused(as(token).get("/api/orgs/" + org() + "/members"), 403, "FORBIDDEN");
    as(token).get("/api/orgs").then().statusCode(200).body("items", is(List.of()));
  }

  @Test
  void it_manages_no_tokens_sessions_organizations_or_repositories() {
    var token = token();
    refused(as(token).get("/api/pats"), 403, "FORBIDDEN");
    refused(as(token).body(Map.of("name", "x")).post("/api/pats"), 403, "FORBIDDEN");
    refused(as(token).delete("/api/sessions"), 403, "FORBIDDEN");
    refused(Api.changePassword(token, "a", "b"), 403, "FORBIDDEN");
    refused(as(token).body(Map.of("name", Api.unique("o"))).post("/api/orgs"), 403, "FORBIDDEN");
    refused(
        as(token).body(Map.of("name", "r")).post("/api/orgs/" + org() + "/repos"),
        403,
        "FORBIDDEN");
    refused(as(token).delete(membership()), 403, "FORBIDDEN");
    refused(as(token).delete(repository), 403, "FORBIDDEN");
  }

  @ParameterizedTest
  @ValueSource(strings = {"private", "public"})
  void it_never_exports_whatever_its_scopes(String visibility) {
    admin().body(Map.of("visibility", visibility)).patch(repository).then().statusCode(200);
    var token = token();
    component.scopes(token, "[{'permissions':['repo:read','repo:checkpoint-read']}]");
    as(token)
        .get("/api/whoami")
        .then()
        .body("token.scopes[0].permissions", contains("repo:read", "repo:checkpoint-read"));
    String exportToken =
        admin()
            .get(repository + "/export?prefer=async")
            .then()
            .statusCode(202)
            .extract()
            .path("exportToken");
    for (var query : List.of("", "?prefer=async", "?token=" + exportToken)) {
      refused(as(token).get(repository + "/export" + query), 403, "FORBIDDEN");
    }
    for (var arguments : List.<Map<String, ?>>of(Map.of(), Map.of("token", exportToken))) {
      Mcp.of(Mcp.NEW, token)
          .at(repository)
          .call("export_create", arguments)
          .body("result.structuredContent.code", is("FORBIDDEN"));
    }
  }

  @Test
  void it_ends_with_its_time() {
    var token = token();
    component.expire(token);
    assertEnded(token);
  }

  @Test
  void it_ends_with_its_rotation() {
    var former = token();
    assertLive(former);
    var token = token();
    assertEnded(former);
    assertLive(token);
    assertFalse(component.isMinted(installer.email(), List.of(), List.of()));
    assertEnded(token);
  }

  @Test
  void of_rotations_at_the_same_time_one_token_is_left() {
    var rotations =
        Stream.generate(() -> CompletableFuture.supplyAsync(this::token, Threads.OWN))
            .limit(4)
            .toList();
    var tokens = rotations.stream().map(CompletableFuture::join).toList();
    assertEquals(
        1,
        tokens.stream()
            .filter(token -> as(token).get(repository + "/head").statusCode() == 200)
            .count());
  }

  @Test
  void it_ends_when_the_component_is_deregistered() {
    var token = token();
    var setup = component.setupToken(installer.email());
    component.deregister();
    assertEnded(token);
    assertEnded(setup);
  }

  @Test
  void it_says_for_no_component_where_signed_calls_go() {
    var body =
        "{'operations':[{'operation':'add','name':'ComponentConfig/watch','data':{}}]}"
            .replace('\'', '"');
    refused(as(token()).body(body).post(repository + "/commits"), 403, "FORBIDDEN");
  }

  @Test
  void it_ends_when_the_component_mints_none_any_more_but_a_setup_token_does_not() {
    var token = token();
    var setup = component.setupToken(installer.email());
    component.mints(false);
    assertEnded(token);
    assertLive(setup);
  }

  @Test
  void it_ends_when_it_is_revoked() {
    var token = token();
    var setup = component.setupToken(installer.email());
    component.revoke();
    assertEnded(token);
    assertEnded(setup);
  }

  @Test
  void it_is_valid_while_the_component_is_being_installed_or_installed() {
    var token = token();
    for (var state : List.of("installed", "installing")) {
      component.state(state);
      assertLive(token);
    }
    for (var state : List.of("resolved", "torn_down")) {
      component.state(state);
      assertEnded(token);
    }
  }

  @Test
  void a_setup_token_is_valid_until_the_component_is_torn_down() {
    var token = component.setupToken(installer.email());
    for (var state : List.of("resolved", "installing", "installed")) {
      component.state(state);
      assertLive(token);
    }
    component.state("torn_down");
    assertEnded(token);
  }

  @Test
  void a_setup_token_lives_for_five_minutes_and_is_not_rotated() {
    var token = component.setupToken(installer.email());
    long now = System.currentTimeMillis();
    token();
    as(token)
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("kind", is("component"))
        .body(
            "token.expiresAt",
            allOf(
                greaterThan(now + Duration.ofMinutes(4).toMillis()),
                lessThanOrEqualTo(now + Duration.ofMinutes(6).toMillis())));
  }

  @Test
  void only_a_live_runtime_token_counts_as_one() {
    component.setupToken(installer.email());
    assertEquals(Duration.ZERO, component.lifetime());
    var token = token();
    assertTrue(component.lifetime().compareTo(YEAR.minusMinutes(1)) > 0);
    component.state("torn_down");
    assertEquals(Duration.ZERO, component.lifetime());
    component.state("installed");
    assertTrue(component.lifetime().compareTo(YEAR.minusMinutes(1)) > 0);
    component.expire(token);
    assertEquals(Duration.ZERO, component.lifetime());
  }

  @Test
  void a_damaged_or_an_unknown_token_is_401() {
    var token = token();
    for (var wrong :
        List.of(
            token.substring(0, token.length() - 1),
            token + "0",
            TokenFormat.COMPONENT.random(),
            token.replace("cairn_cmp_", "cairn_svc_"),
            token.replace("cairn_cmp_", "cairn_pat_"))) {
      refused(as(wrong).get(repository + "/head"), 401, "UNAUTHENTICATED");
    }
  }

  @Test
  void only_its_hash_is_stored_and_deleted_once_it_has_expired() {
    var token = token();
    AccountRows.expire();
    assertEquals(1, stored(token));
    component.expire(token);
    AccountRows.expire();
    assertEquals(0, stored(token));
  }

  private long stored(String token) {
    return database
        .first(
            "select count(*) from service_token t where hash = ? and t::text not like ?",
            row -> row.getLong(1),
            Sha256.of(token),
            "%" + token.substring(10) + "%")
        .orElseThrow();
  }
}
