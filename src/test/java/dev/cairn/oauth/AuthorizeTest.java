package dev.cairn.oauth;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** OAuth: the authorization endpoint. */
@HttpTest
@QuarkusTest
class AuthorizeTest {
  private static final String XSS = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";

  private static Map<String, String> answer(Map<String, String> ask) {
    return Web.query(Web.location(Web.signedIn().get(Flow.url(ask))));
  }

  private static void assertPage(Response response, String sentence) {
    response
        .then()
        .statusCode(400)
        .contentType("text/html")
        .header("Location", nullValue())
        .body(containsString(sentence));
  }

  @Test
  void the_code_and_the_state_and_the_issuer_go_to_the_redirect_uri() {
    var web = Web.signedIn();
    var page = web.get(Flow.url(Flow.ask()));
    var location = Web.location(web.submit(page, Map.of("decision", "allow")));
    assertTrue(location.startsWith(Flow.REDIRECT + "?"), location);
    var answer = Web.query(location);
    assertEquals(Set.of("code", "state", "iss"), answer.keySet());
    assertEquals("the state", answer.get("state"));
    assertEquals(Flow.base(), answer.get("iss"));
  }

  @Test
  void the_host_of_a_request_decides_no_issuer() {
    var web = Web.signedIn();
    web.headers.put("Host", "evil.example");
    var refused = Web.location(web.get(Flow.url(Flow.askWith("scope", "x"))));
    assertEquals(Flow.base(), Web.query(refused).get("iss"));
    var form = Web.encoded(Flow.exchange(Flow.code(Flow.ask())));
    String token =
        given()
            .header("Host", "evil.example")
            .contentType("application/x-www-form-urlencoded")
            .body(form)
            .post("/oauth/token")
            .then()
            .statusCode(200)
            .extract()
            .path("access_token");
    assertEquals(Flow.base(), Flow.claims(token).getString("iss"));
  }

  @Test
  void a_person_who_is_not_signed_in_signs_in_first_and_comes_back() {
    var web = new Web();
    var url = Flow.url(Flow.ask());
    var signIn = Web.location(web.get(url));
    assertTrue(signIn.startsWith("/oauth/sign-in?return="), signIn);
    var back = web.signIn(signIn, Flow.newAccount());
    assertEquals(Web.query(url), Web.query(Web.location(back)));
    web.follow(back).then().statusCode(200).body(containsString("Cairn command line"));
  }

  @Test
  void a_request_as_a_form_goes_on_as_a_query() {
    var location = Web.location(new Web().post("/oauth/authorize", Flow.ask()));
    assertEquals(Flow.ask(), Web.query(location));
  }

  @ParameterizedTest
  @CsvSource({
    "response_type, token, unsupported_response_type",
    "response_type, code token, unsupported_response_type",
    "response_type, , invalid_request",
    "response_mode, fragment, invalid_request",
    "response_mode, form_post, invalid_request",
    "code_challenge, , invalid_request",
    "code_challenge, short, invalid_request",
    "code_challenge_method, plain, invalid_request",
    "code_challenge_method, , invalid_request",
    "code_challenge_method, S512, invalid_request",
    "scope, repo:read repo:everything, invalid_scope",
    "scope, openid, invalid_scope",
    "resource, https://other.example/, invalid_target",
    "resource, not-absolute, invalid_target"
  })
  void a_faulty_request_is_told_to_the_client(String name, String value, String error) {
    var answer = answer(Flow.askWith(name, value));
    assertEquals(error, answer.get("error"), answer.toString());
    assertEquals("the state", answer.get("state"));
    assertEquals(Flow.base(), answer.get("iss"));
  }

