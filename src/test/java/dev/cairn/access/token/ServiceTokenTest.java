package dev.cairn.access.token;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.matchesRegex;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HeldLock;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.People.Person;
import dev.cairn.Prepared;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.access.Caller;
import dev.cairn.access.authentication.AccountRows;
import dev.cairn.model.Sha256;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.hamcrest.MatcherAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Service tokens: what a sprite may do, for whom, and for how long. */
@HttpTest
@QuarkusTest
class ServiceTokenTest {
  private static final String READ_AND_WRITE = "[{'permissions':['repo:read','repo:write']}]";

  private final Database database = OwnConnections.database();
  private final ServiceTokens serviceTokens = Sprites.tokens(database);

  private String repository;
  private Person creator;
  private Sprites sprite;

  @BeforeEach
  void subscription() {
    repository = Api.newRepository("private");
    Prepared.commit(
        repository,
        "{'operation':'add','name':'Note','data':{'fields':{}}},"
            + "{'operation':'add','name':'Note/a','data':{}},"
            + "{'operation':'add','name':'Note/b','data':{}}");
    creator = People.member(org(), "admin");
    sprite = new Sprites(repository);
  }

  private String org() {
    return repository.split("/", -1)[3];
  }

  private String token(String tokenScopes) {
    return sprite.token(creator.email(), tokenScopes).orElseThrow();
  }

  private static Response add(String token, String repository, String name) {
    var operation = Map.of("operation", "add", "name", name, "data", Map.of());
    return as(token).body(Map.of("operations", List.of(operation))).post(repository + "/commits");
  }

  private void role(String role) {
    admin()
        .body(Map.of("role", role))
        .put("/api/orgs/" + org() + "/members/" + creator.inPath())
        .then()
        .statusCode(200);
  }

  private static void refused(Response answer, int status, String code) {
    answer.then().statusCode(status).body("code", is(code));
  }

  @Test
  void a_token_acts_for_its_account_within_its_scopes() {
    var token = token(READ_AND_WRITE);
    MatcherAssert.assertThat(token, matchesRegex("cairn_svc_[0-9A-Za-z]{49}"));
    add(token, repository, "Note/c").then().statusCode(201).body("author", is("Person"));
    as(token).get(repository + "/things/Note%2Fc").then().statusCode(200);
    refused(as(token).body(Map.of("description", "D")).patch(repository), 403, "FORBIDDEN");
    var write = token("[{'permissions':['repo:write']}]");
    add(write, repository, "Note/d").then().statusCode(201);
    refused(as(write).get(repository + "/head"), 403, "FORBIDDEN");
  }

  @Test
  void whoami_names_the_subscription_and_its_scopes() {
    long now = System.currentTimeMillis();
    as(token("[{'permissions':['repo:read'],'allowedMatches':['Note/*']}]"))
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("kind", is("service"))
        .body("account.email", is(creator.email()))
        .body("token.name", is(sprite.name()))
        .body("token.scopes.resource", contains(org() + "/repo"))
        .body("token.scopes.permissions", contains(List.of("repo:read")))
        .body("token.scopes.allowedMatches", contains(List.of("Note/*")))
        .body(
            "token.expiresAt",
            allOf(
                greaterThan(now + Duration.ofMinutes(9).toMillis()),
                lessThanOrEqualTo(now + Duration.ofMinutes(11).toMillis())));
  }

  @Test
  void it_knows_the_run_and_the_trace_that_it_belongs_to() {
    var caller = serviceTokens.verify(token(READ_AND_WRITE), "192.0.2.1").orElseThrow();
    var token = assertInstanceOf(Caller.ServiceToken.class, ((Caller.SignedIn) caller).token());
    assertEquals(sprite.runId(), token.runId());
    assertEquals(sprite.traceId(), token.traceId());
    assertEquals(Sprites.DEPTH, token.depth());
  }

