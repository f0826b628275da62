package dev.cairn.oauth;

import static dev.cairn.Api.as;
import static dev.cairn.oauth.Flow.assertRefused;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** OAuth: the device flow. */
@HttpTest
@QuarkusTest
class DeviceTest {
  private final Database database = OwnConnections.database();

  private static Response start(String... more) {
    var form = new LinkedHashMap<>(Map.of("client_id", "cairn-cli"));
    for (int i = 0; i < more.length; i += 2) {
      form.put(more[i], more[i + 1]);
    }
    return Flow.post("/oauth/device_authorization", form).statusCode(200).extract().response();
  }

  /** Asks as a device does, having waited as long as it must. */
  private ValidatableResponse poll(Response device) {
    database.update(
        "update oauth_device set polled_at = polled_at - interval '1 hour' where hash = ?",
        Secret.hash(device.path("device_code")));
    return pollAtOnce(device);
  }

  private static ValidatableResponse pollAtOnce(Response device) {
    return Flow.token(
        Map.of(
            "grant_type",
            Flow.DEVICE_GRANT,
            "client_id",
            "cairn-cli",
            "device_code",
            device.path("device_code")));
  }

  private static Response enter(Web web, String code) {
    return web.submit(web.get("/device"), Map.of("user_code", code));
  }

  private static Response decide(Web web, String code, String decision) {
    var page = enter(web, code);
    page.then().statusCode(200);
    return web.submit(page, Map.of("decision", decision));
  }

  @Test
  void a_device_gets_its_code_and_what_the_person_has_to_do() {
    start()
        .then()
        .header("Cache-Control", "no-store")
        .body("user_code", matchesPattern("[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}"))
        .body("device_code", matchesPattern("cairn_device_[A-Za-z0-9_-]{43}"))
        .body("verification_uri", is(Flow.base() + "/device"))
        .body("verification_uri_complete", containsString("/device?user_code="))
        .body("expires_in", is(600))
        .body("interval", is(5));
  }

  @Test
  void after_the_consent_the_device_gets_its_tokens_once() {
    var device = start("scope", "repo:read", "resource", Flow.base() + "/mcp");
    assertRefused(poll(device), 400, "authorization_pending");
    decide(Web.signedIn(), device.path("user_code"), "allow")
        .then()
        .statusCode(200)
        .body(containsString("<title>Connected – Cairn</title>"));
    var tokens = poll(device).statusCode(200).body("scope", is("repo:read")).extract().response();
    var claims = Flow.claims(tokens.path("access_token"));
    assertEquals("repo:read", claims.getString("scope"));
    assertEquals(Flow.base() + "/mcp", claims.getString("aud"));
    as(tokens.path("access_token")).get("/api/whoami").then().body("authenticated", is(true));
    Flow.token(Flow.refresh(tokens.path("refresh_token"))).statusCode(200);
    assertRefused(poll(device), 400, "invalid_grant");
  }

  @Test
  void a_denial_is_told_to_the_device_and_cannot_be_undone() {
    var device = start();
    var web = Web.signedIn();
    decide(web, device.path("user_code"), "deny")
        .then()
        .body(containsString("<title>Not connected – Cairn</title>"));
    assertRefused(poll(device), 400, "access_denied");
    enter(web, device.path("user_code")).then().statusCode(400);
    assertRefused(poll(device), 400, "access_denied");
  }

  @Test
  void a_decided_code_asks_nobody_again() {
    var device = start();
    var page = enter(Web.signedIn(), device.path("user_code"));
    decide(Web.signedIn(), device.path("user_code"), "allow").then().statusCode(200);
    enter(Web.signedIn(), device.path("user_code")).then().statusCode(400);
    assertTrue(page.asString().contains("Allow"));
  }

  @Test
  void a_device_that_asks_too_often_must_slow_down_and_learns_nothing_by_it() {
    var device = start();
    assertRefused(pollAtOnce(device), 400, "authorization_pending");
    assertRefused(pollAtOnce(device), 400, "slow_down");
    assertEquals(10, interval(device));
    assertRefused(pollAtOnce(device), 400, "slow_down");
    assertEquals(15, interval(device));
    assertRefused(poll(device), 400, "authorization_pending");
    assertEquals(15, interval(device));
  }

  private int interval(Response device) {
    return database
        .first(
            "select interval_s from oauth_device where hash = ?",
            row -> row.getInt(1),
            Secret.hash(device.path("device_code")))
        .orElseThrow();
  }

