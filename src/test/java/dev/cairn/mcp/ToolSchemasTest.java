package dev.cairn.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The schemas of the tools are JSON Schema 2020-12, and the same over every revision. */
@HttpTest
@QuarkusTest
class ToolSchemasTest {
  private static final Schema DIALECT =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

  @Test
  void every_schema_is_one_of_2020_12() {
    for (var client : both()) {
      for (var tool : tools(client)) {
        for (var member : List.of("inputSchema", "outputSchema")) {
          var schema = tool.path(member);
          assertEquals("object", schema.path("type").asText(), () -> tool + " " + member);
          assertEquals(List.of(), DIALECT.validate(schema), () -> tool + " " + member);
        }
      }
    }
  }

  @Test
  void what_is_no_schema_would_be_noticed() {
    var none = Outputs.parsed("{\"type\":\"text\",\"required\":\"name\"}");

    assertFalse(DIALECT.validate(none).isEmpty());
  }

  @Test
  void every_revision_lists_the_same_tools_with_the_same_schemas() {
    for (var client : both()) {
      assertEquals(tools(client), tools(client.in(Mcp.OLD)));
    }
  }

  /** Clients of both paths. */
  private static List<Mcp> both() {
    var client = Mcp.anonymous(Mcp.NEW);
    return List.of(client, client.at(Api.newRepository()));
  }

  private static List<JsonNode> tools(Mcp client) {
    var listed = client.send("tools/list", Map.of()).statusCode(200).extract().asString();
    var tools = Outputs.parsed(listed).at("/result/tools").valueStream().toList();
    assertFalse(tools.isEmpty());
    return tools;
  }
}
