package dev.cairn.access.authentication;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.Api.login;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Access: changing one's password. */
@HttpTest
@QuarkusTest
class PasswordChangeTest {
  private static final String OLD = "the old password";
  private static final String NEW = "the new password";

  private final Database database = OwnConnections.database();

  private String account() {
    var email = Api.unique("changing") + "@example.org";
    AccountRows.insert(email, "Person", OLD);
    return email;
  }

  private static ValidatableResponse change(String token, String current, String next) {
    return Api.changePassword(token, current, next).then();
  }

  @Test
  void the_new_password_takes_the_place_of_the_old_one() {
    var email = account();
    change(Api.token(email, OLD), OLD, NEW).statusCode(200).body("ok", is(true));
    login(email, OLD).statusCode(401);
    login(email, NEW).statusCode(200);
  }

  @Test
  void all_that_the_old_password_began_ends_except_the_session_that_changes_it() {
    var email = account();
    var other = login(email, OLD).extract();
    var own = login(email, OLD).extract();
    String token = own.path("accessToken");
    var pat = People.pat(token, null);
    var id = AccountRows.id(email);
    var tables = List.of("oauth_code", "oauth_device");
    as(other.path("accessToken")).get("/api/whoami").then().statusCode(200);
    database.update(
        """
        insert into oauth_code (hash, grant_id, account_id, client_id, redirect_uri,
                                code_challenge, expires_at)
        values (?, gen_random_uuid(), ?, 'c', 'https://c.example/', 'x', now() + interval '1 day')
        """,
        email.getBytes(UTF_8),
        id);
    database.update(
        """
        insert into oauth_device (hash, user_hash, client_id, network, status, account_id,
                                  interval_s, expires_at)
        values (?, ?, 'c', '', 'approved', ?, 5, now() + interval '1 day')
        """,
        email.getBytes(UTF_8),
        email.getBytes(UTF_8),
        id);
    tables.forEach(table -> assertEquals(1, AccountRows.count(table, id), table));
    change(token, OLD, NEW).statusCode(200);
    tables.forEach(table -> assertEquals(0, AccountRows.count(table, id), table));
    as(other.path("accessToken")).get("/api/whoami").then().statusCode(401);
    refresh(other.path("refreshToken"), 401);
    assertEquals(1, AccountRows.count("session", id));
    as(token).get("/api/whoami").then().statusCode(200);
    refresh(own.path("refreshToken"), 200);
    as(pat).get("/api/whoami").then().statusCode(200).body("kind", is("pat"));
  }

  private static void refresh(String refreshToken, int status) {
    anonymous()
        .body(Map.of("refreshToken", refreshToken))
        .post("/api/auth/refresh")
        .then()
        .statusCode(status);
  }

  @Test
  void a_wrong_present_password_changes_nothing() {
    var email = account();
    change(Api.token(email, OLD), "a wrong password", NEW)
        .statusCode(400)
        .body("code", is("VALIDATION_ERROR"))
        .body("errors[0].pointer", is("/currentPassword"));
    login(email, OLD).statusCode(200);
  }

  @ParameterizedTest
  @CsvSource({"7,400", "8,200", "128,200", "129,400"})
  void a_new_password_has_8_to_128_characters(int length, int status) {
    var email = account();
    var answer = change(Api.token(email, OLD), OLD, "x".repeat(length)).statusCode(status);
    if (status == 400) {
      answer.body("errors[0].pointer", is("/newPassword"));
      login(email, OLD).statusCode(200);
    }
  }

  @Test
  void it_takes_a_sign_in_and_both_passwords() {
    var email = account();
    var token = Api.token(email, OLD);
    change(People.pat(token, null), OLD, NEW).statusCode(403);
    anonymous().body("{}").post("/api/auth/password").then().statusCode(401);
    for (var member : List.of("currentPassword", "newPassword")) {
      as(token).body(Map.of(member, OLD)).post("/api/auth/password").then().statusCode(400);
    }
    login(email, OLD).statusCode(200);
  }
}
