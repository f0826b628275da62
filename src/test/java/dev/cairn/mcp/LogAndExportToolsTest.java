package dev.cairn.mcp;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.action.SampleRuns;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ExtractableResponse;
import io.restassured.response.Response;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MCP, Tools: what happened since a time, what changed between two, and all that there is. */
@QuarkusTest
@HttpTest
class LogAndExportToolsTest {
  private static final long NEVER = 99_999_999_999_999L;

  private String repository;

  @BeforeEach
  void repository() {
    repository = Api.newRepository("private");
    Prepared.commit(repository, "{'operation':'add','name':'Shape/Note','data':{'fields':{}}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void the_commits_since_a_time_are_those_made_after_it(String version) throws Exception {
    var client = Mcp.admin(version).at(repository);
    long first =
        client
            .call("commit_log", Map.of())
            .extract()
            .jsonPath()
            .getLong("result.structuredContent.items[0].createdAt");
    Thread.sleep(5);
    for (var name : new String[] {"Note/a", "Note/b"}) {
      Api.commit(repository, "{'operation':'add','name':'" + name + "','data':{}}").statusCode(201);
    }
    client
        .call("commit_log", Map.of("since", first))
        .body("result.structuredContent.items.repoSeq", contains(3, 2))
        .body("result.structuredContent.nextCursor", equalTo(null));
    client
        .call("commit_log", Map.of("since", first - 1))
        .body("result.structuredContent.items", hasSize(3));
    client
        .call("commit_log", Map.of("since", NEVER))
        .body("result.structuredContent.items", empty());
    Api.admin()
        .get(repository + "/commits?since=" + first)
        .then()
        .body("items.repoSeq", contains(3, 2));
    Api.admin().get(repository + "/commits?since=yesterday").then().statusCode(400);

    var page = client.call("commit_log", Map.of("since", first, "limit", 1)).extract();
    assertEquals(3, page.<Integer>path("result.structuredContent.items[0].repoSeq"));
    String cursor = page.path("result.structuredContent.nextCursor");
    client
        .call("commit_log", Map.of("since", first, "limit", 1, "cursor", cursor))
        .body("result.structuredContent.items.repoSeq", contains(2));
    client
        .call("commit_log", Map.of("limit", 1, "cursor", cursor))
        .body("result.structuredContent.code", equalTo("VALIDATION_ERROR"));
  }

  @Test
  void the_feed_since_a_time_has_the_runs_made_after_it() {
    new SampleRuns(repository, "Note").failed();
    var client = Mcp.admin(Mcp.NEW).at(repository);
    client
        .call("action_feed", Map.of("since", 0))
        .body("result.structuredContent.items", hasSize(1));
    client
        .call("action_feed", Map.of("since", NEVER))
        .body("result.structuredContent.items", empty());
  }

  @Test
  void the_difference_between_two_moments_is_that_of_the_route() {
    Api.commit(repository, "{'operation':'add','name':'Note/a','data':{}}").statusCode(201);
    var client = Mcp.admin(Mcp.NEW).at(repository);
    client
        .call("commit_diff", Map.of("from", "1", "to", "2"))
        .body("result.structuredContent.items.wref", contains("Note/a"))
        .body("result.structuredContent.items.change", contains("added"));
    client
        .call("commit_diff", Map.of("from", "2", "to", "1"))
        .body("result.structuredContent.code", equalTo("VALIDATION_ERROR"));
    client
        .call("commit_diff", Map.of())
        .body("result.structuredContent.errors[0].pointer", equalTo("/from"));
  }

  @Test
  void an_export_is_built_and_its_url_needs_no_token() throws Exception {
    var client = Mcp.admin(Mcp.OLD).at(repository);
    String token =
        client
            .call("export_create", Map.of())
            .body("result.structuredContent.atRepoSeq", equalTo(1))
            .extract()
            .path("result.structuredContent.exportToken");
    client
        .call("export_create", Map.of("at", "1"))
        .body("result.structuredContent.exportToken", equalTo(token));
    var url = built(client, token).<String>path("result.structuredContent.url");

    given()
        .urlEncodingEnabled(false)
        .get(url)
        .then()
        .statusCode(200)
        .body(containsString("Shape/Note"));
    client
        .call("export_create", Map.of("token", token, "at", "1"))
        .body("result.structuredContent.errors[0].pointer", equalTo("/at"));
    client
        .call("export_create", Map.of("token", "none"))
        .body("result.structuredContent.code", equalTo("NOT_FOUND"));
  }

  private static ExtractableResponse<Response> built(Mcp client, String token) throws Exception {
    return Eventually.poll(
        "the export is built",
        () -> client.call("export_create", Map.of("token", token)).statusCode(200).extract(),
        answer -> {
          if (answer.path("result.structuredContent.url") != null) {
            return true;
          }
          assertEquals("pending", answer.<String>path("result.structuredContent.state"));
          return false;
        });
  }

  @Test
  void an_export_takes_a_token_that_is_not_narrowed() {
    Mcp.anonymous(Mcp.NEW).at(repository).call("export_create", Map.of()).statusCode(401);
    Mcp.of(Mcp.NEW, People.narrowedPat(repository, "repo:read", "Note/**"))
        .at(repository)
        .call("export_create", Map.of())
        .body("result.structuredContent.code", equalTo("FORBIDDEN"));
    var listed = Mcp.admin(Mcp.NEW).query("readonly=true").send("tools/list", Map.of());
    listed.body("result.tools.name", notNullValue());
    assertTrue(!listed.extract().asString().contains("export_create"));
  }
}
