package dev.cairn.oauth;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.oauth.Flow.assertRefused;
import static dev.cairn.oauth.Refreshing.assertEnded;
import static dev.cairn.oauth.Refreshing.renewed;
import static dev.cairn.oauth.Refreshing.with;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** OAuth: codes and refresh tokens at the token endpoint, and revocation. */
@HttpTest
@QuarkusTest
class TokenTest {
  private final Database database = OwnConnections.database();

  @Test
  void a_code_gives_a_bearer_token_for_an_hour_and_a_refresh_token() {
    var tokens = Flow.tokens(Flow.ask());
    tokens
        .then()
        .contentType("application/json")
        .header("Cache-Control", "no-store")
        .body("token_type", is("Bearer"))
        .body("expires_in", is(3600))
        .body("refresh_token", not(nullValue()))
        .body("scope", nullValue());
    as(tokens.path("access_token"))
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("authenticated", is(true))
        .body("account.displayName", is("Ann Example"));
  }

  @Test
  void the_access_token_says_who_issued_it_for_what_and_for_whom() {
    var ask = Flow.askWith("scope", "repo:write repo:read");
    ask.put("resource", Flow.base() + "/mcp");
    var tokens = Flow.tokens(ask);
    tokens.then().body("scope", is("repo:read repo:write"));
    var claims = Flow.claims(tokens.path("access_token"));
    assertEquals(Flow.base(), claims.getString("iss"));
    assertEquals(Flow.base() + "/mcp", claims.getString("aud"));
    assertEquals("cairn-cli", claims.getString("client_id"));
    assertEquals("repo:read repo:write", claims.getString("scope"));
    as(tokens.path("access_token")).get("/api/whoami").then().statusCode(200);
  }

  @Test
  void without_scope_and_resource_the_token_is_for_the_service_and_narrows_nothing() {
    var claims = Flow.claims(Flow.tokens(Flow.ask()).path("access_token"));
    assertEquals(Flow.base(), claims.getString("aud"));
    assertNull(claims.getString("scope"));
  }

  @Test
  void a_program_manages_neither_tokens_nor_the_password() {
    var client = Flow.register("Program", Flow.REDIRECT);
    var code = Flow.code(Flow.askWith("client_id", client));
    String token =
        Flow.token(with(Flow.exchange(code), "client_id", client))
            .statusCode(200)
            .extract()
            .path("access_token");
    as(token).get("/api/whoami").then().statusCode(200);
    as(token).body("{\"name\":\"p\"}").post("/api/pats").then().statusCode(403);
    as(token).get("/api/pats").then().statusCode(403);
    as(token).delete("/api/pats/p").then().statusCode(403);
    Api.changePassword(token, Flow.PASSWORD, "another password")
        .then()
        .statusCode(403)
        .body("code", is("FORBIDDEN"));
    String own = Flow.tokens(Flow.ask()).path("access_token");
    as(own).body("{\"name\":\"p\"}").post("/api/pats").then().statusCode(201);
  }

  @Test
  void the_redirect_uri_may_be_left_out_as_in_oauth_2_1() {
    Flow.token(with(Flow.exchange(Flow.code(Flow.ask())), "redirect_uri", null)).statusCode(200);
  }

  @ParameterizedTest
  @CsvSource({
    "code_verifier, dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXx, invalid_grant",
    "code_verifier, E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM, invalid_grant",
    "code_verifier, , invalid_grant",
    "redirect_uri, http://127.0.0.1:5556/callback, invalid_grant",
    "redirect_uri, https://evil.example/callback, invalid_grant"
  })
  void a_code_with_another_verifier_or_redirect_uri_is_refused_and_spent(
      String name, String value, String error) {
    var code = Flow.code(Flow.ask());
    assertRefused(Flow.token(with(Flow.exchange(code), name, value)), 400, error);
    assertRefused(Flow.token(Flow.exchange(code)), 400, "invalid_grant");
  }

  @ParameterizedTest
  @CsvSource({
    "resource, https://other.example/, invalid_target",
    "resource, :base, invalid_target"
  })
  void a_code_for_more_than_was_agreed_to_is_refused_and_spent(
      String name, String value, String error) {
    var ask = Flow.askWith("scope", "repo:read");
    ask.put("resource", Flow.base() + "/mcp");
    var code = Flow.code(ask);
    var wider = with(Flow.exchange(code), name, value.replace(":base", Flow.base()));
    assertRefused(Flow.token(wider), 400, error);
    assertRefused(Flow.token(Flow.exchange(code)), 400, "invalid_grant");
  }

  @Test
  void a_code_of_another_client_is_refused_and_spent() {
    var other = Flow.register("Other", Flow.REDIRECT);
    var code = Flow.code(Flow.ask());
    assertRefused(Flow.token(with(Flow.exchange(code), "client_id", other)), 400, "invalid_grant");
    assertRefused(Flow.token(Flow.exchange(code)), 400, "invalid_grant");
  }

  @Test
  void a_code_is_good_for_a_minute() {
    assertRefused(Flow.token(Flow.exchange(moved("61 seconds"))), 400, "invalid_grant");
    Flow.token(Flow.exchange(moved("45 seconds"))).statusCode(200);
  }

  private String moved(String by) {
    var code = Flow.code(Flow.ask());
    database.update(
        "update oauth_code set expires_at = expires_at - ?::interval where hash = ?",
        by,
        Secret.hash(code));
    return code;
  }

