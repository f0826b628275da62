package dev.cairn.mcp;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** MCP, Revisions: the rules of the envelope of 2026-07-28, in their order. */
@QuarkusTest
@HttpTest
class RevisionsTest {
  private static final String VERSION = "io.modelcontextprotocol/protocolVersion";
  private static final String CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
  private static final Map<String, Object> META = Map.of(VERSION, Mcp.NEW, CAPABILITIES, Map.of());

  @Test
  void the_header_of_the_version_must_be_there() {
    send(request().header("Mcp-Method", "tools/list"), "tools/list", Map.of(), META)
        .statusCode(400)
        .body("error.code", equalTo(-32_020))
        .body("id", equalTo("a"));
  }

  @Test
  void meta_must_name_the_version_and_what_the_client_can_do() {
    for (var meta :
        List.of(
            Map.<String, Object>of(),
            Map.<String, Object>of(VERSION, Mcp.NEW),
            Map.<String, Object>of(CAPABILITIES, Map.of()))) {
      send(versioned().header("Mcp-Method", "tools/list"), "tools/list", Map.of(), meta)
          .statusCode(400)
          .body("error.code", equalTo(-32_602));
    }
  }

  @Test
  void header_and_body_must_name_the_same_version_and_one_that_is_spoken() {
    send(
            versioned().header("Mcp-Method", "tools/list"),
            "tools/list",
            Map.of(),
            Map.of(VERSION, "2030-01-01", CAPABILITIES, Map.of()))
        .statusCode(400)
        .body("error.code", equalTo(-32_020));
    send(
            request().header("MCP-Protocol-Version", "2030-01-01").header("Mcp-Method", "x"),
            "tools/list",
            Map.of(),
            Map.of(VERSION, "2030-01-01", CAPABILITIES, Map.of()))
        .statusCode(400)
        .body("error.code", equalTo(-32_022))
        .body("error.data.requested", equalTo("2030-01-01"))
        .body("error.data.supported", hasItem(Mcp.NEW));
  }

  @Test
  void the_headers_must_say_the_method_and_what_it_names() {
    var named = Map.of("name", "capabilities");
    send(versioned(), "tools/list", Map.of(), META)
        .statusCode(400)
        .body("error.code", equalTo(-32_020));
    send(versioned().header("Mcp-Method", "Tools/List"), "tools/list", Map.of(), META)
        .statusCode(400)
        .body("error.code", equalTo(-32_020));
    send(versioned().header("Mcp-Method", "tools/call"), "tools/call", named, META)
        .statusCode(400)
        .body("error.code", equalTo(-32_020));
    send(called().header("Mcp-Name", "whoami"), "tools/call", named, META)
        .statusCode(400)
        .body("error.code", equalTo(-32_020));
    send(called().header("Mcp-Name", "=?base64?="), "tools/call", named, META)
        .statusCode(400)
        .body("error.code", equalTo(-32_020));
    send(
            called().header("Mcp-Method", "tools/list").header("Mcp-Name", "capabilities"),
            "tools/call",
            named,
            META)
        .statusCode(400)
        .body("error.code", equalTo(-32_020));
    send(called().header("Mcp-Name", "=?base64?!!?="), "tools/call", named, META)
        .statusCode(400)
        .body("error.code", equalTo(-32_020));
    send(called().header("Mcp-Name", "=?base64?Y2FwYWJpbGl0aWVz?="), "tools/call", named, META)
        .statusCode(200)
        .body("result.isError", equalTo(false));
  }

  @Test
  void methods_of_the_older_revisions_are_gone() {
    for (var method :
        List.of("initialize", "ping", "logging/setLevel", "resources/subscribe", "tasks/list")) {
      send(versioned().header("Mcp-Method", method), method, Map.of(), META)
          .statusCode(404)
          .body("error.code", equalTo(-32_601));
    }
  }

  @Test
  void several_messages_at_once_are_refused() {
    request()
        .header("MCP-Protocol-Version", Mcp.NEW)
        .body(List.of(Map.of("jsonrpc", "2.0", "id", 1, "method", "tools/list")))
        .post("/mcp")
        .then()
        .statusCode(400)
        .body("error.code", equalTo(-32_600));
  }

  @Test
  void a_list_has_one_page() {
    Mcp.anonymous(Mcp.NEW)
        .send("tools/list", Map.of("cursor", "x"))
        .statusCode(200)
        .body("error.code", equalTo(-32_602));
  }