  @ParameterizedTest
  @CsvSource({
    "scope, nonsense, does not exist",
    "response_type, token, response_type",
    "code_challenge, short, PKCE",
    "resource, https://other.example/, resource",
    "response_mode, fragment, response_mode"
  })
  void a_faulty_request_of_a_client_that_registered_itself_sends_nobody_there(
      String name, String value, String sentence) {
    var id = Flow.register("Lure", "https://evil.example/");
    var ask = Flow.askWith("client_id", id);
    ask.put("redirect_uri", "https://evil.example/");
    ask.put(name, value);
    for (var prompt : new String[] {"", "none"}) {
      ask.put("prompt", prompt);
      assertPage(new Web().get(Flow.url(ask)), sentence);
      assertPage(Web.signedIn().get(Flow.url(ask)), sentence);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "/mcp", "/mcp/"})
  void the_resource_is_the_service_or_mcp_beneath_it(String path) {
    var location =
        Web.location(new Web().get(Flow.url(Flow.askWith("resource", Flow.base() + path))));
    assertTrue(location.startsWith("/oauth/sign-in"), location);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api", "/mcp2", "//mcp", "/mcp?x=y", "/mcp/org/repo"})
  void another_path_of_the_service_is_no_resource(String path) {
    var answer = answer(Flow.askWith("resource", Flow.base() + path));
    assertEquals("invalid_target", answer.get("error"));
  }

  @Test
  void a_parameter_given_twice_is_refused() {
    var url = Flow.url(Flow.ask());
    for (var twice :
        new String[] {"scope=repo:read&scope=org:read", "state=other", "response_type=code"}) {
      var answer = Web.query(Web.location(Web.signedIn().get(url + "&" + twice)));
      assertEquals("invalid_request", answer.get("error"), twice);
    }
    assertPage(new Web().get(url + "&client_id=cairn-cli"), "only once");
    assertPage(new Web().get(url + "&redirect_uri=https://evil.example/"), "only once");
  }

  @Test
  void unknown_parameters_are_ignored_and_empty_ones_count_as_left_out() {
    var ask = Flow.askWith("scope", "");
    ask.put("prompt", "whatever");
    ask.put("nonce", "n");
    ask.put("request", "x.y.z");
    Web.signedIn().get(Flow.url(ask)).then().statusCode(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example/callback",
        "http://127.0.0.1.evil.example/callback",
        "http://127.0.0.1:5555@evil.example/callback",
        "http://evil.example:5555/callback",
        "http://127.0.0.1:5555/callback/more",
        "http://127.0.0.1:5555/callback?x=y",
        "http://127.0.0.1:5555/callback#fragment",
        "http://127.0.0.1:5555/Callback",
        "http://127.0.0.1:5555/x/../callback",
        "http://127.0.0.1:99999/callback",
        "http://127.0.0.2:5555/callback",
        "https://127.0.0.1:5555/callback",
        "//evil.example/callback",
        "/callback",
        "javascript:alert(1)",
        "data:text/html,x",
        "http://127.0.0.1:5555\\@evil.example/callback",
        "http://127.0.0.1:5555/callback\nX: y"
      })
  void nobody_is_sent_to_a_redirect_uri_that_is_not_registered(String uri) {
    assertPage(new Web().get(Flow.url(Flow.askWith("redirect_uri", uri))), "redirect_uri");
    assertPage(Web.signedIn().get(Flow.url(Flow.askWith("redirect_uri", uri))), "redirect_uri");
  }

  @Test
  void an_altered_consent_form_sends_nobody_elsewhere() {
    var web = Web.signedIn();
    var page = web.get(Flow.url(Flow.ask()));
    assertPage(
        web.submit(page, Map.of("decision", "allow", "redirect_uri", "https://evil.example/")),
        "redirect_uri");
    assertPage(
        web.submit(page, Map.of("decision", "deny", "redirect_uri", "https://evil.example/")),
        "redirect_uri");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nobody",
        "01234567-89ab-cdef-0123-456789abcdef",
        "https://a.example",
        "cairn-CLI"
      })
  void an_unknown_client_gets_a_page_and_no_redirect(String id) {
    assertPage(new Web().get(Flow.url(Flow.askWith("client_id", id))), "no such client");
  }

  @Test
  void a_missing_client_id_gets_a_page() {
    assertPage(new Web().get(Flow.url(Flow.askWith("client_id", null))), "client_id is missing");
    assertPage(new Web().get("/oauth/authorize"), "client_id is missing");
  }

