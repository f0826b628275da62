package dev.cairn.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** URIs that are none, of which the packaged application lets in what no test does. */
@HttpTest
@QuarkusIntegrationTest
class OddQueriesIT {
  @ParameterizedTest
  @ValueSource(strings = {"{", "}", "|", "\\", "^", "\"", "<", ">", "`", "[", "{}|^`\"<>"})
  void what_no_uri_may_hold_is_no_fault_in_a_query_of_the_pages(String characters) {
    var ask =
        "/oauth/authorize?response_type=code&client_id=cairn-cli&code_challenge_method=S256"
            + "&redirect_uri=http://127.0.0.1:5555/callback"
            + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&state=";
    var toSignIn = RawHttp.get(ask + characters);
    assertEquals(303, toSignIn.status(), toSignIn.toString());
    assertEquals(303, RawHttp.get("/device?user_code=" + characters).status());
    for (var target : List.of("/oauth/sign-in?return=", "/oauth/sign-in?x=")) {
      assertEquals(200, RawHttp.get(target + characters).status(), target);
    }
    assertEquals(400, RawHttp.get("/oauth/authorize?client_id=" + characters).status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/repos/demo/world/things/Country/\\..\\..",
        "/api/repos/demo/world\\..\\head",
        "\\api/whoami",
        "http://localhost\\/api/whoami",
        "/api/repos/demo/world/head#/../count"
      })
  void a_backslash_or_fragment_in_a_path_gets_a_problem_document(String target) {
    var answer = RawHttp.get(target);
    assertEquals(400, answer.status(), answer.toString());
    assertTrue(answer.body().contains("\"VALIDATION_ERROR\""), answer.body());
  }

  @Test
  void a_broken_escape_in_the_uri_gets_a_problem_document() {
    var answer = RawHttp.get("/api/repos/demo/world/things/%zz");
    assertEquals(400, answer.status(), answer.toString());
    assertEquals("application/problem+json", answer.header("content-type"));
    assertTrue(answer.body().contains("\"VALIDATION_ERROR\""), answer.body());
  }
}
