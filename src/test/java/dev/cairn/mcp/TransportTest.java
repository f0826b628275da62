package dev.cairn.mcp;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.oneOf;
import static org.hamcrest.Matchers.startsWith;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * MCP, Transport and Access: what is accepted, which calls need a sign-in, what a revision says of
 * itself.
 */
@QuarkusTest
@HttpTest
class TransportTest {
  private static final String CHALLENGE = "/.well-known/oauth-protected-resource\"";

  /** No list changes, and nothing is logged. */
  private static final Map<String, Object> CAPABILITIES =
      Map.of(
          "tools", Map.of(), "prompts", Map.of(), "resources", Map.of(), "completions", Map.of());

  /** The revision without a handshake has subscriptions to resources too. */
  private static final Map<String, Object> STATELESS_CAPABILITIES =
      Map.of(
          "tools",
          Map.of(),
          "prompts",
          Map.of(),
          "resources",
          Map.of("subscribe", true),
          "completions",
          Map.of());

  @ParameterizedTest
  @ValueSource(strings = {"/mcp", "/mcp/some/repo"})
  void only_POST_is_spoken(String path) {
    for (var method : List.of("GET", "DELETE", "PUT", "HEAD")) {
      given()
          .accept("text/event-stream")
          .header("Mcp-Session-Id", "x")
          .request(method, path)
          .then()
          .statusCode(405)
          .header("Allow", equalTo("POST, OPTIONS"));
    }
    given().options(path).then().statusCode(200).header("Allow", equalTo("POST, OPTIONS"));
  }

  @Test
  void the_streams_of_the_first_revision_are_not_there() {
    given().get("/mcp/sse").then().statusCode(404).body("code", equalTo("NOT_FOUND"));
    given().get("/mcp/org/repo/sse").then().statusCode(404);
  }

