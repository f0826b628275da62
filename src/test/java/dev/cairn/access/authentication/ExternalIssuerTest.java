package dev.cairn.access.authentication;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.NumericDate;
import org.jose4j.keys.HmacKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sign-in by an external issuer: which of its tokens are accepted, and for what. */
@HttpTest
@QuarkusTest
@TestProfile(ExternalSignIn.External.class)
class ExternalIssuerTest extends ExternalSignIn {
  private static void refused(String token) {
    as(token).get("/api/whoami").then().statusCode(401).body("code", is("UNAUTHENTICATED"));
  }

  @Test
  void a_personal_access_token_takes_a_sign_in_within_15_minutes() {
    String pat = makePat(secondsAgo(14 * 60)).statusCode(201).extract().path("token");
    as(pat).get("/api/whoami").then().statusCode(200).body("kind", is("pat"));
    List<Object> refused =
        Arrays.asList(
            null,
            secondsAgo(16 * 60),
            secondsAgo(-3600),
            "soon",
            -1,
            1e30,
            1_000_000_000_000_000_000L,
            BigInteger.TWO.pow(Long.SIZE).add(BigInteger.valueOf(secondsAgo(0))));
    for (var old : refused) {
      makePat(old)
          .statusCode(403)
          .body("code", is("FORBIDDEN"))
          .body("hint", containsString("auth_time"));
    }
  }

  private static long secondsAgo(long seconds) {
    return Instant.now().getEpochSecond() - seconds;
  }

  private static ValidatableResponse makePat(Object authTime) {
    var claims = claims(Api.unique("subject"));
    if (authTime != null) {
      claims.setClaim("auth_time", authTime);
    }
    return as(TestIssuer.sign(claims, KEY)).body("{\"name\":\"p\"}").post("/api/pats").then();
  }

  @Test
  void a_token_whose_scope_names_permissions_carries_these_alone_and_is_delegated() {
    var subject = Api.unique("subject");
    var claims = claims(subject);
    claims.setClaim("auth_time", secondsAgo(0));
    claims.setClaim("scope", "openid email");
    var person = TestIssuer.sign(claims, KEY);
    var org = Api.unique("org");
    as(person).body("{\"name\":\"" + org + "\"}").post("/api/orgs").then().statusCode(201);
    claims.setClaim("scope", "openid repo:read org:read");
    var program = TestIssuer.sign(claims, KEY);

    as(program).get("/api/orgs/" + org).then().statusCode(200);
    as(program).body("{\"name\":\"r\"}").post("/api/orgs/" + org + "/repos").then().statusCode(403);
    as(program).body("{\"name\":\"p\"}").post("/api/pats").then().statusCode(403);
    as(person).body("{\"name\":\"p\"}").post("/api/pats").then().statusCode(201);
  }

  static Stream<Arguments> narrowing() {
    return Stream.of(
        arguments("scope", List.of("openid", "repo:read")),
        arguments("scope", List.of("openid repo:read")),
        arguments("scp", "openid repo:read"),
        arguments("scp", List.of("openid", "repo:read")));
  }

  @ParameterizedTest
  @MethodSource("narrowing")
  void scope_and_scp_narrow_it_as_a_text_or_an_array(String claim, Object value) {
    var claims = claims(Api.unique("subject"));
    claims.setClaim("auth_time", secondsAgo(0));
    claims.setClaim(claim, value);
    var program = TestIssuer.sign(claims, KEY);
    as(program)
        .body("{\"name\":\"" + Api.unique("o") + "\"}")
        .post("/api/orgs")
        .then()
        .statusCode(403);
    as(program).body("{\"name\":\"p\"}").post("/api/pats").then().statusCode(403);
  }

  /** Claims that mean to name permissions, and those that are left of them. */
  static Stream<Arguments> unclear() {
    return Stream.of(
        arguments("repo:read\trepo:write", List.of("read", "write")),
        arguments("repo:read\u00a0repo:write", List.of("read", "write")),
        arguments("repo:read\u2003repo:write", List.of("read", "write")),
        arguments("repo:read\n", List.of("read")),
        arguments("openid repo:read repo:propose", List.of("read")),
        arguments("repo:read,repo:write", List.of()),
        arguments("repo:read\u200brepo:write", List.of()),
        arguments("Repo:Read", List.of()),
        arguments("ORG:READ", List.of()),
        arguments("api://cairn/repo:read", List.of()),
        arguments("openid repo:foo", List.of()),
        arguments("repo:propose", List.of()),
        arguments("org:", List.of()),
        arguments(List.of("openid", "repo:read,repo:write"), List.of()),
        arguments(List.of("repo:read\nrepo:write"), List.of("read", "write")));
  }

