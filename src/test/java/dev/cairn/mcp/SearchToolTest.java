package dev.cairn.mcp;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.is;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** MCP: the tool of full-text search; {@code docs/search.md}. */
@QuarkusTest
@HttpTest
class SearchToolTest {
  private static final String CONTENT =
      """
      {'operation':'add','kind':'shape','name':'Tool','data':{'fields':{'summary':'string'}}},
      {'operation':'add','name':'Tool/fox','data':{'summary':'A web browser'}},
      {'operation':'add','name':'Tool/other','data':{'summary':'Another browser'}}
      """;

  private static final int MAX_WAITS = 12;

  private static ValidatableResponse search(
      String token, String repository, Map<String, Object> arguments) {
    var all = new HashMap<String, Object>(ToolsTest.in(repository));
    all.putAll(arguments);
    var call = Map.<String, Object>of("name", "thing_search", "arguments", all);
    var answer = Mcp.of(Mcp.NEW, token).send("tools/call", call).statusCode(200);
    // The indexes of many other tests may be before this one.
    for (int i = 0; i < MAX_WAITS && isBehind(answer); i++) {
      answer = Mcp.of(Mcp.NEW, token).send("tools/call", call).statusCode(200);
    }
    return answer;
  }

  private static boolean isBehind(ValidatableResponse answer) {
    return Integer.valueOf(0).equals(answer.extract().path("result.structuredContent.indexedSeq"));
  }

  @Test
  void an_agent_finds_what_it_has_just_written() {
    var repository = Api.newRepository();
    Api.commit(repository, CONTENT).statusCode(201);
    search(Api.adminToken(), repository, Map.of("q", "web browser", "wait", 1))
        .body("result.structuredContent.items.wref", contains("Tool/fox"))
        .body("result.structuredContent.indexedSeq", is(1));
    search(Api.adminToken(), repository, Map.of("q", "browser", "fields", List.of("kind")))
        .body("result.structuredContent.items.wref", containsInAnyOrder("Tool/fox", "Tool/other"))
        .body("result.structuredContent.items.data", everyItem(is(Map.of())));
    search(Api.adminToken(), repository, Map.of("q", "-x"))
        .body("result.isError", is(true))
        .body("result.structuredContent.code", is("VALIDATION_ERROR"));
  }

  @Test
  void a_narrowed_token_finds_what_it_may_read() {
    var repository = Api.newRepository();
    Api.commit(repository, CONTENT).statusCode(201);
    var token = People.narrowedPat(repository, "repo:read", "Tool/o*");
    search(token, repository, Map.of("q", "browser", "wait", 1))
        .body("result.structuredContent.items.wref", contains("Tool/other"));
  }
}
