package dev.cairn.component;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is JSON, and what is only a text. */
class AnswerTextTest {
  private static Optional<String> json(String text) {
    return AnswerText.json(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1", "-0.5e300", "\"ü\"", "true", "null", "[]", " {\"a\":[{}]} ", "\"\\ud800\""})
  void one_value_is_json(String text) {
    assertEquals(Optional.of(text), json(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "{", "[", "]", "{}}", "1 2", "{} {}", "nul", "NaN", "{'a':1}", "[1,]", "\"", "// a"
      })
  void anything_else_is_not(String text) {
    assertEquals(Optional.empty(), json(text));
  }

  @Test
  void bytes_that_are_no_utf_8_are_not() {
    var bytes = new byte[] {'"', (byte) 0xff, '"'};
    assertEquals(Optional.empty(), AnswerText.json(bytes));
    assertEquals("\"\\\"\ufffd\\\"\"", AnswerText.any(bytes));
  }

  @Test
  void the_depth_is_bounded() {
    assertEquals(
        Optional.of("[".repeat(64) + "]".repeat(64)), json("[".repeat(64) + "]".repeat(64)));
    assertEquals(Optional.empty(), json("[".repeat(65) + "]".repeat(65)));
    assertEquals(Optional.empty(), json("[".repeat(200_000)));
  }

  @Test
  void texts_are_strings_of_json() {
    assertNull(AnswerText.any(new byte[0]));
    assertEquals(
        "\"a \\\"b\\\"\\n\"", AnswerText.any("a \"b\"\n".getBytes(StandardCharsets.UTF_8)));
    assertEquals("{}", AnswerText.any("{}".getBytes(StandardCharsets.UTF_8)));
  }
}
