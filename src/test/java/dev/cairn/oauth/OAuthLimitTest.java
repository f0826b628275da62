package dev.cairn.oauth;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Limited.SIGN_INS;
import static dev.cairn.Limited.UNCLAIMED;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Limited;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
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
  void clients_without_a_token_are_limited_for_the_whole_service_and_old_ones_make_room() {
    var database = OwnConnections.database();
    database.update("delete from oauth_client");
    String first = registerFrom(0).statusCode(201).extract().path("client_id");
    for (int i = 1; i < UNCLAIMED; i++) {
      registerFrom(i).statusCode(201);
    }
    registerFrom(UNCLAIMED)
        .statusCode(429)
        .contentType("application/json")
        .body("error", is("temporarily_unavailable"))
        .body("error_description", containsString("20 OAuth clients"))
        .header("Retry-After", matchesPattern("[1-9][0-9]*"));

    database.update(
        "update oauth_client set created_at = now() - interval '61 minutes' where id = ?", first);
    registerFrom(UNCLAIMED).statusCode(201);
    Flow.post("/oauth/device_authorization", Map.of("client_id", first)).statusCode(401);
    registerFrom(UNCLAIMED + 1).statusCode(429);

    database.update(
        """
        update oauth_client set used_at = now() where id = (select max(id) from oauth_client)
        """);
    registerFrom(UNCLAIMED + 2).statusCode(201);
    database.update("delete from oauth_client");
  }

  @Test
  void devices_that_wait_are_limited_for_the_whole_service_and_expired_ones_make_room() {
    var database = OwnConnections.database();
    database.update("delete from oauth_device");
    for (int i = 0; i < UNCLAIMED; i++) {
      deviceFrom(i).statusCode(200);
    }
    deviceFrom(UNCLAIMED)
        .statusCode(429)
        .body("error", is("temporarily_unavailable"))
        .header("Retry-After", matchesPattern("[1-9][0-9]*"));

    database.update(
        """
        update oauth_device set expires_at = now()
        where hash = (select hash from oauth_device limit 1)
        """);
    deviceFrom(UNCLAIMED).statusCode(200);
    deviceFrom(UNCLAIMED + 1).statusCode(429);
    database.update("delete from oauth_device");
  }

  @Test
  void the_network_with_the_most_clients_loses_one_to_another_network() {
    var database = OwnConnections.database();
    database.update("delete from oauth_client");
    String first = registerFrom(0).statusCode(201).extract().path("client_id");
    for (int i = 1; i < UNCLAIMED; i++) {
      registerFrom(i).statusCode(201);
    }
    registerFrom(UNCLAIMED).statusCode(429);
    for (int i = 1; i < UNCLAIMED; i++) {
      registerFrom("10.0.%d.1".formatted(i)).statusCode(201);
    }
    Flow.post("/oauth/device_authorization", Map.of("client_id", first)).statusCode(401);
    registerFrom("10.1.0.1").statusCode(429);
    database.update("delete from oauth_client");
  }

  @Test
  void the_network_with_the_most_devices_loses_one_to_another_network() {
    var database = OwnConnections.database();
    database.update("delete from oauth_device");
    for (int i = 0; i < UNCLAIMED; i++) {
      deviceFrom(i).statusCode(200);
    }
    deviceFrom(UNCLAIMED).statusCode(429);
    deviceFrom("10.0.1.1").statusCode(200);
    deviceFrom(UNCLAIMED).statusCode(429);
    database.update("delete from oauth_device");
  }

  /** From addresses of one network. */
  private static ValidatableResponse registerFrom(int number) {
    return registerFrom("198.51.100." + number);
  }

  private static ValidatableResponse registerFrom(String address) {
    return Api.anonymous()
        .header("X-Forwarded-For", address)
        .body(Map.of("redirect_uris", List.of("https://a.example/")))
        .post("/oauth/register")
        .then();
  }

  private static ValidatableResponse deviceFrom(int number) {
    return deviceFrom("198.51.100." + number);
  }

  private static ValidatableResponse deviceFrom(String address) {
    return given()
        .header("X-Forwarded-For", address)
        .contentType("application/x-www-form-urlencoded")
        .body(Web.encoded(Map.of("client_id", "cairn-cli")))
        .post("/oauth/device_authorization")
        .then();
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