  @Test
  void the_second_use_of_a_code_ends_what_the_first_one_began() {
    var code = Flow.code(Flow.ask());
    String first = Flow.token(Flow.exchange(code)).statusCode(200).extract().path("refresh_token");
    var next = renewed(first);
    assertRefused(Flow.token(Flow.exchange(code)), 400, "invalid_grant");
    assertEnded(next);
  }

  @Test
  void a_code_used_by_many_at_once_gives_tokens_to_at_most_one_and_they_end() throws Exception {
    var code = Flow.code(Flow.ask());
    Callable<String> call = () -> Flow.token(Flow.exchange(code)).extract().path("refresh_token");
    List<String> given;
    try (var pool = Executors.newFixedThreadPool(4)) {
      given =
          pool.invokeAll(Collections.nCopies(8, call)).stream()
              .map(TokenTest::result)
              .filter(token -> token != null)
              .toList();
    }
    assertEquals(1, given.size());
    assertEnded(given.getFirst());
  }

  static String result(Future<String> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "grant_type, password, unsupported_grant_type",
    "grant_type, client_credentials, unsupported_grant_type",
    "grant_type, nonsense, unsupported_grant_type",
    "grant_type, urn:ietf:params:oauth:grant-type:jwt-bearer, unsupported_grant_type",
    "grant_type, , invalid_request",
    "code, , invalid_request",
    "resource, nonsense, invalid_target"
  })
  void a_faulty_token_request_is_refused_in_oauths_words(String name, String value, String error) {
    assertRefused(Flow.token(with(Flow.exchange("x"), name, value)), 400, error);
  }

  /** Repeated ones take the library time that grows with the square of their number. */
  @Test
  void a_request_has_at_most_100_parameters() {
    var form = Flow.exchange("x");
    for (int i = form.size(); i < 100; i++) {
      form.put("more" + i, "1");
    }
    assertRefused(Flow.token(form), 400, "invalid_grant");
    form.put("more", "1");
    assertRefused(Flow.token(form), 400, "invalid_request");
    var query = "/oauth/authorize?" + "a&".repeat(8_000);
    assertEquals(400, anonymous().get(query).statusCode());
  }

  @Test
  void clients_must_be_known_and_have_no_secret() {
    assertRefused(
        Flow.token(with(Flow.exchange("x"), "client_id", "nobody")), 401, "invalid_client");
    var secret = Flow.exchange("x");
    secret.put("client_secret", "guess");
    assertRefused(Flow.token(secret), 401, "invalid_client");
    var response = Flow.token(with(Flow.exchange("x"), "client_id", null));
    assertTrue(response.extract().statusCode() < 500);
    assertTrue(response.extract().path("error").toString().startsWith("invalid_"));
  }

  @Test
  void parameters_given_twice_are_refused_and_unknown_ones_ignored() {
    var form = Web.encoded(Flow.exchange(Flow.code(Flow.ask())));
    given()
        .contentType("application/x-www-form-urlencoded")
        .body(form + "&code=other")
        .post("/oauth/token")
        .then()
        .statusCode(400)
        .body("error", is("invalid_request"));
    given()
        .contentType("application/x-www-form-urlencoded")
        .body(form + "&audience=x&client_assertion=")
        .post("/oauth/token")
        .then()
        .statusCode(200);
  }

  @Test
  void the_body_is_a_form_of_at_most_64_kib() {
    given().contentType("application/json").body("{}").post("/oauth/token").then().statusCode(415);
    var form = Flow.exchange("x");
    int rest = 65_536 - Web.encoded(form).length() - "&pad=".length();
    assertRefused(Flow.token(with(form, "pad", "x".repeat(rest))), 400, "invalid_grant");
    assertRefused(Flow.token(with(form, "pad", "x".repeat(rest + 1))), 413, "invalid_request");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "&&&",
        "=",
        "grant_type",
        "grant_type=%",
        "grant_type=%zz&client_id=%ff%fe",
        "grant_type=authorization_code&client_id=%00&code=%00",
        "grant_type=authorization_code&client_id=cairn-cli&code=%00&code_verifier=short",
        "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=x.y.z&client_id=cairn-cli",
        "grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token=x&client_id=cairn-cli",
        "grant_type=refresh_token&client_id=cairn-cli&refresh_token=%F0%9F%92%A9",
        "grant_type=refresh_token&client_id=cairn-cli&refresh_token=x&resource=::::",
        "grant_type=refresh_token&client_id=cairn-cli&refresh_token=x&resource=%22",
        "grant_type=refresh_token&client_id=cairn-cli&refresh_token=x&resource=%C2%85",
        "grant_type=authorization_code&client_id=cairn-cli&code=x&resource=%22%0A",
        "grant_type=refresh_token&client_id=cairn-cli&refresh_token=x&scope=%22%C2%85",
        "grant_type=authorization_code&client_id=cairn-cli&code=x&redirect_uri=::::",
        "{\"grant_type\":\"refresh_token\"}"
      })
  void hostile_forms_get_an_oauth_error_and_never_a_fault(String body) {
    for (var path : new String[] {"/oauth/token", "/oauth/revoke", "/oauth/device_authorization"}) {
      var response = given().contentType("application/x-www-form-urlencoded").body(body).post(path);
      int status = response.statusCode();
      assertTrue(status >= 200 && status < 500, path + ": " + status + " " + response.asString());
      if (status >= 400) {
        assertTrue(response.path("error") instanceof String, path + ": " + response.asString());
      }
    }
  }
}
