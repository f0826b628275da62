package dev.cairn.oauth;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Limited.SIGN_INS;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;

import dev.cairn.HttpTest;
import dev.cairn.Limited;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** OAuth: the limits, which the other tests run without. */
@HttpTest
@QuarkusTest
@TestProfile(Limited.class)
class OAuthLimitTest {
  @BeforeEach
  void refill() {
    Limited.refill();
  }

  @Test
  void registrations_of_one_address_are_limited() {
    for (int i = 0; i < SIGN_INS; i++) {
      Flow.register("Client", "https://a.example/");
    }
    Flow.register(Map.of("redirect_uris", List.of("https://a.example/")))
        .statusCode(429)
        .contentType("application/json")
        .body("error", is("temporarily_unavailable"))
        .header("Retry-After", matchesPattern("[1-9][0-9]*"));
  }

  @Test
  void devices_of_one_address_are_limited() {
    for (int i = 0; i < SIGN_INS; i++) {
      Flow.post("/oauth/device_authorization", Map.of("client_id", "cairn-cli")).statusCode(200);
    }
    Flow.post("/oauth/device_authorization", Map.of("client_id", "cairn-cli"))
        .statusCode(429)
        .header("Retry-After", matchesPattern("[1-9][0-9]*"));
  }

  @Test
  void guesses_at_user_codes_are_limited_and_then_the_right_one_is_no_use() {
    String code =
        Flow.post("/oauth/device_authorization", Map.of("client_id", "cairn-cli"))
            .extract()
            .path("user_code");
    var web = Web.signedIn();
    var page = web.get("/device");
    for (int i = 0; i < SIGN_INS; i++) {
      web.submit(page, Map.of("user_code", "BBBB-BBB" + "BCDF".charAt(i))).then().statusCode(400);
    }
    web.submit(page, Map.of("user_code", code))
        .then()
        .statusCode(429)
        .contentType("text/html")
        .header("Retry-After", matchesPattern("[1-9]|1[0-5]"))
        .body(containsString("role=\"alert\""));
  }

  @Test
  void sign_ins_on_the_page_are_limited_like_those_of_scripts() {
    var web = new Web();
    var page = web.get("/oauth/sign-in");
    for (int i = 0; i < SIGN_INS; i++) {
      web.submit(page, Map.of("email", i + "@example.org", "password", "wrong"))
          .then()
          .statusCode(400);
    }
    web.submit(page, Map.of("email", "last@example.org", "password", "wrong"))
        .then()
        .statusCode(429)
        .contentType("text/html")
        .header("Retry-After", matchesPattern("[1-9]|1[0-5]"))
        .body(containsString("role=\"alert\""));
    anonymous()
        .body(Map.of("email", "a@example.org", "password", "wrong"))
        .post("/api/auth/login")
        .then()
        .statusCode(429);
  }
}
