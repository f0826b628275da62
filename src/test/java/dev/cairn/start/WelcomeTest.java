package dev.cairn.start;

import static dev.cairn.Api.anonymous;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.model.Sha256;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** API: the page at the root, the same for programs and for agents, and the demo that it names. */
@HttpTest
@QuarkusTest
class WelcomeTest {
  @Test
  void the_root_is_a_page_that_says_what_this_is_and_leads_on() {
    var page =
        anonymous()
            .accept("text/html,application/xhtml+xml,*/*;q=0.8")
            .get("/")
            .then()
            .statusCode(200)
            .contentType("text/html")
            .header("Content-Security-Policy", containsString("default-src 'none'"))
            .header("Set-Cookie", nullValue())
            .body(
                allOf(
                    containsString("<h1>Cairn</h1>"),
                    containsString("versioned repository service"),
                    containsString("color-scheme: light dark"),
                    containsString("/mcp\">"),
                    containsString("/q/openapi\">"),
                    containsString("/demo/world/agents.md\">"),
                    containsString("<code>docs/</code>")))
            .extract();
    var html = page.asString();
    var style = html.substring(html.indexOf("<style>") + 7, html.indexOf("</style>"));
    var hash = Base64.getEncoder().encodeToString(Sha256.of(style));
    assertTrue(
        page.header("Content-Security-Policy").contains("style-src 'sha256-" + hash + "'"),
        "the style is the one that the policy allows");
    anonymous().head("/").then().statusCode(200).contentType("text/html");
    anonymous().accept("*/*").get("/").then().contentType("text/html");
  }

  @Test
  void programs_get_the_same_as_json() {
    anonymous()
        .accept("application/json")
        .get("/")
        .then()
        .statusCode(200)
        .contentType("application/json")
        .header("Vary", matchesPattern("(.*, )?Accept(,.*)?"))
        .body("name", is("Cairn"))
        .body("links.name", hasItems("MCP", "API", "Demo"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json;q=0.5, text/html;q=0.4 | application/json",
        "application/json;q=0.4, text/html;q=0.5 | text/html",
        "application/json, text/plain, */* | application/json",
        "text/html;q=0, */* | application/json",
        "application/json;q=0, */* | text/html",
        "application/*, */*;q=0.1 | application/json",
        "application/json, text/html | text/html",
        "image/png | text/html",
        ";;=, | text/html",
      })
  void the_type_with_more_weight_is_sent(String accept, String type) {
    anonymous().header("Accept", accept).get("/").then().statusCode(200).contentType(type);
  }

  @Test
  void every_link_leads_somewhere() {
    List<String> urls =
        anonymous().accept("application/json").get("/").then().extract().path("links.url");
    for (var url : urls) {
      int expected = url.endsWith("/mcp") ? 405 : 200;
      assertEquals(expected, anonymous().get(url).statusCode(), url);
    }
  }

  @Test
  void agents_find_the_same_as_markdown_in_less_than_2_kB() {
    var text =
        anonymous()
            .get("/llms.txt")
            .then()
            .statusCode(200)
            .contentType("text/plain")
            .body(containsString("# Cairn"))
            .body(containsString("/mcp): "))
            .body(containsString("/q/openapi): "))
            .body(containsString("docs/README.md"))
            .extract()
            .asString();
    assertTrue(text.getBytes(UTF_8).length < 2_000, text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/markdown | text/markdown",
        "text/plain;q=0, text/markdown | text/markdown",
        "text/markdown;q=0, text/plain | text/plain",
        "*/* | text/plain",
      })
  void the_text_for_language_models_has_the_type_that_is_asked_for(String accept, String type) {
    anonymous()
        .header("Accept", accept)
        .get("/llms.txt")
        .then()
        .statusCode(200)
        .contentType(type)
        .header("Vary", matchesPattern("(.*, )?Accept(,.*)?"));
  }

  @Test
  void the_demo_tells_agents_how_to_read_it() {
    anonymous()
        .get("/demo/world/agents.md")
        .then()
        .statusCode(200)
        .body(containsString("LegalTender"))
        .body(containsString("thing_about"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/llms.txt"})
  void nothing_can_be_sent_there(String path) {
    anonymous()
        .post(path)
        .then()
        .statusCode(405)
        .header("Allow", is("GET, HEAD, OPTIONS"))
        .body("code", is("METHOD_NOT_ALLOWED"));
    anonymous().options(path).then().statusCode(200).header("Allow", is("GET, HEAD, OPTIONS"));
  }
}
