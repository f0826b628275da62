package dev.cairn.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** MCP, Size of answers: the JSON of an answer is copied, never parsed. */
class ToolResultTest {
  /** Parsed and written again, it would have no blanks and another number. */
  private static final String JSON = "{ \"n\" : 1.50 }";

  static Stream<Arguments> results() {
    return Stream.of(
        arguments(ToolResult.of(JSON), false), arguments(ToolResult.error(JSON), true));
  }

  @ParameterizedTest
  @MethodSource("results")
  void the_json_is_copied_as_it_is_and_the_same_as_text(ToolResult result, boolean isError) {
    assertEquals(
        "{\"content\":[{\"type\":\"text\",\"text\":\"{ \\\"n\\\" : 1.50 }\"}],\"structuredContent\":"
            + JSON
            + ",\"isError\":"
            + isError
            + "}",
        result.json().toString());
  }
}