  @ParameterizedTest
  @MethodSource("unclear")
  void a_scope_that_means_a_permission_narrows_it_however_it_is_written(
      Object scope, List<String> left) {
    var claims = claims(Api.unique("subject"));
    var person = TestIssuer.sign(claims, KEY);
    var org = Api.unique("org");
    as(person).body("{\"name\":\"" + org + "\"}").post("/api/orgs").then().statusCode(201);
    as(person).body("{\"name\":\"r\"}").post("/api/orgs/" + org + "/repos").then().statusCode(201);
    var repository = "/api/repos/" + org + "/r";
    var commit =
        "{\"dryRun\":true,\"operations\":[{\"operation\":\"add\",\"name\":\"Note\",\"data\":{\"fields\":{}}}]}";
    for (var claim : List.of("scope", "scp")) {
      claims.unsetClaim("scope");
      claims.setClaim(claim, scope);
      var program = TestIssuer.sign(claims, KEY);
      as(program)
          .body("{\"name\":\"" + Api.unique("o") + "\"}")
          .post("/api/orgs")
          .then()
          .statusCode(403);
      as(program).get(repository + "/head").then().statusCode(left.contains("read") ? 200 : 403);
      as(program)
          .body(commit)
          .post(repository + "/commits")
          .then()
          .statusCode(left.contains("write") ? 200 : 403);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "openid profile", "read:org repo_deployment", "https://example.com/r"})
  void scopes_of_other_services_narrow_nothing(String scope) {
    var claims = claims(Api.unique("subject"));
    claims.setClaim("scope", scope);
    as(TestIssuer.sign(claims, KEY))
        .body("{\"name\":\"" + Api.unique("o") + "\"}")
        .post("/api/orgs")
        .then()
        .statusCode(201);
  }

