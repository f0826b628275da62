package dev.cairn.platform.http;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Limited;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Test;

/** API, Calls from browsers, where {@code cairn.cors.origins} is {@code *}. */
@HttpTest
@QuarkusTest
@TestProfile(Limited.class)
@InProcess("It has settings of its own.")
class AnyOriginTest {
  private static final String ORIGIN = "https://app.example.org";

  @Test
  void a_page_of_any_origin_reads_answers_and_their_headers() {
    var repository = Api.newRepository();
    admin()
        .header("Origin", ORIGIN)
        .get(repository + "/head")
        .then()
        .statusCode(200)
        .header("Access-Control-Allow-Origin", "*")
        .header("Access-Control-Allow-Credentials", nullValue())
        .header("Access-Control-Expose-Headers", containsString("X-Cairn-Repo-Seq"))
        .header("Vary", not(containsString("Origin")));
  }

  @Test
  void an_answer_without_an_origin_may_be_cached_for_all() {
    anonymous().get("/llms.txt").then().header("Access-Control-Allow-Origin", "*");
  }

  @Test
  void mcp_answers_it_too() {
    anonymous()
        .header("Origin", ORIGIN)
        .header("Accept", "application/json, text/event-stream")
        .body(
            """
            {"jsonrpc":"2.0","id":1,"method":"tools/call",
             "params":{"name":"whoami","arguments":{}}}
            """)
        .post("/mcp")
        .then()
        .statusCode(200)
        .header("Access-Control-Allow-Origin", "*");
  }
}