  @Test
  void the_texts_of_a_repository_are_resources() {
    var repository = Api.newRepository();
    var uri = "cairn://" + repository.substring("/api/repos/".length()) + "/";
    Mcp.admin(Mcp.NEW)
        .at(repository)
        .call("repo_content_set", Map.of("document", "readme.md", "content", "# Hello"))
        .body("result.isError", equalTo(false));
    for (var version : List.of(Mcp.OLD, Mcp.NEW)) {
      var client = Mcp.anonymous(version);
      client
          .at(repository)
          .send("resources/list", Map.of())
          .body("result.resources.uri", hasItem(uri + "readme.md"))
          .body("result.resources.uri", hasItem(uri + "shapes"));
      client
          .send("resources/templates/list", Map.of())
          .body("result.resourceTemplates.uriTemplate", hasItem("cairn://{org}/{repo}/llms.txt"));
      client
          .send("resources/read", Map.of("uri", uri + "readme.md"))
          .body("result.contents[0].text", equalTo("# Hello"))
          .body("result.contents[0].mimeType", equalTo("text/markdown"));
      client
          .send("resources/read", Map.of("uri", uri + "shapes"))
          .body("result.contents[0].mimeType", equalTo("application/json"));
      client
          .send("resources/read", Map.of("uri", uri + "else"))
          .body("error.code", equalTo(version.equals(Mcp.NEW) ? -32_602 : -32_002));
      client
          .send("resources/read", Map.of("uri", "cairn://nobody/nothing/readme.md"))
          .statusCode(401);
      Mcp.admin(version)
          .send("resources/read", Map.of("uri", "cairn://nobody/nothing/readme.md"))
          .statusCode(200)
          .body("error.code", equalTo(version.equals(Mcp.NEW) ? -32_602 : -32_002));
    }
    Mcp.anonymous(Mcp.NEW)
        .send("resources/read", Map.of("uri", uri + "readme.md"))
        .body("result.cacheScope", equalTo("public"))
        .body("result.ttlMs", equalTo(0));
    Mcp.admin(Mcp.NEW)
        .send("resources/read", Map.of("uri", uri + "readme.md"))
        .body("result.cacheScope", equalTo("private"));
  }

  @Test
  void prompts_take_their_arguments_into_their_text() {
    for (var version : List.of(Mcp.OLD, Mcp.NEW)) {
      var client = Mcp.anonymous(version);
      client
          .send("prompts/list", Map.of())
          .body("result.prompts.name", contains("model_domain", "first_commit", "what_is_known"));
      client
          .send(
              "prompts/get",
              Map.of(
                  "name",
                  "what_is_known",
                  "arguments",
                  Map.of("repository", "demo/world", "subject", "100% of it")))
          .body("result.messages[0].role", equalTo("user"))
          .body("result.messages[0].content.text", containsString("100% of it"));
      client
          .send("prompts/get", Map.of("name", "what_is_known", "arguments", Map.of()))
          .body("error.code", equalTo(-32_602));
      client.send("prompts/get", Map.of("name", "none")).body("error.code", equalTo(-32_602));
    }
  }

  @Test
  void names_are_completed_out_of_what_the_caller_may_know() {
    var repository = Api.newRepository("private");
    var org = ToolsTest.in(repository).get("org").toString();
    complete(Mcp.admin(Mcp.NEW), "org", org, Map.of())
        .body("result.completion.values", hasItem(org));
    complete(Mcp.admin(Mcp.NEW), "repo", "re", Map.of("org", org))
        .body("result.completion.values", contains("repo"));
    complete(Mcp.admin(Mcp.NEW), "repository", org + "/", Map.of())
        .body("result.completion.values", contains(org + "/repo"));
    complete(Mcp.anonymous(Mcp.NEW), "org", org, Map.of())
        .body("result.completion.values", empty());
    complete(Mcp.anonymous(Mcp.NEW), "repo", "re", Map.of("org", org))
        .body("result.completion.values", empty());
  }

  private static ValidatableResponse complete(
      Mcp client, String argument, String typed, Map<String, String> known) {
    return client
        .send(
            "completion/complete",
            Map.of(
                "ref",
                Map.of("type", "ref/prompt", "name", "first_commit"),
                "argument",
                Map.of("name", argument, "value", typed),
                "context",
                Map.of("arguments", known)))
        .statusCode(200);
  }

  private static RequestSpecification request() {
    return given().contentType(ContentType.JSON).accept("application/json, text/event-stream");
  }

  private static RequestSpecification versioned() {
    return request().header("MCP-Protocol-Version", Mcp.NEW);
  }

  private static RequestSpecification called() {
    return versioned().header("Mcp-Method", "tools/call");
  }

  private static ValidatableResponse send(
      RequestSpecification request,
      String method,
      Map<String, ?> params,
      Map<String, Object> meta) {
    var all = new LinkedHashMap<String, Object>(params);
    all.put("_meta", meta);
    return request
        .body(Map.of("jsonrpc", "2.0", "id", "a", "method", method, "params", all))
        .post("/mcp")
        .then();
  }
}