  static Stream<Object> unreadable() {
    return Stream.of(
        7, true, Map.of("repo:read", true), List.of("repo:read", 7), List.of(List.of()));
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void a_scope_of_another_type_is_refused(Object value) {
    for (var claim : List.of("scope", "scp")) {
      var claims = claims("s");
      claims.setClaim(claim, value);
      refused(TestIssuer.sign(claims, KEY));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"exp", "iat"})
  void times_that_no_calendar_has_are_refused(String claim) {
    for (var time : List.of(1_000_000_000_000_000_000L, Long.MAX_VALUE, 1e30, Long.MIN_VALUE)) {
      var claims = claims("s");
      claims.setClaim(claim, time);
      refused(TestIssuer.sign(claims, KEY));
    }
  }

  @Test
  void there_are_no_sessions_but_an_audit_log() {
    var token = token(Api.unique("subject"));
    as(token).get("/api/sessions").then().statusCode(404);
    as(token).delete("/api/sessions").then().statusCode(404);
    as(token)
        .get("/api/audit")
        .then()
        .statusCode(200)
        .body("items.action", contains("account.created"));
  }

  @Test
  void both_audiences_of_the_service_are_taken_and_no_other() {
    as(TestIssuer.sign(ISSUER.claims(AUDIENCE + "/mcp", "s"), KEY))
        .get("/api/whoami")
        .then()
        .statusCode(200);
    for (var wrong : List.of("https://other.example.org", AUDIENCE + "/", AUDIENCE + "/x")) {
      refused(TestIssuer.sign(ISSUER.claims(wrong, "s"), KEY));
    }
    var none = claims("s");
    none.unsetClaim("aud");
    refused(TestIssuer.sign(none, KEY));
  }

  @ParameterizedTest
  @ValueSource(strings = {"iss", "sub", "exp"})
  void a_token_without_one_of_its_claims_is_refused(String claim) {
    var claims = claims("s");
    claims.unsetClaim(claim);
    refused(TestIssuer.sign(claims, KEY));
  }

  static Stream<Object> nobodies() {
    return Stream.of("", " ", "\u200B", "a\u0000b", "a\nb", "x".repeat(256), 7, true, List.of("s"));
  }

  @ParameterizedTest
  @MethodSource("nobodies")
  void a_subject_that_names_nobody_is_refused(Object subject) {
    var claims = claims("s");
    claims.setClaim("sub", subject);
    refused(TestIssuer.sign(claims, KEY));
  }

  @Test
  void a_token_of_another_issuer_is_refused() {
    var claims = claims("s");
    claims.setIssuer("https://issuer.example.org");
    refused(TestIssuer.sign(claims, KEY));
  }

  /** Also for what is asked once more after a wait. */
  @Test
  void a_token_is_taken_until_a_minute_after_its_end() {
    var claims = claims(Api.unique("subject"));
    var end = NumericDate.now();
    end.addSeconds(-30);
    claims.setExpirationTime(end);
    claims.setIssuedAt(NumericDate.fromSeconds(end.getValue() - 600));
    as(TestIssuer.sign(claims, KEY))
        .body("{\"name\":\"" + Api.unique("o") + "\"}")
        .post("/api/orgs")
        .then()
        .statusCode(201);
  }

  @Test
  void an_expired_token_is_refused() {
    var claims = claims("s");
    claims.setExpirationTimeMinutesInTheFuture(-2);
    refused(TestIssuer.sign(claims, KEY));
  }

  @Test
  void a_token_that_is_not_valid_yet_is_refused() {
    var claims = claims("s");
    claims.setNotBeforeMinutesInThePast(-10);
    refused(TestIssuer.sign(claims, KEY));
  }

  @Test
  void a_rotated_key_is_found_and_the_old_one_is_refused() throws InterruptedException {
    as(token("s")).get("/api/whoami").then().statusCode(200);
    var next = TestIssuer.ec("second");
    ISSUER.publish(next);
    awaitAccepted(TestIssuer.sign(claims("s"), next));
    // The token of above may be taken for half a minute yet; this one was never seen.
    var unseen = token("another");
    refused(unseen);
    ISSUER.publish(KEY);
    awaitAccepted(unseen);
  }

  /** Keys are not asked for twice in a third of a second, however many tokens name unknown ones. */
  private static void awaitAccepted(String token) {
    Eventually.await("the token is accepted", () -> statusOf(token) == 200);
  }

  private static int statusOf(String token) {
    return as(token).get("/api/whoami").statusCode();
  }

  @Test
  void a_key_that_is_not_published_is_refused_whatever_it_calls_itself() {
    refused(TestIssuer.sign(claims("s"), TestIssuer.rsa("first")));
    refused(TestIssuer.sign(claims("s"), TestIssuer.rsa("unknown")));
    refused(TestIssuer.sign(claims("s"), TestIssuer.ec("first")));
  }

  @Test
  void the_public_key_is_no_secret_to_sign_with() throws Exception {
    var signature = new JsonWebSignature();
    signature.setPayload(claims("s").toJson());
    signature.setKey(new HmacKey(KEY.getPublicKey().getEncoded()));
    signature.setKeyIdHeaderValue(KEY.getKeyId());
    signature.setAlgorithmHeaderValue("HS256");
    refused(signature.getCompactSerialization());
  }

  @Test
  void a_token_without_a_signature_is_refused() {
    var header = "{\"alg\":\"none\",\"kid\":\"first\"}";
    refused(base64(header) + "." + base64(claims("s").toJson()) + ".");
    var parts = token("s").split("\\.", -1);
    refused(parts[0] + "." + parts[1] + ".");
    refused(parts[0] + "." + base64(claims("other").toJson()) + "." + parts[2]);
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/api/auth/login", "/api/auth/refresh", "/api/auth/logout", "/api/auth/signup"})
  void the_built_in_sign_in_does_not_exist(String path) {
    anonymous()
        .body("{\"email\":\"admin@example.org\",\"password\":\"correct horse battery\"}")
        .post(path)
        .then()
        .statusCode(404)
        .body("code", is("NOT_FOUND"));
  }

  @Test
  void the_built_in_keys_are_not_published() {
    anonymous().get("/.well-known/jwks.json").then().statusCode(404);
  }
}
