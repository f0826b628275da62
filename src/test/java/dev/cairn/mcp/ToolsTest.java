package dev.cairn.mcp;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MCP, Tools: what is listed, called and refused, in both kinds of revision. */
@QuarkusTest
@HttpTest
class ToolsTest {
  private final ObjectMapper json = new ObjectMapper();

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void all_tools_are_listed_at_once_in_less_than_60_kB(String version) {
    var listed = Mcp.anonymous(version).send("tools/list", Map.of()).statusCode(200).extract();
    assertNull(listed.path("result.nextCursor"));
    int bytes = listed.asString().getBytes(StandardCharsets.UTF_8).length;
    assertTrue(bytes < 60_000, bytes + " bytes");
  }

  @Test
  void the_schema_of_a_commit_tells_all_four_operations_with_their_members() {
    var items = argument("commit_submit", "operations").path("items").path("oneOf");
    var members = new HashMap<String, List<String>>();
    for (var operation : items) {
      var properties = operation.path("properties");
      members.put(
          properties.at("/operation/const").asText(),
          properties.propertyStream().map(Map.Entry::getKey).toList());
    }
    assertEquals(Set.of("add", "revise", "retract", "rename"), members.keySet());
    assertTrue(
        members
            .get("add")
            .containsAll(List.of("name", "data", "about", "skipExisting", "type", "members")),
        members::toString);
    assertTrue(
        members.get("revise").containsAll(List.of("name", "data", "active", "expectedVersion")),
        members::toString);
    assertTrue(members.get("rename").contains("newName"), members::toString);
  }

  @Test
  void the_schema_of_a_subscription_tells_its_filter_its_command_and_its_schedule() {
    for (var tool : List.of("subscription_create", "subscription_update")) {
      assertEquals(
          List.of("operation", "kind", "shape", "name", "match", "all", "any", "not"),
          members(argument(tool, "filterJson")));
      assertEquals(
          Set.of("cronspec", "timezone"), Set.copyOf(members(argument(tool, "cronConfig"))));
      assertTrue(
          members(argument(tool, "spriteConfig"))
              .containsAll(List.of("command", "inputMode", "gitRepo", "ref", "tokenTtlMinutes")));
    }
  }

  private static List<String> members(JsonNode schema) {
    return schema.path("properties").propertyStream().map(Map.Entry::getKey).toList();
  }

