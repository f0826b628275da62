package dev.cairn.oauth;

import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** OAuth: the sign-in page, its sessions and its forms. */
@HttpTest
@QuarkusTest
class SignInPageTest {
  private static final String SIGN_IN = "/oauth/sign-in";

  private final Database database = OwnConnections.database();

  private static void assertForged(Response response) {
    response
        .then()
        .statusCode(403)
        .contentType("text/html")
        .body(containsString("was not sent from this page"));
  }

  private static void assertSignedIn(Web web) {
    web.get(SIGN_IN).then().statusCode(200).body(containsString("You are signed in"));
  }

  private static void assertSignedOut(Web web) {
    web.get(SIGN_IN).then().statusCode(200).body(containsString("id=\"password\""));
  }

  @Test
  void the_page_has_labels_a_title_and_asks_for_nothing_but_address_and_password() {
    new Web()
        .get(SIGN_IN)
        .then()
        .statusCode(200)
        .body(containsString("<title>Sign in – Cairn</title>"))
        .body(containsString("<label for=\"email\">"))
        .body(containsString("<label for=\"password\">"))
        .body(containsString("<input type=\"password\""))
        .body(containsString("autocomplete=\"current-password\""))
        .body(not(containsString("role=\"alert\"")));
  }

  @Test
  void a_wrong_password_and_an_unknown_account_get_the_same_page() {
    var web = new Web();
    var email = Flow.newAccount();
    var wrong = web.submit(web.get(SIGN_IN), Map.of("email", email, "password", "wrong password"));
    var unknown =
        web.submit(
            web.get(SIGN_IN), Map.of("email", "nobody@example.org", "password", "wrong password"));
    wrong
        .then()
        .statusCode(400)
        .body(containsString("<title>Error: sign in – Cairn</title>"))
        .body(containsString("<div role=\"alert\" id=\"error\">"))
        .body(containsString("aria-describedby=\"error\""))
        .body(containsString("value=\"" + email + "\""))
        .body(not(containsString("wrong password")));
    assertEquals(
        wrong.asString().replace(email, ""), unknown.asString().replace("nobody@example.org", ""));
    assertSignedOut(web);
  }

  @Test
  void missing_fields_are_a_wrong_sign_in() {
    var web = new Web();
    web.submit(web.get(SIGN_IN), Map.of()).then().statusCode(400);
  }

  @Test
  void the_address_that_was_typed_is_shown_as_text() {
    var web = new Web();
    web.submit(web.get(SIGN_IN), Map.of("email", "\"><script>x</script>", "password", "p"))
        .then()
        .statusCode(400)
        .body(not(containsString("<script")));
  }

  @Test
  void the_session_cookie_is_for_this_site_and_no_script_for_twelve_hours() {
    var web = new Web();
    var cookie = web.signIn(SIGN_IN, Flow.newAccount()).getDetailedCookie("cairn-session");
    assertTrue(cookie.isHttpOnly());
    assertFalse(cookie.isSecured(), "http has no secure cookies");
    assertEquals("Lax", cookie.getSameSite());
    assertEquals("/", cookie.getPath());
    assertEquals(43_200, cookie.getMaxAge());
    assertSignedIn(web);
  }

  /** Otherwise a page of another site could call the API as the person that is signed in. */
  @Test
  void the_api_and_mcp_know_nobody_by_the_session_cookie() {
    var session = Web.signedIn().cookies.get("cairn-session");
    Api.anonymous().cookie("cairn-session", session).get("/api/audit").then().statusCode(401);
    Api.anonymous()
        .cookie("cairn-session", session)
        .body(Map.of("name", "by-a-cookie"))
        .post("/api/orgs")
        .then()
        .statusCode(401);
    Api.anonymous()
        .cookie("cairn-session", session)
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body(is(Api.anonymous().get("/api/whoami").asString()));
    Api.anonymous()
        .cookie("cairn-session", session)
        .header("Accept", "application/json, text/event-stream")
        .body(
            """
            {"jsonrpc":"2.0","id":1,"method":"tools/call",
             "params":{"name":"org_create","arguments":{"name":"by-a-cookie"}}}
            """)
        .post("/mcp")
        .then()
        .statusCode(401);
  }

  @Test
  void a_session_ends_after_twelve_hours() {
    var web = Web.signedIn();
    assertSignedIn(web);
    database.update(
        "update session set expires_at = now() - interval '1 second' where cookie_hash = ?",
        Secret.hash(web.cookies.get("cairn-session")));
    assertSignedOut(web);
  }

  @Test
  void a_sign_in_makes_a_new_session_and_ends_the_one_before() {
    var web = new Web();
    var planted = "cairn_cookie_" + "A".repeat(43);
    web.cookies.put("cairn-session", planted);
    web.signIn(SIGN_IN, Flow.newAccount()).then().statusCode(303);
    var first = web.cookies.get("cairn-session");
    assertNotEquals(planted, first);
    var page = new Web();
    web.submit(page.get(SIGN_IN), Map.of("email", Flow.newAccount(), "password", Flow.PASSWORD));
    web.cookies.putAll(page.cookies);
    web.submit(page.get(SIGN_IN), Map.of("email", Flow.newAccount(), "password", Flow.PASSWORD))
        .then()
        .statusCode(303);
    assertNotEquals(first, web.cookies.get("cairn-session"));
    var old = new Web();
    old.cookies.put("cairn-session", first);
    assertSignedOut(old);
  }

