package dev.cairn.oauth;

import static dev.cairn.Api.anonymous;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;

import dev.cairn.HttpTest;
import dev.cairn.access.authentication.ExternalSignIn;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** OAuth: where another issuer is configured, Cairn is none, and points at it. */
@HttpTest
@QuarkusTest
@TestProfile(ExternalSignIn.External.class)
class ExternalIssuerTest {
  @ParameterizedTest
  @ValueSource(strings = {"/oauth/authorize", "/oauth/sign-in", "/device"})
  void the_pages_do_not_exist(String path) {
    given()
        .redirects()
        .follow(false)
        .get(path)
        .then()
        .statusCode(404)
        .contentType("application/problem+json")
        .body("code", is("NOT_FOUND"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"token", "revoke", "device_authorization", "sign-in", "sign-out", "authorize"})
  void the_endpoints_do_not_exist(String path) {
    Flow.post("/oauth/" + path, Map.of("client_id", "cairn-cli"))
        .statusCode(404)
        .body("code", is("NOT_FOUND"));
  }

  @Test
  void nobody_registers() {
    anonymous().body("{}").post("/oauth/register").then().statusCode(404);
  }

  @Test
  void the_resources_name_the_other_issuer() {
    for (var path :
        new String[] {
          "/.well-known/oauth-protected-resource",
          "/.well-known/oauth-protected-resource/mcp",
          "/mcp/.well-known/oauth-protected-resource"
        }) {
      anonymous()
          .get(path)
          .then()
          .statusCode(200)
          .body("authorization_servers", contains(ExternalSignIn.issuer()));
    }
  }

  @Test
  void the_metadata_of_the_server_are_the_other_issuers() {
    var issuer = URI.create(ExternalSignIn.issuer());
    given()
        .redirects()
        .follow(false)
        .get("/.well-known/oauth-authorization-server")
        .then()
        .statusCode(307)
        .header(
            "Location",
            issuer
                .resolve("/.well-known/oauth-authorization-server" + issuer.getPath())
                .toString());
  }
}
