package dev.cairn.access.authentication;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.Api.login;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Access: sign-in and refresh tokens. */
@HttpTest
@QuarkusTest
class SignInTest {
  private static final String PASSWORD = "a good long password";

  private String account() {
    var email = Api.unique("sign-in") + "@example.org";
    AccountRows.insert(email, "Signer", PASSWORD);
    return email;
  }

  private static ValidatableResponse refresh(String token) {
    return anonymous().body(Map.of("refreshToken", token)).post("/api/auth/refresh").then();
  }

  private static void assertUnauthenticated(ValidatableResponse response) {
    response
        .statusCode(401)
        .body("code", is("UNAUTHENTICATED"))
        .header("WWW-Authenticate", startsWith("Bearer"));
  }

  private static void assertSignedIn(String token) {
    as(token).get("/api/whoami").then().statusCode(200).body("authenticated", is(true));
  }

  @Test
  void login_gives_tokens_for_an_hour_that_are_not_stored() {
    long now = System.currentTimeMillis();
    var answer =
        login(account(), PASSWORD)
            .statusCode(200)
            .header("Cache-Control", "no-store")
            .body("keySet().size()", is(3))
            .extract();
    long expiresAt = answer.path("expiresAt");
    assertTrue(Math.abs(expiresAt - now - 3_600_000) < 60_000, "expires at " + expiresAt);
    assertSignedIn(answer.path("accessToken"));
  }

  @Test
  void the_address_counts_in_any_case() {
    login(account().toUpperCase(Locale.ROOT), PASSWORD).statusCode(200);
  }

  @Test
  void no_other_letter_counts_as_one_of_the_address() {
    var email = Api.unique("kate") + "@example.org";
    AccountRows.insert(email, "Kate", PASSWORD);
    login(email.replace('k', '\u212A'), PASSWORD).statusCode(401);
    login(email.replace('k', 'K'), PASSWORD).statusCode(200);
  }

  @Test
  void a_wrong_password_and_an_unknown_account_get_the_same_answer() {
    var wrong = login(account(), "wrong password");
    var unknown = login("nobody@example.org", "wrong password");
    assertUnauthenticated(wrong);
    assertUnauthenticated(unknown);
    assertEquals(wrong.extract().asString(), unknown.extract().asString());
    assertUnauthenticated(login(account(), PASSWORD.toUpperCase(Locale.ROOT)));
    assertUnauthenticated(login(account(), PASSWORD + " "));
    assertUnauthenticated(login(account(), "x".repeat(50_000)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"email", "password"})
  void login_needs_both_members(String missing) {
    var without = missing.equals("email") ? "{\"password\":\"x\"}" : "{\"email\":\"x\"}";
    var empty = missing.equals("email") ? login("", "x") : login("x", "");
    for (var answer : List.of(anonymous().body(without).post("/api/auth/login").then(), empty)) {
      answer
          .statusCode(400)
          .body("code", is("VALIDATION_ERROR"))
          .body("errors[0].pointer", is("/" + missing));
    }
  }

  @Test
  void refresh_needs_its_token() {
    anonymous()
        .body("{}")
        .post("/api/auth/refresh")
        .then()
        .statusCode(400)
        .body("errors[0].pointer", is("/refreshToken"));
  }

  @Test
  void a_refresh_token_is_good_once_and_gives_the_next_one() {
    String first = login(account(), PASSWORD).extract().path("refreshToken");
    var answer = refresh(first).statusCode(200).header("Cache-Control", "no-store").extract();
    String second = answer.path("refreshToken");
    assertNotEquals(first, second);
    assertSignedIn(answer.path("accessToken"));
    refresh(second).statusCode(200);
  }

  @Test
  void the_second_use_of_a_refresh_token_ends_its_family_and_no_other() {
    var email = account();
    String first = login(email, PASSWORD).extract().path("refreshToken");
    String other = login(email, PASSWORD).extract().path("refreshToken");
    String second = refresh(first).statusCode(200).extract().path("refreshToken");
    assertUnauthenticated(refresh(first));
    assertUnauthenticated(refresh(second));
    refresh(other).statusCode(200);
  }

  @Test
  void of_many_uses_at_once_of_a_refresh_token_one_succeeds() throws Exception {
    String token = login(account(), PASSWORD).extract().path("refreshToken");
    Callable<Integer> use = () -> refresh(token).extract().statusCode();
    int succeeded = 0;
    try (var pool = Executors.newFixedThreadPool(8)) {
      for (var status : pool.invokeAll(Collections.nCopies(8, use))) {
        assertTrue(status.get() == 200 || status.get() == 401, "" + status.get());
        succeeded += status.get() == 200 ? 1 : 0;
      }
    }
    assertEquals(1, succeeded);
  }

  private static ValidatableResponse logout(String token) {
    return anonymous().body(Map.of("refreshToken", token)).post("/api/auth/logout").then();
  }

  @Test
  void a_sign_in_can_be_ended_by_any_of_its_refresh_tokens_and_no_other_ends() {
    var email = account();
    String first = login(email, PASSWORD).extract().path("refreshToken");
    String other = login(email, PASSWORD).extract().path("refreshToken");
    String second = refresh(first).statusCode(200).extract().path("refreshToken");
    logout(first).statusCode(200).body("ok", is(true));
    assertUnauthenticated(refresh(second));
    String next = refresh(other).statusCode(200).extract().path("refreshToken");
    logout(next).statusCode(200);
    assertUnauthenticated(refresh(next));
    logout(next).statusCode(200).body("ok", is(true));
    logout("nonsense").statusCode(200).body("ok", is(true));
  }

  @Test
  void the_end_of_a_sign_in_takes_its_token_and_nothing_else() {
    for (var body : List.of("{}", "{\"refreshToken\":\"\"}", "{\"refreshToken\":null}")) {
      anonymous()
          .body(body)
          .post("/api/auth/logout")
          .then()
          .statusCode(400)
          .body("code", is("VALIDATION_ERROR"))
          .body("errors[0].pointer", is("/refreshToken"));
    }
    anonymous()
        .body("{\"refreshToken\":\"x\",\"all\":true}")
        .post("/api/auth/logout")
        .then()
        .statusCode(400);
    anonymous()
        .body("{\"refreshToken\":\"x\"}")
        .post("/api/auth/logout?all=true")
        .then()
        .statusCode(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "é😀", "null"})
  void a_refresh_token_that_is_none_is_refused(String token) {
    assertUnauthenticated(refresh(token));
  }

  @Test
  void an_access_token_is_no_refresh_token_and_the_other_way_round() {
    var tokens = login(account(), PASSWORD).extract();
    assertUnauthenticated(refresh(tokens.path("accessToken")));
    assertUnauthenticated(as(tokens.path("refreshToken")).get("/api/whoami").then());
  }
}
