package dev.cairn.oauth;

import static dev.cairn.Api.anonymous;
import static dev.cairn.BehindProxy.BASE;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.BehindProxy;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** OAuth: behind https at a public URL, here one with a path. */
@HttpTest
@QuarkusTest
@TestProfile(BehindProxy.class)
class PublicUrlTest {
  /** Signs in at the service's own path, as the proxy in front of it would pass it on. */
  private static Response signIn(Web web) {
    var typed = Web.fields(web.get("/oauth/sign-in"));
    typed.putAll(Map.of("email", Flow.newAccount(), "password", Flow.PASSWORD));
    return web.post("/oauth/sign-in", typed);
  }

  @Test
  void cookies_are_bound_to_this_very_host_and_to_https() {
    var web = new Web();
    var form = web.get("/oauth/sign-in").getDetailedCookie("__Host-cairn-form");
    var session = signIn(web).getDetailedCookie("__Host-cairn-session");
    for (var cookie : new io.restassured.http.Cookie[] {form, session}) {
      assertTrue(cookie.isSecured() && cookie.isHttpOnly());
      assertEquals("/", cookie.getPath());
      assertEquals(null, cookie.getDomain());
      assertEquals("Lax", cookie.getSameSite());
    }
  }

  @Test
  void forms_and_redirects_of_our_own_keep_the_path_of_the_public_url() {
    var web = new Web();
    assertEquals("/kb/oauth/sign-in", Web.action(web.get("/oauth/sign-in")));
    var next = Web.location(web.get(Flow.url(Flow.ask())));
    assertTrue(next.startsWith("/kb/oauth/sign-in?return=%2Fkb%2Foauth%2Fauthorize"), next);
  }

  @Test
  void metadata_and_answers_name_the_public_url() {
    anonymous()
        .get("/.well-known/oauth-authorization-server")
        .then()
        .body("issuer", is(BASE))
        .body("token_endpoint", is(BASE + "/oauth/token"));
    var web = new Web();
    signIn(web);
    var answer = Web.query(Web.location(web.get(Flow.url(Flow.askWith("scope", "x")))));
    assertEquals(BASE, answer.get("iss"));
  }

  @Test
  void the_origin_of_a_form_is_the_public_one() {
    var web = new Web();
    var form = Web.fields(web.get("/oauth/sign-in"));
    form.putAll(Map.of("email", "nobody@example.org", "password", "x"));
    web.headers.put("Origin", Flow.base());
    web.post("/oauth/sign-in", form).then().statusCode(403);
    web.headers.put("Origin", "https://cairn.example");
    web.post("/oauth/sign-in", form).then().statusCode(400);
  }
}