  @Test
  void a_loopback_redirect_uri_matches_at_any_port_and_is_answered_there() {
    for (var uri :
        new String[] {
          "http://127.0.0.1/callback", "http://[::1]:50001/callback", "http://localhost:1/callback"
        }) {
      var web = Web.signedIn();
      var page = web.get(Flow.url(Flow.askWith("redirect_uri", uri)));
      var location = Web.location(web.submit(page, Map.of("decision", "allow")));
      assertTrue(location.startsWith(uri + "?"), location);
    }
  }

  @Test
  void a_client_with_one_redirect_uri_may_leave_it_out_and_others_may_not() {
    var one = Flow.register("One", "https://one.example/cb?tenant=1");
    var ask = Flow.askWith("redirect_uri", null);
    ask.put("client_id", one);
    var web = Web.signedIn();
    var page = web.get(Flow.url(ask));
    var location = Web.location(web.submit(page, Map.of("decision", "deny")));
    assertTrue(location.startsWith("https://one.example/cb?tenant=1&"), location);
    assertPage(new Web().get(Flow.url(Flow.askWith("redirect_uri", null))), "redirect_uri");
  }

  @Test
  void the_answers_of_two_clients_go_to_each_ones_own_place() {
    var id = Flow.register("Own", "com.example.app:/cb");
    var ask = Flow.askWith("client_id", id);
    assertPage(new Web().get(Flow.url(ask)), "redirect_uri");
    ask.put("redirect_uri", "com.example.app:/cb");
    var web = Web.signedIn();
    var page = web.get(Flow.url(ask));
    page.then()
        .header("Content-Security-Policy", containsString("form-action 'self' com.example.app:;"));
    var location = Web.location(web.submit(page, Map.of("decision", "allow")));
    assertTrue(location.startsWith("com.example.app:/cb?"), location);
  }

  @Test
  void what_strangers_choose_is_shown_as_text() {
    var id = Flow.register("A <b>bold</b> & \"fine\" name", "https://a.example/cb");
    var ask = Flow.askWith("client_id", id);
    ask.put("redirect_uri", "https://a.example/cb");
    ask.put("state", XSS);
    ask.put("scope", "repo:read");
    var web = Web.signedIn();
    var page = web.get(Flow.url(ask));
    page.then()
        .statusCode(200)
        .body(containsString("A &lt;b&gt;bold&lt;/b&gt; &amp;"))
        .body(not(containsString("<b>")))
        .body(not(containsString("<script")))
        .body(not(containsString("<img")));
    assertEquals(
        XSS, Web.query(Web.location(web.submit(page, Map.of("decision", "deny")))).get("state"));
    for (var name : new String[] {"client_id", "redirect_uri"}) {
      new Web()
          .get(Flow.url(Flow.askWith(name, XSS)))
          .then()
          .statusCode(400)
          .body(allOf(not(containsString("<script")), not(containsString("<img"))));
    }
  }

  @Test
  void hostile_values_reach_the_client_in_no_error_text() {
    for (var name :
        new String[] {
          "scope",
          "response_type",
          "response_mode",
          "code_challenge_method",
          "resource",
          "code_challenge"
        }) {
      Web.signedIn().get(Flow.url(Flow.askWith(name, "\u0085\""))).then().statusCode(303);
      var answer = answer(Flow.askWith(name, XSS));
      var text = String.valueOf(answer.get("error_description"));
      assertFalse(text.contains("<") || text.contains("\""), name + ": " + text);
    }
  }

  @Test
  void a_query_too_long_or_broken_is_refused() {
    new Web()
        .get(Flow.url(Flow.askWith("state", "x".repeat(17_000))))
        .then()
        .statusCode(414)
        .body("code", is("URI_TOO_LONG"));
    new Web().get("/oauth/authorize?client_id=%00").then().statusCode(400);
  }

  @Test
  void a_form_too_large_or_with_a_null_character_is_refused() {
    new Web().post("/oauth/authorize", Map.of("state", "x".repeat(70_000))).then().statusCode(413);
    assertPage(new Web().post("/oauth/authorize", Map.of("client_id", "a\u0000b")), "U+0000");
  }
}