  @ParameterizedTest
  @CsvSource({
    "http://evil.example.com, 403",
    "HTTPS://Evil.Example.com:8443, 403",
    "https://localhost.evil.example.com, 200",
    "https://app.example.org, 200",
    "null, 403",
    "http://localhost:1234, 200",
    "http://127.0.0.1, 200"
  })
  void a_page_that_has_the_name_of_the_service_may_not_call(String origin, int status) {
    Mcp.anonymous(Mcp.NEW)
        .send(
            Mcp.anonymous(Mcp.NEW)
                .request()
                .header("Origin", origin)
                .header("Host", "evil.example.com:8080"),
            "server/discover",
            Map.of())
        .statusCode(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void a_client_that_must_sign_in_first_gets_401_and_the_address(String version) {
    var open = Api.newRepository();
    var closed = Api.newRepository("private");
    challenged(version, "whoami", Map.of(), 200);
    challenged(version, "thing_count", ToolsTest.in(open), 200);
    challenged(version, "thing_count", ToolsTest.in(closed), 401);
    challenged(version, "thing_count", Map.of("org", "nobody", "repo", "nothing"), 401);
    challenged(version, "org_list", Map.of(), 401);
    challenged(
        version, "commit_submit", ToolsTest.with(ToolsTest.in(open), "operations", List.of()), 401);
    challenged(version, "credential_set_list", ToolsTest.in(open), 401);
    Mcp.anonymous(version).at(closed).send("tools/list", Map.of()).statusCode(401);
    Mcp.anonymous(version).at(open).send("tools/list", Map.of()).statusCode(200);
  }

  private static void challenged(
      String version, String tool, Map<String, Object> arguments, int status) {
    var answer = Mcp.anonymous(version).call(tool, arguments).statusCode(status);
    if (status == 401) {
      answer
          .header("WWW-Authenticate", startsWith("Bearer resource_metadata=\"http"))
          .header("WWW-Authenticate", containsString(CHALLENGE))
          .body("code", equalTo("UNAUTHENTICATED"));
    }
  }

  @Test
  void a_token_that_is_none_is_401_and_says_so() {
    Mcp.of(Mcp.NEW, "cairn_pat_wrong")
        .send("tools/list", Map.of())
        .statusCode(401)
        .header("WWW-Authenticate", containsString("error=\"invalid_token\""))
        .header("WWW-Authenticate", containsString(CHALLENGE));
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void scopes_and_allowed_matches_hold_as_everywhere(String version) {
    var repository = Api.newRepository("private");
    Prepared.commit(
        repository,
        "{'operation':'add','kind':'shape','name':'Sensor','data':{'fields':{'n':'number?'}}},"
            + "{'operation':'add','name':'Sensor/a/1','data':{}},"
            + "{'operation':'add','name':'Sensor/b/1','data':{}}");
    var narrowed = Mcp.of(version, People.narrowedPat(repository, "repo:read", "Sensor/a/**"));
    narrowed
        .at(repository)
        .call("thing_head", Map.of())
        .body("result.structuredContent.items.wref", contains("Sensor/a/1", "Shape/Sensor"));
    narrowed
        .at(repository)
        .call("thing_get", Map.of("wref", "Sensor/b/1"))
        .body("result.structuredContent.code", equalTo("NOT_FOUND"));
    narrowed
        .at(repository)
        .call("commit_log", Map.of())
        .body("result.structuredContent.code", equalTo("FORBIDDEN"));
    narrowed
        .at(repository)
        .call("repo_update", Map.of("description", "x"))
        .body("result.structuredContent.code", equalTo("FORBIDDEN"));
  }

  @Test
  void a_body_that_is_no_message_is_refused_without_a_session() {
    for (var body :
        List.of("{bad", "[]", "7", "\"x\"", "{}", "{\"jsonrpc\":\"2.0\",\"result\":{}}")) {
      given()
          .contentType(ContentType.JSON)
          .accept("application/json, text/event-stream")
          .body(body)
          .post("/mcp")
          .then()
          .statusCode(400)
          .header("Mcp-Session-Id", nullValue())
          .body("jsonrpc", equalTo("2.0"))
          .body("error.code", oneOf(-32_700, -32_600));
    }
    given().contentType("text/plain").body("{}").post("/mcp").then().statusCode(415);
  }

  @Test
  void messages_that_the_older_revisions_do_not_allow_are_refused() {
    for (var message :
        List.of(
            "'method':'completion/complete'",
            "'method':'completion/complete','params':{'ref':'x','argument':{}}",
            "'method':'completion/complete','params':{'ref':{'type':'ref/prompt'},'argument':'x'}",
            "'method':'tools/call','params':{'name':null}",
            "'method':'tools/call','params':{'name':'whoami','arguments':'x'}",
            "'method':'tools/call','params':{'name':'whoami','_meta':{'progressToken':{}}}",
            "'method':'tools/list','params':[1]",
            "'method':'tools/list','params':{'_meta':'x'}",
            "'method':'tools/list','params':{'cursor':5}",
            "'method':'prompts/get','params':{'name':'first_commit','arguments':[1]}",
            "'method':'initialize','params':{}",
            "'method':'q/close'",
            "'method':5",
            "'method':'ping','result':{},'params':'x'")) {
      given()
          .contentType(ContentType.JSON)
          .accept("application/json, text/event-stream")
          .body(("{'jsonrpc':'2.0','id':1," + message + "}").replace('\'', '"'))
          .post("/mcp")
          .then()
          .statusCode(oneOf(200, 400))
          .body("error.code", oneOf(-32_600, -32_601, -32_602));
    }
    for (var id : List.of("1.5", "true", "{}", "[1]", "\"" + "x".repeat(257) + "\"")) {
      given()
          .contentType(ContentType.JSON)
          .accept("application/json, text/event-stream")
          .body("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"ping\"}")
          .post("/mcp")
          .then()
          .statusCode(400)
          .body("error.code", equalTo(-32_600));
    }
  }

  @Test
  void several_messages_at_once_are_twenty_at_most_and_told_apart() {
    for (int size : new int[] {20, 21}) {
      given()
          .contentType(ContentType.JSON)
          .accept("application/json, text/event-stream")
          .body(
              IntStream.range(0, size)
                  .mapToObj(id -> Map.of("jsonrpc", "2.0", "id", id, "method", "ping"))
                  .toList())
          .post("/mcp")
          .then()
          .statusCode(size > 20 ? 400 : 200);
    }
    given()
        .contentType(ContentType.JSON)
        .accept("application/json, text/event-stream")
        .body(
            List.of(
                Map.of("jsonrpc", "2.0", "id", 1, "method", "ping"),
                Map.of("jsonrpc", "2.0", "id", 1, "method", "ping")))
        .post("/mcp")
        .then()
        .statusCode(400);
  }

  @Test
  void a_handshake_may_say_much() {
    given()
        .contentType(ContentType.JSON)
        .accept("application/json, text/event-stream")
        .body(
            Map.of(
                "jsonrpc",
                "2.0",
                "id",
                1,
                "method",
                "initialize",
                "params",
                Map.of(
                    "protocolVersion",
                    Mcp.OLD,
                    "capabilities",
                    Map.of("x", "y".repeat(60_000), "roots", Map.of()),
                    "clientInfo",
                    Map.of("name", "n".repeat(500), "icons", List.of(1)))))
        .post("/mcp")
        .then()
        .statusCode(200)
        .body("result.protocolVersion", equalTo(Mcp.OLD));
  }

  @Test
  void the_metadata_beneath_the_path_is_the_only_thing_there() {
    given()
        .get("/mcp/.well-known/oauth-protected-resource")
        .then()
        .statusCode(200)
        .body("resource", endsWith("/mcp"));
    for (var beneath : List.of("x", "x%2fq%2fmetrics%3f", "%2Fq%2Fhealth")) {
      given()
          .urlEncodingEnabled(false)
          .get("/mcp/.well-known/" + beneath)
          .then()
          .statusCode(404)
          .body("code", equalTo("NOT_FOUND"));
    }
  }

  @Test
  void a_message_but_a_commit_has_at_most_1_MiB_and_64_KiB_without_credentials() {
    var client = Mcp.anonymous(Mcp.NEW);
    client.send("tools/list", Map.of("x", "y".repeat(63 * 1024))).statusCode(200);
    client
        .send("tools/list", Map.of("x", "y".repeat(64 * 1024)))
        .statusCode(413)
        .body("error.code", equalTo(McpError.INVALID_REQUEST))
        .body("error.data.code", equalTo("PAYLOAD_TOO_LARGE"));
    Mcp.admin(Mcp.NEW).send("tools/list", Map.of("x", "y".repeat(1023 * 1024))).statusCode(200);
    Mcp.admin(Mcp.NEW)
        .send("tools/list", Map.of("x", "y".repeat(1024 * 1024)))
        .statusCode(413)
        .body("error.data.code", equalTo("PAYLOAD_TOO_LARGE"));
    Mcp.admin(Mcp.OLD).send("tools/list", Map.of("x", "y".repeat(1024 * 1024))).statusCode(413);
  }

  @Test
  void the_room_of_a_message_is_given_back_with_its_answer() {
    var large = Map.of("x", "y".repeat(1000 * 1024));
    long more = Runtime.getRuntime().maxMemory() / 64 / (1000 * 1024) + 2;
    for (var client : List.of(Mcp.admin(Mcp.OLD), Mcp.admin(Mcp.NEW))) {
      for (int i = 0; i < more; i++) {
        client.send("prompts/list", large).statusCode(200);
      }
    }
  }

  @Test
  void the_handshake_of_the_older_revisions_names_what_there_is() {
    for (var version : HandshakeRevisions.VERSIONS) {
      given()
          .contentType(ContentType.JSON)
          .accept("application/json, text/event-stream")
          .body(
              Map.of(
                  "jsonrpc",
                  "2.0",
                  "id",
                  1,
                  "method",
                  "initialize",
                  "params",
                  Map.of(
                      "protocolVersion",
                      version,
                      "capabilities",
                      Map.of(),
                      "clientInfo",
                      Map.of("name", "test", "version", "1"))))
          .post("/mcp")
          .then()
          .statusCode(200)
          .body("result.protocolVersion", equalTo(version))
          .header("Mcp-Session-Id", notNullValue())
          .body("result.serverInfo.name", equalTo("cairn"))
          .body("result.capabilities", equalTo(CAPABILITIES))
          .body("result.instructions", containsString("repo_describe"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"resources/subscribe", "resources/unsubscribe", "logging/setLevel"})
  void methods_of_capabilities_that_are_not_announced_do_not_exist(String method) {
    Mcp.admin(Mcp.OLD)
        .send(method, Map.of("uri", "cairn://demo/world/shapes", "level", "info"))
        .body("error.code", equalTo(McpError.METHOD_NOT_FOUND));
  }

  @Test
  void an_error_of_a_request_that_reached_MCP_is_one_of_json_rpc() {
    given()
        .contentType(ContentType.JSON)
        .accept("application/json")
        .body(Map.of("jsonrpc", "2.0", "id", "a", "method", "ping"))
        .post("/mcp")
        .then()
        .statusCode(406)
        .contentType(ContentType.JSON)
        .body("jsonrpc", equalTo("2.0"))
        .body("id", equalTo("a"))
        .body("error.code", equalTo(McpError.INVALID_REQUEST))
        .body("error.data.code", equalTo("NOT_ACCEPTABLE"));
  }

  @ParameterizedTest
  @CsvSource({"2024-11-05, 400", "2025-03-26, 200", "2025-06-18, 400", "2025-11-25, 400"})
  void several_messages_at_once_are_for_the_one_revision_that_has_them(String version, int status) {
    var answer =
        given()
            .contentType(ContentType.JSON)
            .accept("application/json, text/event-stream")
            .header("MCP-Protocol-Version", version)
            .body(
                List.of(
                    Map.of("jsonrpc", "2.0", "id", 1, "method", "ping"),
                    Map.of("jsonrpc", "2.0", "id", 2, "method", "ping")))
            .post("/mcp")
            .then()
            .statusCode(status);
    if (status == 400) {
      answer.body("error.code", equalTo(McpError.INVALID_REQUEST));
    }
  }

  @Test
  void the_new_revision_says_what_it_is_when_asked() {
    Mcp.anonymous(Mcp.NEW)
        .send("server/discover", Map.of())
        .statusCode(200)
        .body("result.resultType", equalTo("complete"))
        .body("result.supportedVersions", hasItem(Mcp.NEW))
        .body("result.supportedVersions", hasItem(Mcp.OLD))
        .body("result.capabilities", equalTo(STATELESS_CAPABILITIES))
        .body("result.cacheScope", equalTo("public"))
        .body("result._meta.'io.modelcontextprotocol/serverInfo'.name", equalTo("cairn"));
  }

  @Test
  void a_notification_is_taken_and_not_answered() {
    given()
        .contentType(ContentType.JSON)
        .accept("application/json, text/event-stream")
        .header("MCP-Protocol-Version", Mcp.NEW)
        .body(Map.of("jsonrpc", "2.0", "method", "notifications/cancelled"))
        .post("/mcp")
        .then()
        .statusCode(202)
        .body(emptyString());
  }
}
