package dev.cairn.platform.http;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.model.ErrorCode;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors: each code that the endpoints of today can raise, and the document that says it. */
@HttpTest
@QuarkusTest
class ErrorsTest {
  private static final Pattern LEAK =
      Pattern.compile(
          "(?i)exception|dev\\.cairn|io\\.quarkus|java\\.|jakarta\\.|org\\.(post|jboss|hib)|\\bat "
              + "[a-z]+\\.|select .* from|insert into|psql|sqlstate|PreparedStatement|resteasy");
  private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");
  static final String BATCH = "/api/repos/demo/world/things/batch";

  static void assertNothingLeaks(String body) {
    assertFalse(LEAK.matcher(body).find(), body);
  }

  /** Asserts the whole form of a problem document. */
  static ValidatableResponse problem(ValidatableResponse response, ErrorCode code) {
    assertNothingLeaks(response.extract().asString());
    return response
        .statusCode(code.status())
        .contentType(equalTo("application/problem+json"))
        .body("type", is("urn:cairn:error:" + code.name()))
        .body("title", is(code.title()))
        .body("status", is(code.status()))
        .body("code", is(code.name()))
        .body("detail", notNullValue());
  }

  static ValidatableResponse invalid(ValidatableResponse response, String pointer) {
    return problem(response, ErrorCode.VALIDATION_ERROR)
        .body("errors[0].pointer", is(pointer))
        .body("errors[0].detail", notNullValue());
  }

