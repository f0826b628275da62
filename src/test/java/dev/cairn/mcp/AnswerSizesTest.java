package dev.cairn.mcp;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MCP: pages of tools end at 256 KiB, or have one item. */
@QuarkusTest
@HttpTest
class AnswerSizesTest {
  private static final int PAGE = 256 * 1024;

  /** Two of these fit into a page, three do not. */
  private static final String LARGE = "\\u00fc\\\"".repeat(25_000);

  private static final String SHAPES =
      """
      {'operation':'add','name':'Shape/Note','data':{'fields':{'text':'string'}}},
      {'operation':'add','name':'Shape/Topic','data':{'fields':{'text':'string'}}},
      {'operation':'add','name':'Topic/a','data':{'text':'x'}}\
      """;

  private static String repository(String... texts) {
    var repository = Api.newRepository();
    var operations =
        IntStream.range(0, texts.length)
            .mapToObj(
                i ->
                    "{\"operation\":\"add\",\"kind\":\"assertion\",\"name\":\"Note/n%d\",\"about\":\"Topic/a\",\"data\":{\"text\":\"%s\"}}"
                        .formatted(i, texts[i]))
            .collect(Collectors.joining(","));
    Prepared.commit(repository, SHAPES);
    Api.admin()
        .body("{\"operations\":[" + operations + "]}")
        .post(repository + "/commits")
        .then()
        .statusCode(201);
    return repository;
  }

  private static Map<String, Object> in(String repository, Object... more) {
    var names = List.of(repository.substring("/api/repos/".length()).split("/", 2));
    var arguments = new HashMap<String, Object>(Map.of("org", names.get(0), "repo", names.get(1)));
    for (int i = 0; i < more.length; i += 2) {
      arguments.put((String) more[i], more[i + 1]);
    }
    return arguments;
  }

