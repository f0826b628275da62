package dev.cairn.mcp;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MCP, Transport: a commit may be as large as by REST, other messages may not. */
@QuarkusTest
@HttpTest
class LargeCommitTest {
  private static final int MIB = 1024 * 1024;

  private static String repository() {
    var repository = Api.newRepository();
    Prepared.commit(
        repository, "{'operation':'add','name':'Shape/Note','data':{'fields':{'text':'string'}}}");
    return repository;
  }

  /** That many adds, each with a text of that many characters. */
  private static String adds(int count, int length) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                "{\"operation\":\"add\",\"name\":\"Note/n%d\",\"data\":{\"text\":\"%s\"}}"
                    .formatted(i, "x".repeat(length)))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static ValidatableResponse sendTo(String path, String version, String params) {
    var request =
        given()
            .contentType(ContentType.JSON)
            .accept("application/json, text/event-stream")
            .auth()
            .oauth2(Api.adminToken())
            .header("MCP-Protocol-Version", version);
    var meta = "";
    if (version.equals(Mcp.NEW)) {
      request.header("Mcp-Method", "tools/call").header("Mcp-Name", "commit_submit");
      meta =
          ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"%s\",\"io.modelcontextprotocol/clientCapabilities\":{}}"
              .formatted(version);
    }
    return request
        .body(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{%s%s}}"
                .formatted(params, meta))
        .post(path)
        .then();
  }

  private static ValidatableResponse send(String version, String repository, String params) {
    return sendTo(Mcp.pathOf(repository), version, params);
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void a_commit_of_almost_16_MiB_is_made(String version) {
    var repository = repository();
    var params =
        "\"name\":\"commit_submit\",\"arguments\":{\"message\":\"much\",\"author\":null,\"operations\":%s,\"idempotencyKey\":\"k\"}"
            .formatted(adds(31, MIB / 2));

    send(version, repository, params)
        .statusCode(200)
        .body("result.isError", equalTo(false))
        .body("result.structuredContent.message", equalTo("much"))
        .body("result.structuredContent.operationCount", equalTo(31));
    Api.admin().get(repository + "/count?shape=Note").then().body("count", equalTo(31));
    send(version, repository, params)
        .body("result.isError", equalTo(false))
        .body("result.structuredContent.repoSeq", equalTo(2));
    Api.admin()
        .get(repository + "/things/Note/n30")
        .then()
        .body("data.text.length()", equalTo(MIB / 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void its_arguments_may_name_the_repository(String version) {
    var repository = repository();
    var params = callOf(repository, adds(31, MIB / 2));

    sendTo("/mcp", version, params)
        .statusCode(200)
        .body("result.isError", equalTo(false))
        .body("result.structuredContent.operationCount", equalTo(31));
    Api.admin().get(repository + "/count?shape=Note").then().body("count", equalTo(31));
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void one_beyond_16_MiB_is_refused_with_the_limit(String version) {
    var repository = repository();
    var params = callOf(repository, adds(32, MIB / 2));

    sendTo("/mcp", version, params)
        .statusCode(413)
        .contentType("application/problem+json")
        .body("code", equalTo("PAYLOAD_TOO_LARGE"))
        .body("detail", containsString("16777216"));
    Api.admin().get(repository + "/count?shape=Note").then().body("count", equalTo(0));
  }

  /** A call at the path of no repository. */
  private static String callOf(String repository, String operations) {
    var in = ToolsTest.in(repository);
    return "\"name\":\"commit_submit\",\"arguments\":{\"org\":\"%s\",\"repo\":\"%s\",\"operations\":%s}"
        .formatted(in.get("org"), in.get("repo"), operations);
  }

  @Test
  void its_operations_may_be_many_and_come_before_the_name_of_the_tool() {
    var repository = repository();

    send(
            Mcp.OLD,
            repository,
            "\"arguments\":{\"operations\":%s},\"name\":\"commit_submit\""
                .formatted(adds(10_000, 200)))
        .statusCode(200)
        .body("result.isError", equalTo(false));
    Api.admin().get(repository + "/count?shape=Note").then().body("count", equalTo(10_000));
  }

  /** Beyond 64 KiB, a commit may have as many values as by REST, not as many as a message. */
  @Test
  void a_commit_below_1_MiB_may_have_many_values_too() {
    var repository = repository();
    var operations = adds(10_000, 1).replace("\"data\":{", "\"data\":{\"a\":[1,2,3,4,5],");
    var params =
        "\"name\":\"commit_submit\",\"arguments\":{\"operations\":%s}".formatted(operations);
    assertTrue(params.length() < MIB - 1_000, params.length() + " bytes");

    send(Mcp.OLD, repository, params).statusCode(200).body("result.isError", equalTo(false));
    Api.admin().get(repository + "/count?shape=Note").then().body("count", equalTo(10_000));
  }

  @Test
  void its_full_answer_has_at_most_4_MiB() {
    var repository = repository();
    var operations = adds(9_000, 1).replace("Note/n", "Note/" + "n".repeat(200));
    var params = "\"name\":\"commit_submit\",\"arguments\":{\"operations\":%s,\"return\":\"%s\"}";

    send(Mcp.OLD, repository, params.formatted(operations, "full"))
        .statusCode(200)
        .body("result.isError", equalTo(true))
        .body("result.structuredContent.code", equalTo("PAYLOAD_TOO_LARGE"))
        .body("result.structuredContent.detail", containsString("4,194,304"));
    Api.admin().get(repository + "/count?shape=Note").then().body("count", equalTo(0));
    send(Mcp.OLD, repository, params.formatted(operations, "summary"))
        .body("result.isError", equalTo(false));
  }

  @Test
  void its_mistakes_are_told_with_their_places() {
    var repository = repository();
    var operations =
        adds(5, MIB / 2).replace("Note/n2\",\"data\":{", "Note/n2\",\"data\":{\"n\":1,");

    send(
            Mcp.OLD,
            repository,
            "\"name\":\"commit_submit\",\"arguments\":{\"operations\":%s}"
                .formatted(operations.replace("\"text\":\"x", "\"text\":7,\"y\":\"x")))
        .statusCode(200)
        .body("result.isError", equalTo(true))
        .body("result.structuredContent.errors[0].pointer", equalTo("/operations/0/data/text"));
    send(
            Mcp.OLD,
            repository,
            "\"name\":\"commit_submit\",\"arguments\":{\"operations\":%s}"
                .formatted(operations.replace("\"n\":1", "\"n\":9007199254740993")))
        .body("result.isError", equalTo(true))
        .body("result.structuredContent.errors[0].pointer", equalTo("/operations/2/data/n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"name\":\"repo_describe\",\"arguments\":{\"operations\":%s}",
        "\"name\":\"commit_submit\",\"arguments\":{\"message\":%s}",
        "\"name\":\"commit_submit\",\"arguments\":{\"operations\":[],\"message\":%s}",
        "\"name\":\"commit_submit\",\"arguments\":{\"operations\":{\"a\":%s}}",
        "\"name\":\"commit_submit\",\"operations\":%s"
      })
  void whatever_else_is_long_is_refused(String params) {
    send(Mcp.OLD, repository(), params.formatted(adds(2, MIB)))
        .statusCode(413)
        .body("error.data.code", equalTo("PAYLOAD_TOO_LARGE"));
  }

  @Test
  void what_is_no_json_is_refused() {
    send(
            Mcp.OLD,
            repository(),
            "\"name\":\"commit_submit\",\"arguments\":{\"operations\":[%s}".formatted(adds(2, MIB)))
        .statusCode(400)
        .body("error.code", equalTo(McpError.PARSE_ERROR));
    send(
            Mcp.OLD,
            repository(),
            "\"name\":\"commit_submit\",\"arguments\":{\"operations\":%s,\"operations\":[]}"
                .formatted(adds(2, MIB)))
        .statusCode(400)
        .body("error.code", equalTo(McpError.PARSE_ERROR));
  }
}
