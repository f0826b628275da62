package dev.cairn.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.model.ShapeDefinition;
import io.quarkus.test.junit.QuarkusTest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** MCP: what agents are told about operations, shapes and tools is all there is, and is there. */
@QuarkusTest
@HttpTest
class GuideTest {
  private static final Pattern TOOL = Pattern.compile("\\b[a-z]+(_[a-z]+)+\\b");

  /** A tool and the names of its arguments; what is in the arguments is not looked at. */
  private static final Pattern CALL =
      Pattern.compile("\\b([a-z]+(?:_[a-z]+)+) [{]((?:[^{}]|[{](?:[^{}]|[{][^{}]*[}])*[}])*)[}]");

  private static Map<String, JsonNode> tools() {
    var listed = Mcp.anonymous(Mcp.NEW).send("tools/list", Map.of()).extract().asString();
    return Outputs.parsed(listed)
        .at("/result/tools")
        .valueStream()
        .collect(Collectors.toMap(tool -> tool.get("name").asText(), tool -> tool));
  }

  private static List<String> steps() {
    return Guide.COOKBOOK.stream().flatMap(recipe -> recipe.steps().stream()).toList();
  }

  @Test
  void the_guide_tells_of_what_saves_calls_and_bytes() {
    var guide = Guide.OPERATIONS + steps();
    for (var word : List.of("patch", "missing: about:", "fields: [", "commit_diff {from")) {
      assertTrue(guide.contains(word), () -> word + " in " + guide);
    }
  }

  @Test
  void the_cookbook_names_tools_and_arguments_that_there_are() {
    var tools = tools();
    var unknown = new TreeMap<String, Set<String>>();
    for (var step : steps()) {
      TOOL.matcher(step)
          .results()
          .map(found -> found.group())
          .filter(tool -> !tools.containsKey(tool))
          .forEach(tool -> unknown.put(tool, Set.of()));
      CALL.matcher(step)
          .results()
          .filter(found -> tools.containsKey(found.group(1)))
          .forEach(
              found -> {
                var arguments = names(found.group(2));
                tools
                    .get(found.group(1))
                    .at("/inputSchema/properties")
                    .propertyStream()
                    .map(Map.Entry::getKey)
                    .forEach(arguments::remove);
                if (!arguments.isEmpty()) {
                  unknown.put(step, arguments);
                }
              });
    }
    assertEquals(Map.of(), unknown);
  }

  /** The names before the colons, outside of brackets. */
  private static Set<String> names(String arguments) {
    var flat = arguments;
    while (!flat.equals(flat.replaceAll("[{\\[][^{}\\[\\]]*[}\\]]", ""))) {
      flat = flat.replaceAll("[{\\[][^{}\\[\\]]*[}\\]]", "");
    }
    return Stream.of(flat.split(",", -1))
        .map(argument -> argument.strip().replaceAll(":.*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void the_tool_that_defines_a_shape_names_every_member_of_a_definition() {
    var definition = tools().get("shape_create").at("/inputSchema/properties/definition");
    assertEquals(
        ShapeDefinition.MEMBERS,
        definition
            .get("properties")
            .propertyStream()
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet()));
    assertEquals("[\"fields\"]", definition.get("required").toString());
    var told = definition.get("description").asText();
    for (var member : ShapeDefinition.MEMBERS) {
      assertTrue(told.contains(member), () -> member + " in " + told);
    }
  }

  @Test
  void a_shape_may_say_what_it_is_about_in_each_way_that_the_schema_tells() {
    var client = Mcp.admin(Mcp.NEW).at(Api.newRepository());
    var schema = tools().get("shape_create").get("inputSchema");
    int made = 0;
    for (var about : List.of(true, false, List.of("Sensor", "Room/north*"))) {
      var definition = Map.of("about", about, "description", "d", "fields", Map.of());
      var arguments = Map.of("name", "S" + made, "definition", definition);
      var whole = new HashMap<String, Object>(arguments);
      whole.putAll(Map.of("org", "o", "repo", "r"));
      assertEquals(List.of(), Outputs.violations(schema, Outputs.json(whole)));
      client.call("shape_create", arguments);
      made++;
    }
    assertEquals(
        Integer.valueOf(made),
        client
            .call("shape_list", Map.of())
            .extract()
            .<List<?>>path("result.structuredContent.items")
            .size());
  }
}
