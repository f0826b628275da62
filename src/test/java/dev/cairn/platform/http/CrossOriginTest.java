package dev.cairn.platform.http;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** API, Calls from browsers, as they are without settings: for pages of any origin. */
@HttpTest
@QuarkusTest
class CrossOriginTest {
  private static final String ORIGIN = "https://app.example.org";

  private static RequestSpecification from(RequestSpecification caller) {
    return caller.header("Origin", ORIGIN);
  }

  @Test
  void a_page_of_any_origin_reads_answers_and_their_headers() {
    var repository = Api.newRepository();
    from(admin())
        .get(repository + "/head")
        .then()
        .statusCode(200)
        .header("Access-Control-Allow-Origin", "*")
        .header("Access-Control-Allow-Credentials", nullValue())
        .header("Vary", not(containsString("Origin")))
        .header(
            "Access-Control-Expose-Headers",
            is("ETag, Link, Location, Retry-After, WWW-Authenticate, X-Cairn-Repo-Seq"));
    from(anonymous()).get("/api/whoami").then().header("Access-Control-Allow-Origin", "*");
    from(anonymous().header("Authorization", "Bearer nothing"))
        .get("/api/whoami")
        .then()
        .statusCode(401)
        .header("Access-Control-Allow-Origin", "*")
        .header("Access-Control-Expose-Headers", containsString("WWW-Authenticate"));
    from(anonymous())
        .get("/api/repos/%2e%2e")
        .then()
        .statusCode(400)
        .header("Access-Control-Allow-Origin", "*");
  }

  @ParameterizedTest
  @CsvSource({"300000, 1, 414", "1, 60000, 431"})
  void a_page_learns_why_a_request_was_refused_before_it_was_read(
      int lengthOfUri, int lengthOfHeader, int status) {
    var answer =
        RawHttp.get(
            "/api/" + "a".repeat(lengthOfUri),
            "X-Long: " + "a".repeat(lengthOfHeader),
            "Origin: " + ORIGIN);
    assertEquals(status, answer.status());
    assertEquals("*", answer.header("access-control-allow-origin"));
  }

  @Test
  void a_page_learns_that_a_request_is_malformed() {
    var answer = RawHttp.get("/api/whoami", "Origin: " + ORIGIN, "Bad Header: x");
    assertEquals(400, answer.status());
    assertEquals("*", answer.header("access-control-allow-origin"));
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
        .header("Access-Control-Allow-Origin", "*")
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

  @Test
  void a_preflight_of_a_path_that_is_too_long_is_refused_like_any_request() {
    from(anonymous())
        .header("Access-Control-Request-Method", "POST")
        .options("/api/" + "a".repeat(RequestLimits.MAX_URI))
        .then()
        .statusCode(414);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/oauth/authorize", "/oauth/sign-in", "/device", "/q/health", "/q/metrics"})
  void pages_with_cookies_and_what_operators_ask_are_open_to_no_other_origin(String path) {
    from(anonymous()).get(path).then().header("Access-Control-Allow-Origin", nullValue());
    from(anonymous())
        .header("Access-Control-Request-Method", "POST")
        .options(path)
        .then()
        .header("Access-Control-Allow-Origin", nullValue())
        .header("Access-Control-Allow-Methods", nullValue());
  }

  @Test
  void an_answer_without_an_origin_may_be_cached_for_all() {
    anonymous().get("/llms.txt").then().header("Access-Control-Allow-Origin", "*");
    anonymous()
        .options("/api/whoami")
        .then()
        .statusCode(200)
        .header("Allow", equalTo("GET, HEAD, OPTIONS"));
  }
}