  @Test
  void it_is_good_for_nothing_outside_of_its_repository() {
    admin()
        .body(Map.of("name", "other"))
        .post("/api/orgs/" + org() + "/repos")
        .then()
        .statusCode(201);
    var other = "/api/repos/" + org() + "/other";
    var token =
        token(
            "[{'permissions':['repo:read','repo:write','repo:admin','org:read','org:configure']}]");
    refused(as(token).get(other), 403, "FORBIDDEN");
    refused(add(token, other, "Note/a"), 403, "FORBIDDEN");
    refused(as(token).get("/api/orgs/" + org()), 403, "FORBIDDEN");
    refused(as(token).get("/api/orgs/" + org() + "/members"), 403, "FORBIDDEN");
    as(token).get("/api/orgs").then().statusCode(200).body("items", is(List.of()));
    refused(
        as(token).body(Map.of("name", "r")).post("/api/orgs/" + org() + "/repos"),
        403,
        "FORBIDDEN");
  }

  @Test
  void it_manages_no_tokens_and_makes_no_organizations() {
    var token = token(READ_AND_WRITE);
    refused(as(token).get("/api/pats"), 403, "FORBIDDEN");
    refused(as(token).body(Map.of("name", "x")).post("/api/pats"), 403, "FORBIDDEN");
    refused(as(token).body(Map.of("name", Api.unique("o"))).post("/api/orgs"), 403, "FORBIDDEN");
    refused(Api.changePassword(token, "a", "b"), 403, "FORBIDDEN");
    // Leaving takes a token that nothing narrows.
    refused(
        as(token).delete("/api/orgs/" + org() + "/members/" + creator.inPath()), 403, "FORBIDDEN");
  }

  @Test
  void allowed_matches_narrow_it() {
    var token =
        token(
            "[{'permissions':['repo:read'],'allowedMatches':['Note/a']},"
                + "{'permissions':['repo:write'],'allowedMatches':['Note/x*']}]");
    as(token)
        .get(repository + "/head?kind=thing")
        .then()
        .statusCode(200)
        .body("items.wref", is(List.of("Note/a")));
    refused(as(token).get(repository + "/things/Note%2Fb"), 404, "NOT_FOUND");
    add(token, repository, "Note/x1").then().statusCode(201);
    refused(add(token, repository, "Note/y1"), 403, "FORBIDDEN");
    refused(as(token(scopeWith("[]"))).get(repository + "/things/Note%2Fa"), 404, "NOT_FOUND");
  }

  private static String scopeWith(String allowedMatches) {
    return "[{'permissions':['repo:read'],'allowedMatches':" + allowedMatches + "}]";
  }

  @Test
  void it_does_no_more_than_its_account_may_at_that_moment() {
    var token = token(READ_AND_WRITE);
    role("viewer");
    refused(add(token, repository, "Note/c"), 403, "FORBIDDEN");
    as(token).get(repository + "/head").then().statusCode(200);
  }

  @Test
  void what_the_account_has_lost_is_not_minted() {
    role("viewer");
    as(token(READ_AND_WRITE))
        .get("/api/whoami")
        .then()
        .body("token.scopes.permissions", contains(List.of("repo:read")));
    assertEquals(
        Optional.empty(), sprite.token(creator.email(), "[{'permissions':['repo:write']}]"));
    var stranger = People.stranger();
    assertEquals(Optional.empty(), sprite.token(stranger.email(), READ_AND_WRITE));
  }

  @Test
  void it_exports_with_both_permissions() {
    var both = "'permissions':['repo:read','repo:checkpoint-read']";
    as(token("[{" + both + "}]")).get(repository + "/export").then().statusCode(200);
    refused(
        as(token("[{" + both + ",'allowedMatches':['Note/*']}]")).get(repository + "/export"),
        403,
        "FORBIDDEN");
    refused(as(token(READ_AND_WRITE)).get(repository + "/export"), 403, "FORBIDDEN");
  }

  @Test
  void it_ends_with_its_time() {
    var token = token(READ_AND_WRITE);
    database.update(
        "update service_token set expires_at = now() - interval '1 ms' where hash = ?",
        Sha256.of(token));
    refused(as(token).get(repository + "/head"), 401, "UNAUTHENTICATED");
  }

