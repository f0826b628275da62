package dev.cairn.platform.http;

import static dev.cairn.Api.anonymous;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Uncommon;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Test;

/** API, Calls from browsers, where {@code cairn.cors.origins} names who may. */
@HttpTest
@QuarkusTest
@TestProfile(Uncommon.class)
@InProcess("It has settings of its own.")
class NarrowedOriginsTest {
  @Test
  void only_pages_of_the_origins_of_the_setting_may_call() {
    anonymous()
        .header("Origin", "https://app.example.org")
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .header("Access-Control-Allow-Origin", "https://app.example.org")
        .header("Vary", containsString("Origin"));
    anonymous()
        .header("Origin", "https://evil.example.org")
        .get("/api/whoami")
        .then()
        .header("Access-Control-Allow-Origin", nullValue())
        .header("Vary", containsString("Origin"));
    anonymous()
        .header("Origin", "https://evil.example.org")
        .header("Access-Control-Request-Method", "POST")
        .options("/api/auth/login")
        .then()
        .header("Access-Control-Allow-Origin", nullValue())
        .header("Access-Control-Allow-Methods", nullValue());
  }

  @Test
  void a_refusal_before_a_request_is_read_is_for_no_page() {
    // The server checks the framing of connections that begin after its first request.
    anonymous().get("/api/whoami").then().statusCode(200);
    var answer =
        RawHttp.get("/api/whoami", "Origin: https://app.example.org", "Malformed Header: x");
    assertEquals(400, answer.status());
    assertNull(answer.header("access-control-allow-origin"));
  }

  @Test
  void an_answer_says_also_without_an_origin_that_it_depends_on_it() {
    anonymous().get("/api/whoami").then().header("Vary", containsString("Origin"));
  }
}