  private static JsonNode argument(String tool, String argument) {
    var listed = Mcp.anonymous(Mcp.NEW).send("tools/list", Map.of()).extract().asString();
    return Outputs.parsed(listed)
        .at("/result/tools")
        .valueStream()
        .filter(one -> one.path("name").asText().equals(tool))
        .map(one -> one.path("inputSchema").path("properties").path(argument))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> names(Mcp client) {
    return client.send("tools/list", Map.of()).statusCode(200).extract().path("result.tools.name");
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void where_the_path_names_a_repository_the_tools_do_not_ask_for_it(String version) {
    var repository = Api.newRepository();
    var bound = Mcp.anonymous(version).at(repository);
    bound
        .send("tools/list", Map.of())
        .statusCode(200)
        .body(
            "result.tools.name",
            equalTo(
                names(Mcp.anonymous(version)).stream()
                    .filter(name -> !name.startsWith("org_"))
                    .filter(
                        name ->
                            !Set.of(
                                    "repo_list",
                                    "repo_create",
                                    "component_list",
                                    "component_register")
                                .contains(name))
                    .toList()))
        .body("result.tools.find { it.name == 'thing_count' }.inputSchema.required", equalTo(null))
        .body(
            "result.tools.find { it.name == 'thing_get' }.inputSchema.required", contains("wref"));
    bound
        .call("thing_count", Map.of())
        .statusCode(200)
        .body("result.structuredContent.count", equalTo(0));
    bound
        .call("thing_count", Map.of("org", "other", "repo", "repo"))
        .body("error.code", equalTo(McpError.INVALID_PARAMS));
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void a_tool_answers_json_for_programs_and_the_same_as_text(String version) {
    Mcp.anonymous(version)
        .call("thing_count", in(Api.newRepository()))
        .statusCode(200)
        .body("id", equalTo(7))
        .body("result.isError", equalTo(false))
        .body("result.structuredContent.count", equalTo(0))
        .body("result.content[0].text", equalTo("{\"count\":0}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void what_goes_wrong_in_a_tool_is_a_problem_document_in_its_result(String version) {
    var repository = Api.newRepository();
    Mcp.anonymous(version)
        .call("thing_get", with(in(repository), "wref", "Sensor/none"))
        .statusCode(200)
        .body("result.isError", equalTo(true))
        .body("result.structuredContent.code", equalTo("NOT_FOUND"))
        .body("result.structuredContent.status", equalTo(404))
        .body("result.content[0].text", containsString("NOT_FOUND"));
    Mcp.admin(version)
        .call(
            "commit_submit",
            with(
                in(repository),
                "operations",
                List.of(Map.of("operation", "add", "name", "Sensor/s", "data", Map.of()))))
        .body("result.isError", equalTo(true))
        .body("result.structuredContent.errors[0].pointer", equalTo("/operations/0/name"));
  }

  @Test
  void only_the_service_writes_records_of_installs() {
    var record = Map.of("operation", "add", "name", "ComponentInstall/x", "data", Map.of());
    Mcp.admin(Mcp.NEW)
        .call("commit_submit", with(in(Api.newRepository()), "operations", List.of(record)))
        .body("result.isError", equalTo(true))
        .body("result.structuredContent.code", equalTo("FORBIDDEN"));
  }

  @Test
  void a_missing_shape_is_answered_with_near_names() {
    var repository = Api.newRepository();
    Prepared.commit(repository, "{'operation':'add','name':'Shape/Sensor','data':{'fields':{}}}");
    Mcp.anonymous(Mcp.NEW)
        .call("shape_get", with(in(repository), "name", "Sensr"))
        .body("result.structuredContent.code", equalTo("NOT_FOUND"))
        .body("result.structuredContent.details.near", contains("Shape/Sensor"))
        .body("result.structuredContent.hint", equalTo("Did you mean `Shape/Sensor`?"));
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void arguments_are_held_against_the_schema_by_name(String version) {
    var repository = Api.newRepository();
    var client = Mcp.admin(version);
    refused(client, with(in(repository), "limit", "many"), "/limit");
    refused(client, with(in(repository), "limit", 1.5), "/limit");
    refused(client, with(in(repository), "limit", 501), "/limit");
    refused(client, with(in(repository), "shapes", "Sensor"), "/shapes");
    refused(client, with(in(repository), "match", "{"), "/match");
    refused(client, Map.of("org", "some"), "/repo");
    client
        .call("thing_head", with(in(repository), "limit", 500))
        .body("result.isError", equalTo(false));
  }

  @ParameterizedTest
  @CsvSource({
    "thing_get, wref, 1/x, /wref",
    "thing_about, wref, 1/x, /wref",
    "thing_refs, wref, 1/x, /wref",
    "wref_resolve, wref, 1/x, /wref",
    "export_create, at, x, /at",
    "commit_get, commitId, x, /commitId",
  })
  void the_pointer_of_a_problem_leads_to_the_argument(
      String tool, String argument, String value, String pointer) {
    Mcp.admin(Mcp.NEW)
        .call(tool, with(in(Api.newRepository()), argument, value))
        .body("result.structuredContent.errors.pointer", contains(pointer));
  }

  @Test
  void the_pointer_of_an_idempotency_key_leads_to_its_argument() {
    Mcp.admin(Mcp.NEW)
        .call(
            "commit_submit",
            with(with(in(Api.newRepository()), "operations", List.of()), "idempotencyKey", ""))
        .body("result.structuredContent.errors.pointer", contains("/idempotencyKey"));
  }

  @Test
  void a_filter_without_elements_does_not_select_everything() {
    var repository = in(Api.newRepository());
    for (var tool : List.of("thing_query", "thing_count")) {
      Mcp.admin(Mcp.NEW)
          .call(tool, with(repository, "about", List.of()))
          .body("result.structuredContent.errors.pointer", contains("/about"));
    }
  }

  @Test
  void an_argument_of_several_types_has_one_of_them() {
    var repository = in(Api.newRepository());
    for (var wref : List.of(true, 1, Map.of(), List.of(1), List.of("Sensor/a", true))) {
      Mcp.admin(Mcp.NEW)
          .call("thing_about", with(repository, "wref", wref))
          .body("result.structuredContent.errors.pointer", contains("/wref"))
          .body(
              "result.structuredContent.detail",
              containsString(wref instanceof List ? "an array of strings" : "string or array"));
    }
  }

  private static void refused(Mcp client, Map<String, Object> arguments, String pointer) {
    client
        .call("thing_head", arguments)
        .body("result.structuredContent.code", equalTo("VALIDATION_ERROR"))
        .body("result.structuredContent.errors.pointer", hasItem(pointer));
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void null_means_that_an_argument_is_left_out(String version) {
    var arguments = new HashMap<>(in(Api.newRepository()));
    arguments.put("shape", null);
    Mcp.anonymous(version)
        .call("thing_count", arguments)
        .body("result.structuredContent.count", equalTo(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void a_message_that_would_lose_something_is_refused_with_the_place(String version) {
    var repository = Api.newRepository();
    var client = Mcp.admin(version).at(repository);
    client
        .call(
            "shape_create",
            Map.of("name", "Reading", "definition", Map.of("fields", Map.of("value", "number"))))
        .body("result.isError", equalTo(false))
        .body("result.structuredContent.effects.add", equalTo(1));
    client
        .call(
            "commit_submit",
            Map.of(
                "operations",
                List.of(
                    Map.of(
                        "operation",
                        "add",
                        "name",
                        "Reading/r",
                        "data",
                        Map.of("value", 9_007_199_254_740_993L)))))
        .statusCode(400)
        .body("error.code", equalTo(McpError.PARSE_ERROR))
        .body("error.data.errors[0].pointer", equalTo("/params/arguments/operations/0/data/value"));
  }

  @Test
  void an_unknown_tool_is_an_error_of_the_protocol() {
    for (var version : List.of(Mcp.OLD, Mcp.NEW)) {
      Mcp.anonymous(version)
          .call("thing_guess", Map.of())
          .statusCode(200)
          .body("error.code", equalTo(McpError.INVALID_PARAMS));
    }
  }

  @Test
  void every_structured_result_is_what_the_output_schema_says() throws Exception {
    // Every call of a tool in these tests is looked at by Mcp; here it is seen to look.
    var tool = json.readTree("{\"type\":\"object\",\"required\":[\"a\"]}");
    assertTrue(Outputs.violations(tool, json.readTree("{}")).size() == 1);
    assertTrue(Outputs.violations(tool, json.readTree("{\"a\":1}")).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void each_tool_says_what_it_may_do(String version) {
    Mcp.anonymous(version)
        .send("tools/list", Map.of())
        .body(
            "result.tools.find { it.name == 'thing_get' }.annotations.readOnlyHint", equalTo(true))
        .body(
            "result.tools.find { it.name == 'commit_submit' }.annotations.readOnlyHint",
            equalTo(false))
        .body(
            "result.tools.findAll { it.annotations.destructiveHint == true }.name",
            containsInAnyOrder(
                "org_member_remove",
                "repo_delete",
                "subscription_delete",
                "credential_set_delete",
                "credential_set_revoke",
                "component_teardown"))
        .body("result.tools.title", everyItem(notNullValue()))
        .body("result.tools.outputSchema", everyItem(notNullValue()));
  }

  static Map<String, Object> in(String repository) {
    var path = repository.substring("/api/repos/".length());
    int slash = path.indexOf('/');
    return Map.of("org", path.substring(0, slash), "repo", path.substring(slash + 1));
  }

  static Map<String, Object> with(Map<String, ?> arguments, String name, Object value) {
    var all = new HashMap<String, Object>(arguments);
    all.put(name, value);
    return all;
  }
}