  /** Walks all pages; answers the wrefs of each. */
  private static List<List<String>> walk(
      String version, String tool, String items, Map<String, Object> arguments) {
    var pages = new ArrayList<List<String>>();
    var asked = new HashMap<>(arguments);
    JsonNode page;
    do {
      var response = Mcp.anonymous(version).call(tool, asked).statusCode(200).extract().asString();
      var result = Outputs.parsed(response).path("result");
      assertFalse(result.path("isError").asBoolean(), response::toString);
      page = result.path("structuredContent");
      var text = result.path("content").path(0).path("text").asText();
      assertEquals(page, Outputs.parsed(text));
      pages.add(page.path(items).valueStream().map(i -> i.path("wref").asText()).toList());
      asked.put("cursor", page.path("nextCursor").asText());
    } while (page.has("nextCursor"));
    return pages;
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void a_page_of_large_items_ends_early_and_the_next_ones_have_the_rest(String version) {
    var repository = repository(LARGE, LARGE, LARGE, LARGE, LARGE);
    var oldestFirst =
        List.of(List.of("Note/n0", "Note/n1"), List.of("Note/n2", "Note/n3"), List.of("Note/n4"));
    var newestFirst =
        List.of(List.of("Note/n4", "Note/n3"), List.of("Note/n2", "Note/n1"), List.of("Note/n0"));

    assertEquals(
        oldestFirst,
        walk(version, "thing_head", "items", in(repository, "shape", "Note", "limit", 500)));
    assertEquals(
        oldestFirst,
        walk(version, "thing_query", "items", in(repository, "about", "Topic/a", "limit", 500)));
    assertEquals(
        newestFirst,
        walk(version, "thing_history", "items", in(repository, "shape", "Note", "limit", 500)));
    assertEquals(
        newestFirst,
        walk(
            version, "thing_about", "assertions", in(repository, "wref", "Topic/a", "limit", 500)));
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void a_page_has_an_item_however_large(String version) {
    var larger = "x".repeat(2 * PAGE);
    var repository = repository("x", larger, larger, "x");

    assertEquals(
        List.of(List.of("Note/n0"), List.of("Note/n1"), List.of("Note/n2"), List.of("Note/n3")),
        walk(version, "thing_head", "items", in(repository, "shape", "Note")));
    Mcp.anonymous(version)
        .call("thing_get", in(repository, "wref", "Note/n1"))
        .body("result.structuredContent.data.text", equalTo(larger));
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void what_is_asked_for_by_name_is_refused_when_it_is_too_large_together(String version) {
    var repository = repository(LARGE, LARGE, LARGE);
    Mcp.anonymous(version)
        .call("thing_batch", in(repository, "wrefs", List.of("Note/n0", "Note/n1")))
        .body("result.structuredContent.items", hasSize(2));
    Mcp.anonymous(version)
        .call("thing_batch", in(repository, "wrefs", List.of("Note/n0", "Note/n1", "Note/n2")))
        .body("result.isError", equalTo(true))
        .body("result.structuredContent.code", equalTo("PAYLOAD_TOO_LARGE"))
        .body("result.structuredContent.detail", containsString("fewer wrefs"));
  }

  @Test
  void messages_that_are_sent_at_once_have_one_page_together() {
    var repository = repository(LARGE, LARGE, LARGE, LARGE, LARGE);
    var arguments = in(repository, "shape", "Note");
    var answers =
        given()
            .contentType(ContentType.JSON)
            .accept("application/json, text/event-stream")
            .body(
                IntStream.range(0, 6)
                    .mapToObj(id -> BatchTest.call(id, "thing_head", arguments))
                    .toList())
            .post("/mcp")
            .then()
            .statusCode(200)
            .extract()
            .asString()
            .lines()
            .filter(line -> line.startsWith("data:"))
            .map(line -> Outputs.parsed(line.substring("data:".length())).path("result"))
            .toList();

    assertEquals(6, answers.size());
    assertEquals(
        3,
        answers.stream()
            .mapToInt(answer -> answer.path("structuredContent").path("items").size())
            .sum());
    var refused = answers.stream().filter(answer -> answer.path("isError").asBoolean()).toList();
    assertEquals(4, refused.size());
    for (var answer : refused) {
      assertEquals("PAYLOAD_TOO_LARGE", answer.at("/structuredContent/code").asText());
      assertTrue(answer.at("/structuredContent/hint").asText().contains("a request of its own"));
    }
  }

  @Test
  void lists_count_among_the_answers_to_messages_that_are_sent_at_once() {
    var answer =
        given()
            .contentType(ContentType.JSON)
            .accept("application/json, text/event-stream")
            .body(
                IntStream.range(0, 20)
                    .mapToObj(id -> Map.of("jsonrpc", "2.0", "id", id, "method", "tools/list"))
                    .toList())
            .post("/mcp")
            .then()
            .statusCode(200)
            .extract()
            .asString();
    var answers =
        answer
            .lines()
            .filter(line -> line.startsWith("data:"))
            .map(line -> Outputs.parsed(line.substring("data:".length())))
            .toList();

    assertEquals(20, answers.size());
    assertTrue(answer.length() < 2 * PAGE, "its length is " + answer.length());
    assertTrue(answers.getFirst().at("/result/tools").size() > 50);
    assertEquals("PAYLOAD_TOO_LARGE", answers.getLast().at("/error/data/code").asText());
  }

  @Test
  void a_resource_ends_early_too_and_says_so() {
    var repository = Api.newRepository();
    var description = "x".repeat(60_000);
    Prepared.commit(
        repository,
        IntStream.range(0, 6)
            .mapToObj(
                i ->
                    "{'operation':'add','name':'Shape/S%d','data':{'description':'%s','fields':{}}}"
                        .formatted(i, description))
            .collect(Collectors.joining(",")));
    var uri = "cairn://" + repository.substring("/api/repos/".length()) + "/shapes";
    for (var version : List.of(Mcp.OLD, Mcp.NEW)) {
      var text =
          Mcp.anonymous(version)
              .send("resources/read", Map.of("uri", uri))
              .statusCode(200)
              .body("error", nullValue())
              .extract()
              .<String>path("result.contents[0].text");
      assertEquals(4, Outputs.parsed(text).path("items").size());
      assertTrue(Outputs.parsed(text).has("nextCursor"));
    }
  }
}