  @Test
  void a_device_code_ends_after_ten_minutes() {
    var device = start();
    database.update(
        "update oauth_device set expires_at = expires_at - interval '601 seconds' where hash = ?",
        Secret.hash(device.path("device_code")));
    assertRefused(poll(device), 400, "expired_token");
    enter(Web.signedIn(), device.path("user_code")).then().statusCode(400);
  }

  @Test
  void a_device_code_is_bound_to_its_client() {
    var device = start();
    var other = Flow.register("Other", Flow.REDIRECT);
    decide(Web.signedIn(), device.path("user_code"), "allow");
    assertRefused(
        Flow.token(
            Map.of(
                "grant_type",
                Flow.DEVICE_GRANT,
                "client_id",
                other,
                "device_code",
                device.path("device_code"))),
        400,
        "invalid_grant");
    poll(device).statusCode(200);
  }

  @Test
  void the_user_code_is_no_device_code() {
    assertRefused(
        Flow.token(
            Map.of(
                "grant_type",
                Flow.DEVICE_GRANT,
                "client_id",
                "cairn-cli",
                "device_code",
                start().path("user_code"))),
        400,
        "invalid_grant");
  }

  @Test
  void case_dash_and_spaces_of_the_user_code_do_not_matter() {
    String code = start().path("user_code");
    for (var typed :
        new String[] {
          code,
          code.toLowerCase(Locale.ROOT),
          code.replace("-", ""),
          " " + code.replace("-", " ") + " ",
          String.join("-", code.replace("-", "").split("", -1))
        }) {
      enter(Web.signedIn(), typed).then().statusCode(200).body(containsString(code));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"BBBB-BBBB", "AAAA-AAAA", "BBBB", "' or 1=1 --", "<script>x</script>"})
  void a_code_that_no_device_shows_is_refused_and_shown_as_text(String code) {
    enter(Web.signedIn(), code)
        .then()
        .statusCode(400)
        .body(containsString("role=\"alert\""))
        .body(not(containsString("<script")));
  }

  @Test
  void the_person_signs_in_first_and_the_code_of_the_link_is_kept() {
    var device = start();
    String link = device.path("verification_uri_complete");
    var web = new Web();
    var signIn = Web.location(web.get(link.substring(Flow.base().length())));
    var back = Web.location(web.signIn(signIn, Flow.newAccount()));
    assertEquals("/device?user_code=" + device.path("user_code"), back);
    web.get(back).then().body(containsString("value=\"" + device.path("user_code") + "\""));
    assertRefused(poll(device), 400, "authorization_pending");
  }

  @Test
  void a_link_alone_asks_for_no_consent() {
    var page = Web.signedIn().get("/device?user_code=" + start().path("user_code"));
    page.then().statusCode(200).body(not(containsString("Allow")));
  }

  @Test
  void a_hostile_code_in_the_link_is_left_out() {
    for (var code : new String[] {"%3Cscript%3E", "BBBB-BBBB%22%3E%3Cscript%3E", "x"}) {
      Web.signedIn()
          .get("/device?user_code=" + code)
          .then()
          .statusCode(200)
          .body(containsString("value=\"\""))
          .body(not(containsString("<script")));
    }
  }

  @Test
  void the_consent_page_shows_the_code_the_client_and_the_rights() {
    var device = start("scope", "repo:read");
    enter(Web.signedIn(), device.path("user_code"))
        .then()
        .body(containsString("<strong>" + device.path("user_code") + "</strong>"))
        .body(containsString("Cairn command line"))
        .body(containsString("<li>Read repositories</li>"))
        .header("Content-Security-Policy", containsString("form-action 'self'; base-uri"));
  }

  @Test
  void a_faulty_request_of_a_device_is_refused() {
    assertRefused(
        Flow.post("/oauth/device_authorization", Map.of("client_id", "nobody")),
        401,
        "invalid_client");
    assertRefused(
        Flow.post(
            "/oauth/device_authorization", Map.of("client_id", "cairn-cli", "scope", "nonsense")),
        400,
        "invalid_scope");
    assertRefused(
        Flow.post(
            "/oauth/device_authorization",
            Map.of("client_id", "cairn-cli", "resource", "https://other.example")),
        400,
        "invalid_target");
    assertRefused(
        Flow.post(
            "/oauth/device_authorization",
            Map.of("client_id", "cairn-cli", "resource", "not a uri")),
        400,
        "invalid_target");
  }
}
