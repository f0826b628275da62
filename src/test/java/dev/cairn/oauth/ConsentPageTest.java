package dev.cairn.oauth;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** OAuth: the page on which an account agrees to a client's request, and what its answer does. */
@HttpTest
@QuarkusTest
class ConsentPageTest {
  @Test
  void deny_gives_access_denied_and_no_code() {
    var web = Web.signedIn();
    var page = web.get(Flow.url(Flow.ask()));
    var answer = Web.query(Web.location(web.submit(page, Map.of("decision", "deny"))));
    assertEquals("access_denied", answer.get("error"));
    assertEquals("the state", answer.get("state"));
    assertEquals(Flow.base(), answer.get("iss"));
    assertFalse(answer.containsKey("code"));
  }

  @Test
  void a_decision_that_is_not_allow_is_a_denial() {
    var web = Web.signedIn();
    var page = web.get(Flow.url(Flow.ask()));
    var answer = Web.query(Web.location(web.submit(page, Map.of("decision", "ALLOW"))));
    assertEquals("access_denied", answer.get("error"));
  }

  @Test
  void the_consent_page_names_the_client_the_destination_the_account_and_the_rights() {
    var id = Flow.register("Garden Planner", "https://garden.example/cb");
    var ask = Flow.askWith("client_id", id);
    ask.put("redirect_uri", "https://garden.example/cb");
    ask.put("scope", "repo:read org:admin");
    Web.signedIn()
        .get(Flow.url(ask))
        .then()
        .statusCode(200)
        .body(containsString("<title>Connect Garden Planner? – Cairn</title>"))
        .body(containsString("garden.example"))
        .body(containsString("Ann Example"))
        .body(containsString("<li>Read repositories</li>"))
        .body(
            containsString(
                "<li>Make and remove owners, read the audit logs, and rename and archive organizations</li>"))
        .body(not(containsString("<li>Write to repositories</li>")));
  }

  @Test
  void without_a_scope_the_page_says_that_everything_is_asked_for() {
    Web.signedIn()
        .get(Flow.url(Flow.ask()))
        .then()
        .body(containsString("Everything that your account may do"));
  }

  @Test
  void every_consent_gives_another_code() {
    var web = Web.signedIn();
    assertNotEquals(
        Flow.allow(web, Flow.ask()).get("code"), Flow.allow(web, Flow.ask()).get("code"));
  }

  @Test
  void pages_cannot_be_framed_altered_or_kept() {
    var web = Web.signedIn();
    for (var page :
        new Response[] {
          web.get(Flow.url(Flow.ask())),
          web.get(Flow.url(Flow.askWith("client_id", "nobody"))),
          web.get("/device"),
          web.get("/oauth/sign-in"),
          new Web().get("/oauth/sign-in")
        }) {
      page.then()
          .contentType("text/html")
          .header("Content-Security-Policy", startsWith("default-src 'none'; style-src 'sha256-"))
          .header("Content-Security-Policy", containsString("frame-ancestors 'none'"))
          .header("Content-Security-Policy", containsString("base-uri 'none'"))
          .header("Content-Security-Policy", containsString("form-action '"))
          .header("X-Frame-Options", "DENY")
          .header("Referrer-Policy", "no-referrer")
          .header("X-Content-Type-Options", "nosniff")
          .header("Cache-Control", "no-store")
          .body(containsString("<html lang=\"en\">"))
          .body(not(containsString("<script")));
    }
  }

  @Test
  void the_form_of_the_consent_page_may_lead_to_the_client_alone() {
    var page = Web.signedIn().get(Flow.url(Flow.ask()));
    page.then()
        .header(
            "Content-Security-Policy",
            containsString("form-action 'self' http://127.0.0.1:5555; base-uri"));
    Web.signedIn()
        .get(Flow.url(Flow.askWith("redirect_uri", "http://[::1]:7/callback")))
        .then()
        .header("Content-Security-Policy", containsString("form-action 'self' http:; base-uri"));
  }

  @Test
  void a_consent_is_told_in_the_audit_log_of_each_organization_that_it_reaches() {
    var email = Flow.newAccount();
    var token = Api.token(email, Flow.PASSWORD);
    var org = Api.unique("consenting");
    Prepared.answer(201, token, "POST", "/api/orgs", Map.of("name", org));
    Flow.allow(Web.signedIn(email), Flow.askWith("scope", "repo:read"));
    Api.as(token)
        .get("/api/orgs/" + org + "/audit")
        .then()
        .statusCode(200)
        .body("items[0].action", is("token.authorized"))
        .body("items[0].actor", is(email))
        .body("items[0].address", is("127.0.0.1"));
  }
}
