package dev.cairn.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MCP, Transport: how the operations of a long message are found. */
class JsonSearchTest {
  private static String found(String json) {
    var bytes = json.getBytes(UTF_8);
    var search = new JsonSearch(bytes);
    if (!search.enter("a") || !search.enter("b")) {
      return null;
    }
    int from = search.position();
    search.skipValue();
    return new String(bytes, from, search.position() - from, UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":{\"b\":[1,2]}} | [1,2]",
        " {\t\"x\" : [{\"a\":{\"b\":0}}] , \"a\":{ \"c\":\"}\\\"]\", \"b\" : [[],{\"b\":\"]\"}] }} | [[],{\"b\":\"]\"}]",
        "{\"ü\":\"ä{\",\"a\":{\"b\":\"x\\\\\"}} | \"x\\\\\"",
        "{\"n\":-1.5e3,\"t\":true,\"a\":{\"n\":null,\"b\":12}} | 12",
        "{\"a\":{\"b\":{}}} | {}"
      })
  void the_first_member_of_a_name_is_found_with_its_whole_value(String json, String value) {
    assertEquals(value, found(json));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "[",
        "{",
        "7",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":{\"b\":",
        "{\"a\":[{\"b\":1}]}",
        "{\"x\":{\"b\":1}}",
        "{\"a\":{\"bb\":1,\"c\":{\"b\":1}}}",
        "{\"\\u0061\":{\"b\":1}}",
        "{\"a\\",
        "{\"a\":\"\\"
      })
  void nothing_is_found_where_there_is_none(String json) {
    assertEquals(null, found(json));
  }

  @Test
  void a_value_that_does_not_end_ends_with_the_text() {
    assertEquals("[[1,\"]", found("{\"a\":{\"b\":[[1,\"]"));
    assertEquals("[\"\\", found("{\"a\":{\"b\":[\"\\"));
    assertFalse(new JsonSearch(new byte[0]).enter("a"));
  }
}