  @Test
  void one_that_expires_while_its_commit_waits_commits_nothing() throws Exception {
    var token = token(READ_AND_WRITE);
    database.update(
        "update service_token set expires_at = now() + interval '3 s' where hash = ?",
        Sha256.of(token));
    refused(
        HeldLock.during(
            () -> add(token, repository, "Note/late"),
            () ->
                Eventually.await(
                    "the token expires", () -> as(token).get("/api/whoami").statusCode() == 401),
            HeldLock.HEAD,
            Api.repoId(repository)),
        401,
        "UNAUTHENTICATED");
    admin().get(repository + "/things/Note/late").then().statusCode(404);
  }

  @Test
  void it_ends_with_its_subscription() {
    var token = token(READ_AND_WRITE);
    as(token).get(repository + "/head").then().statusCode(200);
    sprite.deleteSubscription();
    refused(as(token).get(repository + "/head"), 401, "UNAUTHENTICATED");
  }

  @Test
  void it_ends_with_the_membership_of_its_account_even_if_it_comes_back() {
    var token = token(READ_AND_WRITE);
    as(token).get(repository + "/things/Note/a").then().statusCode(200);
    admin().delete("/api/orgs/" + org() + "/members/" + creator.inPath()).then().statusCode(200);
    refused(as(token).get(repository + "/things/Note/a"), 401, "UNAUTHENTICATED");
    role("admin");
    refused(as(token).get(repository + "/things/Note/a"), 401, "UNAUTHENTICATED");
  }

  @Test
  void one_that_is_minted_while_its_account_is_removed_ends_with_the_membership() throws Exception {
    try (var row = OwnConnections.dataSource().getConnection()) {
      row.setAutoCommit(false);
      OwnConnections.execute(
          row, "select from account where email = ? for update", creator.email());
      var minted =
          CompletableFuture.supplyAsync(
              () -> sprite.token(creator.email(), READ_AND_WRITE), Threads.OWN);
      Waiting.awaitWaiter(row);
      var removal =
          CompletableFuture.supplyAsync(
              () ->
                  admin()
                      .delete("/api/orgs/" + org() + "/members/" + creator.inPath())
                      .statusCode(),
              Threads.OWN);
      Waiting.awaitWaitersUnless(row, 2, removal::isDone);
      row.rollback();
      var token = minted.get(30, TimeUnit.SECONDS).orElseThrow();
      assertEquals(200, removal.get(30, TimeUnit.SECONDS));
      role("admin");
      refused(as(token).get(repository + "/things/Note/a"), 401, "UNAUTHENTICATED");
    }
  }

  @Test
  void a_damaged_or_an_unknown_token_is_401() {
    var token = token(READ_AND_WRITE);
    for (var wrong :
        List.of(
            token.substring(0, token.length() - 1),
            token + "0",
            TokenFormat.SERVICE.random(),
            token.replace("cairn_svc_", "cairn_pat_"))) {
      refused(as(wrong).get(repository + "/head"), 401, "UNAUTHENTICATED");
    }
  }

  @Test
  void only_its_hash_is_stored_and_forgotten_once_it_has_expired() {
    var token = token(READ_AND_WRITE);
    assertEquals(1, stored(token));
    AccountRows.expire();
    assertEquals(1, stored(token));
    database.update(
        "update service_token set expires_at = now() - interval '1 ms' where hash = ?",
        Sha256.of(token));
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

  @Test
  void the_audit_log_names_the_subscription() {
    as(token("[{'permissions':['repo:admin']}]"))
        .body(Map.of("visibility", "public"))
        .patch(repository)
        .then()
        .statusCode(200);
    admin()
        .get("/api/orgs/" + org() + "/audit?limit=1")
        .then()
        .statusCode(200)
        .body("items[0].action", is("repository.visibility_changed"))
        .body("items[0].actor", is(creator.email()))
        .body("items[0].token", is(sprite.name()))
        .body("items[0].details.from", is("private"))
        .body("nextCursor", is(org.hamcrest.Matchers.not(nullValue())));
  }
}