  @Test
  void a_form_needs_its_token_and_its_cookie() {
    var email = Flow.newAccount();
    var web = new Web();
    var form = Web.fields(web.get(SIGN_IN));
    form.putAll(Map.of("email", email, "password", Flow.PASSWORD));
    var without = new LinkedHashMap<>(form);
    without.remove("csrf");
    assertForged(web.post(SIGN_IN, without));
    var other = new LinkedHashMap<>(form);
    other.put("csrf", Web.fields(new Web().get(SIGN_IN)).get("csrf"));
    assertForged(web.post(SIGN_IN, other));
    assertForged(new Web().post(SIGN_IN, form));
    var empty = new Web();
    empty.cookies.put("cairn-form", "");
    assertForged(empty.post(SIGN_IN, form));
    web.post(SIGN_IN, form).then().statusCode(303);
  }

  @Test
  void every_form_of_a_signed_in_person_needs_the_token_of_the_session() {
    var web = Web.signedIn();
    var foreign = Web.fields(Web.signedIn().get("/device")).get("csrf");
    for (var csrf : new String[] {"", "x", foreign}) {
      var consent = Flow.ask();
      consent.putAll(Map.of("decision", "allow", "csrf", csrf));
      assertForged(web.post("/oauth/authorize", consent));
      assertForged(
          web.post("/device", Map.of("user_code", "BBBB-BBBB", "decision", "allow", "csrf", csrf)));
      assertForged(web.post("/oauth/sign-out", Map.of("csrf", csrf)));
    }
    assertSignedIn(web);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cross-site", "same-site", "none"})
  void a_form_that_the_browser_says_is_from_elsewhere_is_refused(String site) {
    var web = Web.signedIn();
    var page = web.get(Flow.url(Flow.ask()));
    web.headers.put("Sec-Fetch-Site", site);
    assertForged(web.submit(page, Map.of("decision", "allow")));
    web.headers.put("Sec-Fetch-Site", "same-origin");
    Web.location(web.submit(page, Map.of("decision", "allow")));
  }

  @Test
  void a_form_from_another_origin_is_refused() {
    var web = Web.signedIn();
    var page = web.get(Flow.url(Flow.ask()));
    for (var origin :
        new String[] {"https://evil.example", "http://localhost", "https://localhost:1"}) {
      web.headers.put("Origin", origin);
      assertForged(web.submit(page, Map.of("decision", "allow")));
    }
    for (var origin : new String[] {"null", Flow.base()}) {
      web.headers.put("Origin", origin);
      Web.location(web.submit(page, Map.of("decision", "allow")));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "/oauth/authorize.evil",
        "/oauth/authorize/../../api",
        "/oauth/authorize?x=\r\nSet-Cookie: a=b",
        "/oauth/authorize?x=<script>",
        "/device#fragment",
        "/devices",
        "javascript:alert(1)",
        "/oauth/sign-out",
        "http://localhost/device"
      })
  void a_sign_in_leads_on_to_our_own_pages_alone(String url) {
    var web = new Web();
    var response =
        web.signIn(SIGN_IN + "?" + Web.encoded(Map.of("return", url)), Flow.newAccount());
    assertEquals(SIGN_IN, Web.location(response));
    web.get(SIGN_IN + "?" + Web.encoded(Map.of("return", url)))
        .then()
        .statusCode(200)
        .body(not(containsString("evil")));
  }

  @Test
  void sign_out_ends_the_session_and_forgets_the_cookie() {
    var web = Web.signedIn();
    var copy = new Web();
    copy.cookies.putAll(web.cookies);
    var response = web.submit(web.get(SIGN_IN), Map.of());
    assertEquals(SIGN_IN, Web.location(response));
    assertFalse(web.cookies.containsKey("cairn-session"));
    assertSignedOut(web);
    assertSignedOut(copy);
  }

  @Test
  void another_account_can_take_over_on_the_consent_page() {
    var web = Web.signedIn();
    var html = web.get(Flow.url(Flow.ask())).asString();
    assertTrue(html.contains("Use another account"));
    var form = new LinkedHashMap<String, String>();
    form.put("csrf", Web.fields(web.get("/device")).get("csrf"));
    form.put("return", Flow.url(Flow.ask()));
    var next = Web.location(web.post("/oauth/sign-out", form));
    assertTrue(next.startsWith(SIGN_IN + "?return="), next);
    var back = Web.location(web.signIn(next, Flow.newAccount()));
    assertEquals(Web.query(Flow.url(Flow.ask())), Web.query(back));
  }

  @Test
  void a_consent_whose_session_is_over_asks_to_sign_in_again() {
    var web = Web.signedIn();
    var page = web.get(Flow.url(Flow.ask()));
    web.cookies.clear();
    var next = Web.location(web.submit(page, Map.of("decision", "allow")));
    assertTrue(next.startsWith(SIGN_IN + "?return="), next);
  }

  @Test
  void forms_that_are_too_large_get_a_page() {
    new Web()
        .post(SIGN_IN, Map.of("email", "x".repeat(70_000)))
        .then()
        .statusCode(413)
        .contentType("text/html")
        .body(allOf(containsString("role=\"alert\""), containsString("65536 bytes")));
  }

  @Test
  void the_cookie_of_a_session_opens_no_api() {
    var web = Web.signedIn();
    web.get("/api/whoami").then().statusCode(200).body("kind", is("anonymous"));
    web.get("/api/pats").then().statusCode(401);
  }

  @Test
  void a_bearer_token_opens_no_page() {
    var web = new Web();
    web.headers.put("Authorization", "Bearer " + dev.cairn.Api.adminToken());
    web.get("/device").then().statusCode(303);
    web.headers.put("Authorization", "Bearer nonsense");
    web.get("/device").then().statusCode(401).body("code", is("UNAUTHENTICATED"));
  }
}
