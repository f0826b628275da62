package dev.cairn.mcp;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.docs.GeneratedPart;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** MCP, Tools: the page lists the tools in their order, with the routes that they offer. */
@QuarkusTest
@HttpTest
@InProcess("It writes a page of these docs.")
class ToolsPageTest {
  private static final Path DOCUMENT = Path.of("src/main/resources/META-INF/openapi.yaml");

  @Test
  void the_page_of_mcp_lists_the_tools_as_they_are() throws IOException {
    var routes = routes();
    var called = Mcp.anonymous(Mcp.NEW).call("capabilities", Map.of()).extract().asString();
    var rows =
        Outputs.parsed(called).at("/result/structuredContent/tools").properties().stream()
            .flatMap(
                category ->
                    category
                        .getValue()
                        .valueStream()
                        .map(tool -> row(category.getKey(), tool, routes)))
            .collect(joining("\n"));
    new GeneratedPart(Path.of("docs/mcp.md"), ToolsPageTest.class)
        .check("| | Tool | What it does | Route |\n|---|---|---|---|\n" + rows);
  }

  private static String row(String category, JsonNode tool, Map<String, String> routes) {
    var name = tool.get("name").asText();
    return "| %s | `%s` | %s | %s |"
        .formatted(category, name, tool.get("title").asText(), routes.getOrDefault(name, ""));
  }

  /** The routes by the tools that offer them. */
  private static Map<String, String> routes() throws IOException {
    var routes = new HashMap<String, String>();
    for (var path : new YAMLMapper().readTree(DOCUMENT.toFile()).get("paths").properties()) {
      for (var operation : path.getValue().properties()) {
        var route =
            "`%s %s`"
                .formatted(
                    operation.getKey().toUpperCase(Locale.ROOT),
                    path.getKey().replaceAll("\\{(\\w+)}", ":$1"));
        operation
            .getValue()
            .path("x-mcp-tools")
            .fieldNames()
            .forEachRemaining(tool -> routes.put(tool, route));
      }
    }
    return routes;
  }
}
