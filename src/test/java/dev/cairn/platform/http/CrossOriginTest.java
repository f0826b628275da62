package dev.cairn.platform.http;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** API, Calls from browsers, as they are without settings: for pages of this machine. */
@HttpTest
@QuarkusTest
class CrossOriginTest {
  private static final String ORIGIN = "http://localhost:5173";

  private static RequestSpecification from(RequestSpecification caller) {
    return caller.header("Origin", ORIGIN);
  }

  @Test
  void a_page_of_this_machine_reads_answers_and_their_headers() {
    var repository = Api.newRepository();
    from(admin())
        .get(repository + "/head")
        .then()
        .statusCode(200)
        .header("Access-Control-Allow-Origin", ORIGIN)
        .header("Access-Control-Allow-Credentials", nullValue())
        .header(
            "Access-Control-Expose-Headers",
            is("ETag, Link, Location, Retry-After, WWW-Authenticate, X-Cairn-Repo-Seq"));
    from(anonymous()).get("/api/whoami").then().header("Access-Control-Allow-Origin", ORIGIN);
    from(anonymous().header("Authorization", "Bearer nothing"))
        .get("/api/whoami")
        .then()
        .statusCode(401)
        .header("Access-Control-Allow-Origin", ORIGIN)
        .header("Access-Control-Expose-Headers", containsString("WWW-Authenticate"));
    from(anonymous())
        .get("/api/repos/%2e%2e")
        .then()
        .statusCode(400)
        .header("Access-Control-Allow-Origin", ORIGIN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/repos/o/r/commits",
        "/api/auth/login",
        "/mcp",
        "/mcp/o/r",
        "/.well-known/oauth-authorization-server",
        "/.well-known/jwks.json",
        "/oauth/token",
        "/oauth/register",
        "/q/openapi",
        "/o/r/llms.txt"
      })
  void a_preflight_is_answered_before_anything_asks_who_calls(String path) {
    from(anonymous())
        .header("Access-Control-Request-Method", "POST")
        .header("Access-Control-Request-Headers", "authorization,content-type,if-match")
        .options(path)
        .then()
        .statusCode(204)
        .header("Access-Control-Allow-Origin", ORIGIN)
        .header("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE")
        .header("Access-Control-Allow-Headers", "Authorization, *")
        .header("Access-Control-Max-Age", "86400")
        .body(is(""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/../x", "/api/%00", "/api/repos/o/r/%2e%2e"})
  void a_preflight_of_a_malformed_path_is_refused_like_any_request(String path) {
    from(anonymous())
        .header("Access-Control-Request-Method", "POST")
        .options(path)
        .then()
        .statusCode(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/oauth/authorize", "/oauth/sign-in", "/oauth/device", "/q/health", "/q/metrics"})
  void pages_with_cookies_and_what_operators_ask_are_open_to_no_other_origin(String path) {
    from(anonymous()).get(path).then().header("Access-Control-Allow-Origin", nullValue());
    from(anonymous())
        .header("Access-Control-Request-Method", "POST")
        .options(path)
        .then()
        .header("Access-Control-Allow-Origin", nullValue())
        .header("Access-Control-Allow-Methods", nullValue());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example.org",
        "http://localhost.evil.example.org",
        "http://127.0.0.1.evil.example.org:80",
        "null"
      })
  void without_a_public_url_pages_of_other_machines_may_call_nothing(String origin) {
    anonymous()
        .header("Origin", origin)
        .header("Access-Control-Request-Method", "POST")
        .options("/api/auth/signup")
        .then()
        .header("Access-Control-Allow-Origin", nullValue())
        .header("Access-Control-Allow-Methods", nullValue())
        .header("Vary", containsString("Origin"));
    anonymous()
        .header("Origin", origin)
        .get("/api/whoami")
        .then()
        .header("Access-Control-Allow-Origin", nullValue());
  }

  @Test
  void without_an_origin_nothing_is_added() {
    anonymous()
        .get("/api/whoami")
        .then()
        .header("Access-Control-Allow-Origin", nullValue())
        .header("Access-Control-Expose-Headers", nullValue());
    anonymous()
        .options("/api/whoami")
        .then()
        .statusCode(200)
        .header("Allow", equalTo("GET, HEAD, OPTIONS"));
  }
}
