package dev.cairn.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values and strings in the bytes of a JSON text. */
class JsonBytesTest {
  private static final String NESTED =
      "{\"a\": [1, \"}\\\"]\", {\"ö\": null}], \"b\\\\\": -1.5e3, \"c\": true}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "-1.5e3",
        "true",
        "null",
        "\"\"",
        "\"a\\\"b\"",
        "\"\\\\\"",
        "{}",
        "[]",
        "[[],[{}]]",
        NESTED
      })
  void a_value_ends_where_it_ends_whatever_follows(String value) {
    var alone = value.getBytes(UTF_8);
    assertEquals(alone.length, JsonBytes.afterValue(alone, 0), "at the end");
    for (var rest : new String[] {",1", "]", "}", " ", "\n,", ":"}) {
      var json = ("[" + value + rest).getBytes(UTF_8);
      assertEquals(1 + alone.length, JsonBytes.afterValue(json, 1), "before `" + rest + "`");
    }
  }

  @Test
  void a_string_ends_at_its_own_quote() {
    var json = "\"a\\\\\\\"b\":\"c\"".getBytes(UTF_8);
    assertEquals(8, JsonBytes.afterString(json, 0));
  }

  @Test
  void no_position_is_beyond_the_end_of_a_broken_text() {
    var whole = NESTED.getBytes(UTF_8);
    for (int length = 1; length <= whole.length; length++) {
      var cut = Arrays.copyOf(whole, length);
      for (int at = 0; at < length; at++) {
        int value = JsonBytes.afterValue(cut, at);
        int string = JsonBytes.afterString(cut, at);
        assertTrue(value > at && value <= length, () -> "a value of " + new String(cut, UTF_8));
        assertTrue(string > at && string <= length, () -> "a string of " + new String(cut, UTF_8));
      }
    }
  }
}
