package dev.cairn.oauth;

import static dev.cairn.Api.as;
import static dev.cairn.oauth.Flow.assertRefused;
import static dev.cairn.oauth.Refreshing.assertEnded;
import static dev.cairn.oauth.Refreshing.refreshToken;
import static dev.cairn.oauth.Refreshing.renewed;
import static dev.cairn.oauth.Refreshing.with;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** OAuth: refresh tokens, and how what was given ends. */
@HttpTest
@QuarkusTest
class RefreshTest {
  private final Database database = OwnConnections.database();

  @Test
  void a_refresh_token_gives_another_and_is_good_once() {
    var first = refreshToken();
    var second = renewed(first);
    assertNotEquals(first, second);
    renewed(second);
  }

  @Test
  void the_second_use_of_a_refresh_token_ends_the_whole_grant() {
    var first = refreshToken();
    var second = renewed(first);
    var third = renewed(second);
    assertEnded(first);
    assertEnded(third);
    assertEnded(second);
  }

  @Test
  void a_refresh_token_used_by_many_at_once_leaves_none_that_is_good() throws Exception {
    var token = refreshToken();
    Callable<String> call = () -> Flow.token(Flow.refresh(token)).extract().path("refresh_token");
    try (var pool = Executors.newFixedThreadPool(4)) {
      var given =
          pool.invokeAll(Collections.nCopies(8, call)).stream()
              .map(TokenTest::result)
              .filter(next -> next != null)
              .toList();
      assertEquals(1, given.size());
      assertEnded(given.getFirst());
    }
  }

  @Test
  void a_refresh_token_is_bound_to_its_client() {
    var token = refreshToken();
    var other = Flow.register("Other", Flow.REDIRECT);
    assertRefused(Flow.token(with(Flow.refresh(token), "client_id", other)), 400, "invalid_grant");
    renewed(token);
  }

  @Test
  void a_refresh_token_ends_after_thirty_days() {
    var token = refreshToken();
    database.update(
        "update refresh_token set expires_at = now() - interval '1 second' where hash = ?",
        Secret.hash(token));
    assertEnded(token);
  }

  @Test
  void the_tokens_of_scripts_and_of_clients_are_no_good_at_each_others_doors() {
    dev.cairn.Api.anonymous()
        .body(Map.of("refreshToken", refreshToken()))
        .post("/api/auth/refresh")
        .then()
        .statusCode(401);
    String script =
        dev.cairn.Api.anonymous()
            .body(Map.of("email", Flow.newAccount(), "password", Flow.PASSWORD))
            .post("/api/auth/login")
            .then()
            .statusCode(200)
            .extract()
            .path("refreshToken");
    assertEnded(script);
  }

  @Test
  void a_refresh_may_narrow_the_scope_and_the_next_one_has_it_all_again() {
    String token = Flow.tokens(Flow.askWith("scope", "repo:read repo:write")).path("refresh_token");
    var narrowed =
        Flow.token(with(Flow.refresh(token), "scope", "repo:read"))
            .statusCode(200)
            .body("scope", is("repo:read"))
            .extract();
    assertEquals("repo:read", Flow.claims(narrowed.path("access_token")).getString("scope"));
    Flow.token(Flow.refresh(narrowed.path("refresh_token")))
        .statusCode(200)
        .body("scope", is("repo:read repo:write"));
  }

  @Test
  void a_wider_scope_is_refused_and_uses_nothing_up() {
    String token = Flow.tokens(Flow.askWith("scope", "repo:read")).path("refresh_token");
    assertRefused(
        Flow.token(with(Flow.refresh(token), "scope", "repo:read repo:write")),
        400,
        "invalid_scope");
    renewed(token);
  }

  @Test
  void the_resource_stays_the_one_that_was_agreed_to() {
    var ask = Flow.askWith("resource", Flow.base() + "/mcp");
    String token = Flow.tokens(ask).path("refresh_token");
    assertRefused(
        Flow.token(with(Flow.refresh(token), "resource", Flow.base())), 400, "invalid_target");
    assertRefused(
        Flow.token(with(Flow.refresh(token), "resource", "https://other.example")),
        400,
        "invalid_target");
    var access =
        Flow.token(with(Flow.refresh(token), "resource", Flow.base() + "/mcp"))
            .statusCode(200)
            .extract();
    assertEquals(Flow.base() + "/mcp", Flow.claims(access.path("access_token")).getString("aud"));
  }

