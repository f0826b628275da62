package dev.cairn.mcp;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Statements;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** MCP, Transport: messages that are sent at once in the revisions that allow it. */
@QuarkusTest
@HttpTest
class BatchTest {
  @Test
  void a_number_and_the_same_digits_as_text_are_different_ids() {
    var results =
        answers(
            send(
                Api.adminToken(),
                List.of(call(1, "capabilities", Map.of()), call("1", "whoami", Map.of()))));

    assertEquals(
        List.of("1", "\"1\""),
        results.stream().map(result -> result.path("id").toString()).toList());
    assertEquals("Cairn", service(results.getFirst()));
    assertEquals(true, results.getLast().at("/result/structuredContent/authenticated").asBoolean());
  }

  private static String service(JsonNode capabilities) {
    return capabilities.at("/result/structuredContent/service").asText().substring(0, 5);
  }

  @Test
  void messages_run_one_after_the_other_in_their_order() {
    var repository = Api.newRepository();
    var shape = Map.of("name", "Shape/S", "data", Map.of("fields", Map.of("n", "number")));
    int revisions = 6;

    var results =
        answers(
            send(
                Api.adminToken(),
                IntStream.rangeClosed(0, revisions + 1)
                    .mapToObj(
                        i ->
                            switch (i) {
                              case 0 -> commit(i, repository, "add", shape);
                              case 1 -> commit(i, repository, "add", thing(i));
                              default -> commit(i, repository, "revise", thing(i));
                            })
                    .toList()));

    for (int i = 0; i < results.size(); i++) {
      assertEquals(i, results.get(i).path("id").asInt());
      assertEquals(false, results.get(i).at("/result/isError").asBoolean(true), results.toString());
    }
    Api.admin()
        .get(repository + "/things/S/a")
        .then()
        .body("version", equalTo(revisions + 1))
        .body("data.n", equalTo(revisions + 1));
  }

  @Test
  void a_right_that_one_message_takes_away_is_missing_to_the_next() {
    var repository = Api.newRepository();
    var org = ToolsTest.in(repository).get("org").toString();
    var person = People.member(org, "admin");
    var leave = Map.of("org", org, "email", person.email(), "confirm", person.email());
    var shape = Map.of("name", "Shape/S", "data", Map.of("fields", Map.of()));

    var results =
        answers(
            send(
                person.token(),
                List.of(call(1, "org_member_remove", leave), commit(2, repository, "add", shape))));

    assertEquals(false, results.getFirst().at("/result/isError").asBoolean(true));
    assertEquals("FORBIDDEN", results.getLast().at("/result/structuredContent/code").asText());
    Api.admin().get(repository + "/count").then().body("count", equalTo(0));
  }

  @Test
  void none_is_carried_out_if_one_of_them_is_not_valid() {
    var repository = Api.newRepository();
    var shape = Map.of("name", "Shape/S", "data", Map.of("fields", Map.of()));

    send(
            Api.adminToken(),
            List.of(
                commit(1, repository, "add", shape),
                Map.of("jsonrpc", "2.0", "id", 2, "method", "tools/call")))
        .statusCode(200)
        .body("error.code", equalTo(-32_602));

    Api.admin().get(repository + "/count").then().body("count", equalTo(0));
  }

  @Test
  void whether_the_repositories_of_a_batch_are_public_is_asked_once() {
    var repository = Api.newRepository();
    var other = Api.newRepository();
    var unknown = call(0, "repo_get", Map.of("org", "no", "repo", "where"));
    var pings = IntStream.range(0, 20).mapToObj(i -> message(i, "ping")).toList();
    var calls = List.of(callIn(repository), callIn(other), unknown);

    assertStatements(1, () -> anonymously(Mcp.pathOf(repository), pings).statusCode(200));
    assertStatements(1, () -> anonymously("/mcp", calls).statusCode(401));
  }

  private static Map<String, Object> message(Object id, String method) {
    return Map.of("jsonrpc", "2.0", "id", id, "method", method);
  }

  private static Map<String, Object> callIn(String repository) {
    return call(repository, "repo_get", ToolsTest.in(repository));
  }

  /** What the service does by itself at the same time counts too. */
  private static void assertStatements(int expected, Runnable request) {
    int fewest = Integer.MAX_VALUE;
    for (int i = 0; i < 20 && fewest != expected; i++) {
      int before = Statements.sentInSilence();
      request.run();
      fewest = Math.min(fewest, Statements.sent() - before);
    }
    assertEquals(expected, fewest);
  }

  private static Map<String, Object> thing(int n) {
    return Map.of("name", "S/a", "data", Map.of("n", n));
  }

  private static Map<String, Object> commit(
      int id, String repository, String operation, Map<String, ?> of) {
    return call(
        id,
        "commit_submit",
        ToolsTest.with(
            ToolsTest.in(repository),
            "operations",
            List.of(ToolsTest.with(of, "operation", operation))));
  }

  /** A message that calls a tool. */
  static Map<String, Object> call(Object id, String tool, Map<String, ?> arguments) {
    return Map.of(
        "jsonrpc",
        "2.0",
        "id",
        id,
        "method",
        "tools/call",
        "params",
        Map.of("name", tool, "arguments", arguments));
  }

  private static ValidatableResponse send(String token, List<?> messages) {
    return batch(messages).auth().oauth2(token).post("/mcp").then();
  }

  private static ValidatableResponse anonymously(String path, List<?> messages) {
    return batch(messages).post(path).then();
  }

  private static RequestSpecification batch(List<?> messages) {
    return given()
        .contentType(ContentType.JSON)
        .accept("application/json, text/event-stream")
        .header("MCP-Protocol-Version", Mcp.FIRST)
        .body(messages);
  }

  private static List<JsonNode> answers(ValidatableResponse response) {
    return response
        .statusCode(200)
        .contentType("text/event-stream")
        .extract()
        .asString()
        .lines()
        .filter(line -> line.startsWith("data: "))
        .map(line -> Outputs.parsed(line.substring("data: ".length())))
        .toList();
  }
}
