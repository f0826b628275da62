package dev.cairn.mcp;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MCP, Toolsets: a request gets the tools that its query and its headers ask for. */
@QuarkusTest
@HttpTest
class ToolsetsTest {
  private static final Set<String> ALWAYS = Set.of("capabilities", "whoami");
  private static final List<String> ALL =
      List.of("read", "commit", "subscription", "component", "admin");

  private static Set<String> names(Mcp client) {
    List<String> names =
        client.send("tools/list", Map.of()).statusCode(200).extract().path("result.tools.name");
    return Set.copyOf(names);
  }

  private static Set<String> names(String query) {
    return names(Mcp.anonymous(Mcp.NEW).query(query));
  }

  @Test
  void each_tool_is_in_one_toolset_and_two_are_always_there() {
    var seen = new ArrayList<String>();
    for (var toolset : ALL) {
      var names = names("toolsets=" + toolset);
      assertTrue(names.containsAll(ALWAYS), names::toString);
      names.stream().filter(name -> !ALWAYS.contains(name)).forEach(seen::add);
    }
    seen.addAll(ALWAYS);
    assertEquals(seen.size(), Set.copyOf(seen).size(), seen::toString);
    assertEquals(names(Mcp.anonymous(Mcp.NEW)), Set.copyOf(seen));
    assertEquals(names(Mcp.anonymous(Mcp.NEW)), names("toolsets=" + String.join(",", ALL)));
  }

  @Test
  void a_toolset_has_what_its_name_says() {
    assertTrue(names("toolsets=read").containsAll(List.of("thing_get", "repo_describe")));
    assertEquals(
        Set.of(
            "capabilities",
            "whoami",
            "commit_submit",
            "shape_create",
            "shape_revise",
            "repo_content_set"),
        names("toolsets=commit"));
    assertTrue(
        names("toolsets=subscription")
            .containsAll(List.of("subscription_list", "action_runs", "credential_set_put")));
    assertTrue(
        names("toolsets=component")
            .containsAll(
                List.of(
                    "component_list",
                    "component_installs",
                    "component_register",
                    "component_install",
                    "component_doctor",
                    "component_teardown")));
    assertTrue(names("toolsets=admin").containsAll(List.of("org_create", "repo_delete")));
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void read_only_leaves_what_changes_nothing(String version) {
    var client = Mcp.anonymous(version);
    var listed =
        client.query("readonly=true").send("tools/list", Map.of()).statusCode(200).extract();
    List<Boolean> hints = listed.path("result.tools.annotations.readOnlyHint");
    assertEquals(Set.of(true), Set.copyOf(hints));
    assertEquals(names(client), names(client.query("readonly=false")));
    assertFalse(
        names(client.query("toolsets=read,commit&readonly=true")).contains("commit_submit"));
    assertEquals(ALWAYS, names(client.query("toolsets=commit&readonly=true")));
  }

  @Test
  void headers_say_the_same_as_the_query_and_both_hold() {
    var client = Mcp.anonymous(Mcp.NEW);
    assertEquals(
        names("toolsets=read,commit"), names(client.header("X-MCP-Toolsets", "commit, read")));
    assertEquals(names("readonly=true"), names(client.header("X-MCP-Readonly", "true")));
    assertEquals(
        names("toolsets=commit"),
        names(client.header("X-MCP-Toolsets", "read,commit").query("toolsets=commit,admin")));
    assertEquals(
        names("readonly=true"),
        names(client.header("X-MCP-Readonly", "true").query("readonly=false")));
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void a_tool_that_is_not_offered_is_an_unknown_one(String version) {
    var repository = Api.newRepository();
    var shape = Map.of("name", "Sensor", "definition", Map.of("fields", Map.of()));
    for (var query : List.of("toolsets=read", "readonly=true", "toolsets=commit&readonly=true")) {
      for (var client : List.of(Mcp.admin(version), Mcp.anonymous(version))) {
        var withheld = client.query(query).at(repository);
        unknown(withheld.call("shape_create", shape), "shape_create");
        unknown(withheld.call("shape_guess", shape), "shape_guess");
      }
    }
    Mcp.admin(version)
        .query("toolsets=commit")
        .at(repository)
        .call("shape_create", shape)
        .body("result.isError", equalTo(false));
  }

  private static void unknown(ValidatableResponse answer, String tool) {
    answer
        .statusCode(200)
        .body("error.code", equalTo(McpError.INVALID_PARAMS))
        .body("error.message", equalTo("There is no tool `" + tool + "` here."));
  }

  @Test
  void capabilities_tells_of_what_is_offered() {
    Map<String, List<Map<String, String>>> tools =
        Mcp.anonymous(Mcp.NEW)
            .query("toolsets=commit")
            .call("capabilities", Map.of())
            .extract()
            .path("result.structuredContent.tools");
    var names = new HashSet<String>();
    tools.values().forEach(some -> some.forEach(tool -> names.add(tool.get("name"))));
    assertEquals(names("toolsets=commit"), names);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "toolsets=reed",
        "toolsets=",
        "toolsets=Read",
        "toolsets=read,,commit",
        "readonly=yes",
        "readonly=",
        "readOnly=true"
      })
  void what_is_not_known_is_an_error_that_names_what_is(String query) {
    for (var version : List.of(Mcp.OLD, Mcp.NEW)) {
      Mcp.anonymous(version)
          .query(query)
          .send("tools/list", Map.of())
          .statusCode(400)
          .body("id", equalTo(7))
          .body("error.code", equalTo(McpError.INVALID_PARAMS))
          .body(
              "error.message",
              containsString(
                  query.startsWith("toolsets")
                      ? "read, commit, subscription, component, admin"
                      : query.startsWith("readonly") ? "true or false" : "toolsets, readonly"));
    }
  }
}