  @Test
  void revocation_ends_the_whole_grant() {
    var first = refreshToken();
    var second = renewed(first);
    Flow.post("/oauth/revoke", Map.of("client_id", "cairn-cli", "token", first)).statusCode(200);
    assertEnded(second);
  }

  @Test
  void an_unknown_token_is_as_good_as_revoked() {
    for (var token : new String[] {"nonsense", "AAAA", refreshToken()}) {
      var form = Map.of("client_id", "cairn-cli", "token", token, "token_type_hint", "whatever");
      Flow.post("/oauth/revoke", form).statusCode(200).header("Cache-Control", "no-store");
      Flow.post("/oauth/revoke", form).statusCode(200);
    }
  }

  @Test
  void another_clients_token_is_not_revoked() {
    var token = refreshToken();
    var other = Flow.register("Other", Flow.REDIRECT);
    Flow.post("/oauth/revoke", Map.of("client_id", other, "token", token)).statusCode(200);
    renewed(token);
  }

  @Test
  void an_access_token_is_revoked_with_its_grant_by_its_own_client() {
    var tokens = Flow.tokens(Flow.ask());
    String token = tokens.path("access_token");
    var other = Flow.register("Other", Flow.REDIRECT);
    Flow.post("/oauth/revoke", Map.of("client_id", other, "token", token)).statusCode(200);
    as(token).get("/api/whoami").then().statusCode(200);
    Flow.post("/oauth/revoke", Map.of("client_id", "cairn-cli", "token", token)).statusCode(200);
    as(token).get("/api/whoami").then().statusCode(401);
    assertEnded(tokens.path("refresh_token"));
  }

  @Test
  void the_access_token_of_a_grant_ends_with_it_however_it_ends() {
    var revoked = Flow.tokens(Flow.ask());
    Flow.post(
            "/oauth/revoke",
            Map.of("client_id", "cairn-cli", "token", revoked.path("refresh_token")))
        .statusCode(200);
    as(revoked.path("access_token")).get("/api/whoami").then().statusCode(401);

    var reused = Flow.tokens(Flow.ask());
    String next =
        Flow.token(Flow.refresh(reused.path("refresh_token"))).extract().path("access_token");
    as(next).get("/api/whoami").then().statusCode(200);
    assertEnded(reused.path("refresh_token"));
    as(next).get("/api/whoami").then().statusCode(401);

    var code = Flow.code(Flow.ask());
    String first = Flow.token(Flow.exchange(code)).statusCode(200).extract().path("access_token");
    as(first).get("/api/whoami").then().statusCode(200);
    assertRefused(Flow.token(Flow.exchange(code)), 400, "invalid_grant");
    as(first).get("/api/whoami").then().statusCode(401);
  }

  @Test
  void an_account_sees_its_grants_and_browsers_and_ends_them() {
    var email = Flow.newAccount();
    var web = Web.signedIn(email);
    var client = Flow.register("Garden Planner", Flow.REDIRECT);
    var form = Flow.exchange(Flow.allow(web, Flow.askWith("client_id", client)).get("code"));
    form.put("client_id", client);
    var granted = Flow.token(form).statusCode(200).extract();
    String token = granted.path("access_token");
    var own = Api.token(email, Flow.PASSWORD);
    as(token).get("/api/sessions").then().statusCode(403);
    as(own)
        .get("/api/sessions")
        .then()
        .statusCode(200)
        .body("items.kind", is(List.of("sign-in", "grant", "browser")))
        .body("items[1].client", is(client))
        .body("items[1].clientName", is("Garden Planner"));
    as(own).delete("/api/sessions/" + Flow.claims(token).getString("sid")).then().statusCode(200);
    as(token).get("/api/whoami").then().statusCode(401);
    web.get("/device").then().statusCode(200);
    as(own).delete("/api/sessions").then().statusCode(200).body("ended", is(1));
    web.get("/device").then().statusCode(303);
    as(own)
        .get("/api/audit")
        .then()
        .body("items.action", hasItems("token.authorized", "session.started", "session.ended"))
        .body("items.find { it.action == 'token.authorized' }.target", is("Garden Planner"));
  }

  @Test
  void revocation_needs_a_client_and_a_token() {
    assertRefused(
        Flow.post("/oauth/revoke", Map.of("client_id", "nobody", "token", "x")),
        401,
        "invalid_client");
    assertRefused(
        Flow.post("/oauth/revoke", Map.of("client_id", "cairn-cli")), 400, "invalid_request");
  }
}
