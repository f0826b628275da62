package dev.cairn.start;

import static dev.cairn.Api.anonymous;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** API, Where to begin: the page at the root, and the same for agents. */
@HttpTest
@QuarkusTest
class WelcomeTest {
  @Test
  void the_root_is_a_page_that_leads_on() {
    anonymous()
        .get("/")
        .then()
        .statusCode(200)
        .contentType("text/html")
        .header("Content-Security-Policy", containsString("default-src 'none'"))
        .body(containsString("<h1>Cairn</h1>"))
        .body(containsString("/mcp\">MCP</a>"));
    anonymous().head("/").then().statusCode(200).contentType("text/html");
  }

  @Test
  void agents_find_the_same_as_markdown() {
    anonymous()
        .get("/llms.txt")
        .then()
        .statusCode(200)
        .contentType("text/plain")
        .body(containsString("# Cairn"))
        .body(containsString("/mcp): "))
        .body(containsString("/q/openapi): "))
        .body(containsString("/api/whoami): "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/llms.txt"})
  void nothing_can_be_sent_there(String path) {
    anonymous()
        .post(path)
        .then()
        .statusCode(405)
        .header("Allow", is("GET, HEAD"))
        .body("code", is("METHOD_NOT_ALLOWED"));
  }
}
