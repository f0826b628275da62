package dev.cairn.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** MCP, Access: what is hidden answers every tool as what is not there. */
@QuarkusTest
@InProcess("It asks which tools there are.")
@HttpTest
class OpacityOfToolsTest {
  private static final ToolSelection ALL =
      new ToolSelection(false, EnumSet.allOf(Toolset.class), false);

  @Inject Catalogue catalogue;

  @Test
  void a_stranger_hears_the_same_of_a_private_repository_and_of_none() {
    var hidden = ToolsTest.in(Api.newRepository("private"));
    var missing = Map.<String, Object>of("org", Api.unique("none"), "repo", "repo");
    var stranger = People.stranger().token();
    int asked = 0;
    for (var tool : catalogue.tools(ALL)) {
      if (tool.isInRepository()) {
        for (var version : List.of(Mcp.OLD, Mcp.NEW)) {
          var client = Mcp.of(version, stranger);
          var answer = answer(client, tool, hidden);
          assertEquals(answer(client, tool, missing), answer, tool.name());
          assertTrue(answer.contains("\"NOT_FOUND\""), tool.name() + " " + answer);
          asked++;
        }
      }
    }
    assertFalse(asked < 60, asked + " calls");
  }

  private static String answer(Mcp client, Tool tool, Map<String, Object> in) {
    var arguments = new HashMap<>(in);
    for (var argument : tool.arguments()) {
      if (argument.isRequired()) {
        arguments.put(argument.name(), placeholder(argument.schema()));
      }
    }
    if (tool.deletes() != null) {
      arguments.put(Tool.CONFIRM, arguments.get(tool.deletes()));
    }
    return client
        .call(tool.name(), arguments)
        .statusCode(200)
        .extract()
        .asString()
        .replace(in.get("org").toString(), "ORG");
  }

  private static Object placeholder(JsonNode schema) {
    if (schema.has("enum")) {
      return schema.path("enum").get(0).asText();
    }
    return switch (schema.path("type").asText()) {
      case "integer" -> 1;
      case "array" -> List.of();
      case "object" -> Map.of();
      default -> "Some/thing";
    };
  }
}
