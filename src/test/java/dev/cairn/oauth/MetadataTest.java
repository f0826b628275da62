package dev.cairn.oauth;

import static dev.cairn.Api.anonymous;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** OAuth: what clients can find out by themselves. */
@HttpTest
@QuarkusTest
class MetadataTest {
  @Test
  void the_authorization_server_names_its_endpoints_and_what_it_takes() {
    var base = Flow.base();
    anonymous()
        .get("/.well-known/oauth-authorization-server?unknown=x")
        .then()
        .statusCode(200)
        .contentType("application/json")
        .header("Cache-Control", "no-store")
        .body("issuer", is(base))
        .body("authorization_endpoint", is(base + "/oauth/authorize"))
        .body("token_endpoint", is(base + "/oauth/token"))
        .body("registration_endpoint", is(base + "/oauth/register"))
        .body("revocation_endpoint", is(base + "/oauth/revoke"))
        .body("device_authorization_endpoint", is(base + "/oauth/device_authorization"))
        .body("jwks_uri", is(base + "/.well-known/jwks.json"))
        .body("response_types_supported", contains("code"))
        .body("code_challenge_methods_supported", contains("S256"))
        .body("token_endpoint_auth_methods_supported", contains("none"))
        .body("authorization_response_iss_parameter_supported", is(true))
        .body(
            "grant_types_supported",
            containsInAnyOrder("authorization_code", "refresh_token", Flow.DEVICE_GRANT))
        .body("scopes_supported", hasItem("repo:read"));
  }

  @Test
  void the_service_and_mcp_are_protected_resources_of_their_own() {
    assertResource("/.well-known/oauth-protected-resource", Flow.base());
    assertResource("/.well-known/oauth-protected-resource/mcp", Flow.base() + "/mcp");
    assertResource("/mcp/.well-known/oauth-protected-resource", Flow.base() + "/mcp");
  }

  private static void assertResource(String path, String resource) {
    anonymous()
        .get(path)
        .then()
        .statusCode(200)
        .body("resource", is(resource))
        .body("authorization_servers", contains(Flow.base()))
        .body("bearer_methods_supported", contains("header"));
  }
}