  static ValidatableResponse batch(String body) {
    return anonymous().body(body.replace('\'', '"')).post(BATCH).then();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/nothing", "/api", "/api/nothing", "/api/repos", "/api/repos/demo/world/no"})
  void an_unknown_path_is_not_found(String path) {
    problem(anonymous().get(path).then(), ErrorCode.NOT_FOUND);
    problem(given().accept("text/html").get(path).then(), ErrorCode.NOT_FOUND);
    problem(admin().get(path).then(), ErrorCode.NOT_FOUND);
    problem(anonymous().options(path).then(), ErrorCode.NOT_FOUND);
  }

  @Test
  void options_names_the_methods_of_each_path() {
    Map<String, Map<String, Object>> paths = anonymous().get("/q/openapi.json").path("paths");
    for (var path : paths.keySet()) {
      if (path.contains("/streams/")) {
        continue; // there only where the repository has streams; see SwitchTest
      }
      var url = path.replaceAll("\\{[^}]*}", "x");
      var methods = new TreeSet<>(Set.of("OPTIONS"));
      paths.forEach(
          (template, operations) -> {
            if (url.matches(pattern(template))) {
              operations.keySet().stream()
                  .map(name -> name.toUpperCase(Locale.ROOT))
                  .filter(METHODS::contains)
                  .forEach(methods::add);
            }
          });
      if (methods.contains("GET")) {
        methods.add("HEAD");
      }
      var allowed = anonymous().options(url).header("Allow");
      assertEquals(methods, new TreeSet<>(List.of(allowed.split(", "))), path);
    }
  }

  /** Wrefs and the names of subscriptions have slashes. */
  private static String pattern(String template) {
    return template
        .replaceAll("\\{wref}|(?<=/subs/)\\{name}", ".+")
        .replaceAll("\\{[^}]*}", "[^/]+");
  }

  @Test
  void another_method_is_405_and_allow_names_those_that_are() {
    problem(anonymous().put("/api/repos/demo/world/head").then(), ErrorCode.METHOD_NOT_ALLOWED)
        .header("Allow", containsString("GET"));
    problem(anonymous().delete("/api/auth/login").then(), ErrorCode.METHOD_NOT_ALLOWED)
        .header("Allow", allOf(containsString("POST"), not(containsString("GET"))));
    problem(admin().put("/api/repos/demo/world/commits").then(), ErrorCode.METHOD_NOT_ALLOWED)
        .header("Allow", allOf(containsString("POST"), containsString("GET")));
    problem(admin().post("/api/repos/demo/world/things/X/y").then(), ErrorCode.METHOD_NOT_ALLOWED)
        .header("Allow", containsString("GET"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/q/metrics",
        "/q/metrics/",
        "/q/health",
        "/q/health/live",
        "/q/health/ready/",
        "/q/openapi"
      })
  void management_paths_take_only_get_and_head(String path) {
    for (var method : List.of("POST", "PUT", "PATCH", "DELETE", "TRACE", "FOO")) {
      problem(anonymous().request(method, path).then(), ErrorCode.METHOD_NOT_ALLOWED)
          .header("Allow", is("GET, HEAD, OPTIONS"));
    }
    anonymous().options(path).then().statusCode(200).header("Allow", is("GET, HEAD, OPTIONS"));
    problem(anonymous().body("x".repeat(100_000)).post(path).then(), ErrorCode.METHOD_NOT_ALLOWED);
    anonymous().head(path).then().statusCode(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/q/metrics/x",
        "/q/metrics/application",
        "/q/health/x",
        "/q/health/well",
        "/q/health/group",
        "/q/health/group/x",
        "/q/x"
      })
  void management_paths_that_there_are_not_are_404(String path) {
    for (var method : List.of("GET", "POST", "OPTIONS")) {
      problem(anonymous().request(method, path).then(), ErrorCode.NOT_FOUND);
    }
  }

  @Test
  void a_representation_that_there_is_not_is_406() {
    problem(
        given().accept("text/html").get("/api/repos/demo/world/head").then(),
        ErrorCode.NOT_ACCEPTABLE);
    problem(given().accept("image/png").get("/api/whoami").then(), ErrorCode.NOT_ACCEPTABLE);
    problem(
        given().accept("application/json;q=0").get("/api/whoami").then(), ErrorCode.NOT_ACCEPTABLE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"*/*", "application/json", "application/*;q=0.1", "text/html, */*;q=0.1"})
  void accept_headers_that_allow_json_get_json(String accept) {
    given()
        .accept(accept)
        .get("/api/repos/demo/world/count")
        .then()
        .statusCode(200)
        .contentType(ContentType.JSON);
  }

  @ParameterizedTest
  @ValueSource(strings = {"garbage", "/", "a/b/c;;;q=x", "*", "application/json;q=9"})
  void a_malformed_accept_header_is_no_fault(String accept) {
    var answer = RawHttp.get("/api/whoami", "Accept: " + accept);
    if (answer.status() != 200) {
      HostileUrlTest.refused(accept, answer, 400, 406);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"garbage", "/", "application/", ";", "application/json;charset=nonsense"})
  void a_malformed_content_type_is_no_fault(String type) {
    var answer = RawHttp.send("POST " + BATCH, "{\"wrefs\":[\"X/y\"]}", "Content-Type: " + type);
    if (answer.status() != 200) {
      HostileUrlTest.refused(type, answer, 400, 415);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "br", "deflate", "gzip, gzip", "identity, gzip", "x"})
  void a_body_with_an_encoding_is_415_and_not_read_as_it_is(String encoding) {
    var repository = Api.newRepository();
    for (var path :
        List.of(
            "/api/orgs", "/api/auth/login", "/mcp", "/oauth/token", repository + "/things/batch")) {
      problem(
          admin()
              .header("Content-Encoding", encoding)
              .body("{\"name\":\"" + Api.unique("encoded") + "\",\"operations\":[]}")
              .post(path)
              .then(),
          ErrorCode.UNSUPPORTED_MEDIA_TYPE);
    }
    var named = Map.of("name", Api.unique("plain"));
    admin()
        .header("Content-Encoding", "identity")
        .body(named)
        .post("/api/orgs")
        .then()
        .statusCode(201);
  }

  @Test
  void a_body_of_another_media_type_is_415() {
    problem(
        given().contentType("text/plain").body("{}").post(BATCH).then(),
        ErrorCode.UNSUPPORTED_MEDIA_TYPE);
    problem(
        given().contentType("application/xml").body("<a/>").post("/api/auth/login").then(),
        ErrorCode.UNSUPPORTED_MEDIA_TYPE);
    problem(
        as(Api.adminToken())
            .contentType("text/csv")
            .body("a,b")
            .post("/api/repos/demo/world/commits")
            .then(),
        ErrorCode.UNSUPPORTED_MEDIA_TYPE);
  }

  @Test
  void a_body_at_the_limit_is_read_and_one_byte_more_is_413() {
    assertLimit(BATCH, "{\"wrefs\":[\"X/y\"]}", 1024 * 1024, 200);
    assertLimit("/api/auth/login", "{\"email\":\"x\",\"password\":\"y\"}", 64 * 1024, 401);
    assertLimit("/api/orgs", "{\"name\":\"" + Api.unique("org") + "\"}", 64 * 1024, 201);
  }

  private static void assertLimit(String path, String body, int limit, int status) {
    var most = body + " ".repeat(limit - body.length());
    assertEquals(status, post(path, most).status(), path);
    assertTooLarge(path, post(path, most + " "));
    // blanks alone are no JSON, which is found out when all are read
    HostileUrlTest.refused(path, chunked(path, limit), 400);
    for (int size : new int[] {limit + 1, 16 * 1024 * 1024 + 1, 20 * 1024 * 1024}) {
      assertTooLarge(path, chunked(path, size));
    }
  }

  private static RawHttp.Answer post(String path, String body) {
    return RawHttp.send("POST " + path, body, "Content-Type: application/json", bearer(path));
  }

  private static RawHttp.Answer chunked(String path, int size) {
    return RawHttp.chunked("POST " + path, size, "Content-Type: application/json", bearer(path));
  }

  private static String bearer(String path) {
    return path.equals("/api/orgs") ? "Authorization: Bearer " + Api.adminToken() : "X-None: 1";
  }

  private static void assertTooLarge(String path, RawHttp.Answer answer) {
    HostileUrlTest.refused(path, answer, 413);
    assertTrue(answer.body().contains("\"PAYLOAD_TOO_LARGE\""), answer.body());
  }

  @Test
  void a_body_of_more_than_10000_values_is_413_however_short() {
    var nulls = ",null".repeat(10_000 - 4);
    problem(batch("{'wrefs':['X/y'" + nulls + "]}"), ErrorCode.VALIDATION_ERROR);
    problem(batch("{'wrefs':['X/y'" + nulls + ",null]}"), ErrorCode.PAYLOAD_TOO_LARGE);
  }

  @Test
  void a_content_length_that_promises_too_much_is_413_at_once() {
    var answer =
        RawHttp.send(
            "POST " + BATCH, "", "Content-Type: application/json", "Content-Length: 999999999999");
    HostileUrlTest.refused("promise", answer, 413);
  }

  @Test
  void headers_beyond_the_limit_are_431() {
    var fits = RawHttp.get("/api/whoami", "X-A: " + "a".repeat(RequestLimits.MAX_HEADERS - 100));
    assertEquals(200, fits.status());
    var answer = RawHttp.get("/api/whoami", "X-A: " + "a".repeat(RequestLimits.MAX_HEADERS));
    HostileUrlTest.refused("headers", answer, 431);
    assertTrue(answer.body().contains("\"HEADERS_TOO_LARGE\""), answer.body());
  }

  @Test
  void more_than_200_header_fields_are_431_however_short() {
    // With Host and Connection, which are sent with each request here.
    var fits = Collections.nCopies(RequestLimits.MAX_HEADER_FIELDS - 2, "a: b");
    assertEquals(200, RawHttp.get("/api/whoami", fits.toArray(String[]::new)).status());
    var more = Collections.nCopies(RequestLimits.MAX_HEADER_FIELDS - 1, "a: b");
    var answer = RawHttp.get("/api/whoami", more.toArray(String[]::new));
    HostileUrlTest.refused("fields", answer, 431);
    var twoHosts = more.toArray(String[]::new);
    twoHosts[0] = "Host: localhost";
    HostileUrlTest.refused("two hosts", RawHttp.get("/api/whoami", twoHosts), 431);
    assertTrue(answer.body().contains("\"HEADERS_TOO_LARGE\""), answer.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer nonsense",
        "Bearer ",
        "Bearer",
        "Basic YTpi",
        "bearer a.b.c",
        "Token x",
        "",
        "Bearer eyJhbGciOiJFUzI1NiIsImtpZCI6NX0.e30.AA",
        "Bearer eyJhbGciOiJFUzI1NiIsImtpZCI6IlwidTAwMDAifQ.e30.AA",
        "Bearer eyJhbGciOiJFUzI1NiIsImtpZCI6Ilx1MDAwMCJ9.e30.AA",
        "Bearer e30.e30.",
        "Bearer ....",
        "Bearer W10.W10.W10",
        "Bearer bnVsbA.bnVsbA.AA",
        "Bearer cairn_pat_0000000000000000000000000000000000000000000000000"
      })
  void a_bad_token_is_401_whatever_the_path(String authorization) {
    for (var path :
        List.of("/api/repos/demo/world/head", "/api/whoami", "/nothing", "/api/repos/no/no/head")) {
      var answer = RawHttp.get(path, "Authorization: " + authorization);
      HostileUrlTest.refused(path + " " + authorization, answer, 401);
      assertTrue(answer.body().contains("\"UNAUTHENTICATED\""), answer.body());
      assertTrue(answer.header("www-authenticate").startsWith("Bearer"), answer.toString());
    }
  }

  @Test
  void a_second_authorization_header_is_401_whatever_the_two_say() {
    var good = "Authorization: Bearer " + Api.adminToken();
    for (var second : List.of(good, "Authorization: Bearer x", "authorization: Basic eDp5")) {
      for (var headers : List.of(List.of(good, second), List.of(second, good))) {
        var answer = RawHttp.get("/api/whoami", headers.toArray(String[]::new));
        HostileUrlTest.refused(headers.toString(), answer, 401);
        assertTrue(answer.body().contains("\"UNAUTHENTICATED\""), answer.body());
      }
    }
    assertEquals(200, RawHttp.get("/api/whoami", good).status());
  }

  @Test
  void an_endpoint_that_needs_an_account_is_401_with_a_challenge() {
    problem(anonymous().get("/api/orgs").then(), ErrorCode.UNAUTHENTICATED)
        .header("WWW-Authenticate", startsWith("Bearer"));
  }

  @Test
  void an_unknown_query_parameter_is_named_on_every_endpoint() {
    var repository = Api.newRepository();
    for (var path :
        List.of(
            "/head",
            "/query",
            "/count",
            "/things/X%2Fy",
            "/about/X%2Fy",
            "/history",
            "/resolve/X%2Fy",
            "/commits",
            "/commits/0123456789abcdef",
            "/shapes",
            "/shapes/X",
            "",
            "/verification")) {
      invalid(admin().get(repository + path + "?colour=red").then(), "?colour")
          .body("detail", containsString("colour"));
    }
    invalid(admin().get("/api/whoami?colour=red").then(), "?colour");
    invalid(admin().get("/api/orgs?colour=red").then(), "?colour");
    invalid(admin().body("{}").post(repository + "/commits?colour=red").then(), "?colour");
    invalid(anonymous().body("{}").post("/api/auth/login?colour=red").then(), "?colour");
    invalid(anonymous().body("{}").post(BATCH + "?colour=red").then(), "?colour");
  }

  @Test
  void an_unknown_name_of_any_length_comes_back_short() {
    var name = "x".repeat(5_000);
    var body = anonymous().get("/api/whoami?" + name + "=1").then().statusCode(400);
    body.body("detail", not(containsString("x".repeat(200))));
  }

  @Test
  void conflicts_have_their_own_codes() {
    var org = Api.newOrg();
    problem(admin().body(Map.of("name", org)).post("/api/orgs").then(), ErrorCode.ALREADY_EXISTS);
    problem(
            admin().delete("/api/orgs/" + org + "/members/" + "admin%40example.org").then(),
            ErrorCode.CONFLICT)
        .body("details.reason", is("last_owner"));
    problem(admin().body(Map.of("name", "api")).post("/api/orgs").then(), ErrorCode.RESERVED_NAME);
  }

  @Test
  void answers_are_not_sniffed_and_errors_are_not_stored() {
    anonymous()
        .get("/nothing")
        .then()
        .header("X-Content-Type-Options", "nosniff")
        .header("Cache-Control", "no-store");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/whoami",
        "/api/repos/demo/world/head",
        "/demo/world/llms.txt",
        "/demo/world/readme.md",
        "/.well-known/jwks.json",
        "/.well-known/oauth-authorization-server",
        "/oauth/sign-in",
        "/q/openapi",
        "/q/metrics",
        "/q/health/live"
      })
  void answers_of_every_kind_are_not_sniffed(String path) {
    anonymous().get(path).then().statusCode(200).header("X-Content-Type-Options", "nosniff");
  }
}
