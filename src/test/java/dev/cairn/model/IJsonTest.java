package dev.cairn.model;

import static dev.cairn.model.Samples.pointers;
import static dev.cairn.model.Samples.refused;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IJsonTest {
  private static final Allowance UNLIMITED = new Allowance(Long.MAX_VALUE);

  private static JsonNode read(String text) {
    return IJson.read(text.getBytes(UTF_8));
  }

  private static void refusedAt(String pointer, String text) {
    var problem = refused(() -> read(text));
    assertEquals(List.of(pointer), pointers(problem));
    assertFalse(problem.detail().contains("Feature"), problem.detail());
    assertFalse(problem.detail().contains("jackson"), problem.detail());
  }

  private static String nested(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  @Test
  void members_keep_their_order() {
    var names = read("{\"b\":1,\"a\":2,\"\":3}").fieldNames();
    var found = new StringBuilder();
    names.forEachRemaining(name -> found.append(name).append(';'));
    assertEquals("b;a;;", found.toString());
  }

  @Test
  void buffers_are_kept_for_a_few_parsers_and_not_by_each_thread() throws IOException {
    var text = "\"x\"".getBytes(UTF_8);
    var parsers = new ArrayList<JsonParser>();
    for (int i = 0; i < 2 * IJson.MAX_KEPT_BUFFERS; i++) {
      var parser = IJson.parser(new ByteArrayInputStream(text));
      parser.nextToken();
      parsers.add(parser);
    }
    for (var parser : parsers) {
      parser.close();
    }
    assertEquals(IJson.MAX_KEPT_BUFFERS, IJson.factory()._getRecyclerPool().pooledCount());
  }

  @Test
  void names_are_forgotten_with_their_text() {
    var name = "x".repeat(1000);
    var json = "{\"%s\":1}".formatted(name);
    var first = read(json).fieldNames().next();
    assertEquals(name, first);
    assertNotSame(first, read(json).fieldNames().next());
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "true", "1", "\"\"", "[]", "{}", " [ 1 , { } ]\n"})
  void any_value_may_be_the_root(String text) {
    assertEquals(text.replaceAll("\\s", ""), CanonicalJson.of(read(text)));
  }

  @Test
  void a_member_that_occurs_twice_is_refused_at_its_place() {
    refusedAt("/a", "{\"a\":1,\"a\":1}");
    refusedAt("/x/1/a~1b", "{\"x\":[0,{\"a/b\":1,\"c\":2,\"a\\/b\":3}]}");
    refusedAt("/a", "{\"a\":1,\"\\u0061\":1}");
    refusedAt("/", "{\"\":1,\"\":1}");
    assertEquals(2, read("[{\"a\":1},{\"a\":1}]").size());
  }

  @Test
  void a_lone_surrogate_is_refused_in_strings_and_names() {
    refusedAt("/a", "{\"a\":\"\\ud800\"}");
    refusedAt("/a", "{\"a\":\"x\\udc00\"}");
    refusedAt("/0", "[\"\\udc00\\ud800\"]");
    refusedAt("/0", "[\"\\ud800\\ud800\\udc00\"]");
    refusedAt("", "{\"\\ud800\":1}");
    assertEquals("😀", read("\"\\ud83d\\ude00\"").textValue());
  }

  @Test
  void the_character_zero_is_refused_in_strings_and_names() {
    refusedAt("/a/0", "{\"a\":[\"x\\u0000\"]}");
    refusedAt("", "{\"x\\u0000\":1}");
    assertEquals("\u0001", read("\"\\u0001\"").textValue());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9007199254740992",
        "-9007199254740992",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "-9223372036854775809",
        "123456789012345678901234567890"
      })
  void an_integer_that_a_double_may_not_tell_apart_is_refused(String number) {
    refusedAt("", number);
    refusedAt("/n/0", "{\"n\":[" + number + "]}");
  }

  @Test
  void integers_up_to_two_to_the_53_are_exact() {
    assertEquals(LongNode.valueOf(9007199254740991L), read("9007199254740991"));
    assertEquals(LongNode.valueOf(-9007199254740991L), read("-9007199254740991"));
    assertEquals(IntNode.valueOf(7), read("7"));
    assertEquals(IntNode.valueOf(0), read("-0"));
  }

  @Test
  void numbers_with_fraction_or_exponent_are_doubles_of_any_size() {
    assertEquals(DoubleNode.valueOf(1), read("1.0"));
    assertEquals(DoubleNode.valueOf(100), read("1e2"));
    assertEquals(DoubleNode.valueOf(1e300), read("1e300"));
    assertEquals(DoubleNode.valueOf(9007199254740992d), read("9007199254740992.0"));
    assertEquals(DoubleNode.valueOf(Double.MAX_VALUE), read("1.7976931348623157e308"));
    assertEquals(DoubleNode.valueOf(0), read("1e-400"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e309", "-1e309", "1.8e308", "1E+99999", "1e99999999999999999999"})
  void a_number_that_a_double_cannot_hold_is_refused(String number) {
    refusedAt("/x", "{\"x\":" + number + "}");
  }

  @Test
  void nesting_of_64_is_good_and_of_65_refused() {
    assertTrue(read(nested(64)).isArray());
    refusedAt("/0".repeat(64), nested(65));
    assertTrue(read("{\"a\":".repeat(64) + "1" + "}".repeat(64)).isObject());
    refusedAt("/a".repeat(64), "{\"a\":".repeat(65) + "1" + "}".repeat(65));
    refusedAt("/0".repeat(64), "[".repeat(1_000_000));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{`                       | 1 ",
        "`{\"a\":}`               | 1 ",
        "`{\"a\":1,}`             | 1 ",
        "`[1,]`                   | 1 ",
        "`{'a':1}`                | 1 ",
        "`{a:1}`                  | 1 ",
        "`[01]`                   | 1 ",
        "`[+1]`                   | 1 ",
        "`[.5]`                   | 1 ",
        "`[1.]`                   | 1 ",
        "`[NaN]`                  | 1 ",
        "`[Infinity]`             | 1 ",
        "`[-Infinity]`            | 1 ",
        "`[nul]`                  | 1 ",
        "`[True]`                 | 1 ",
        "`\"a`                    | 1 ",
        "`\"\\x\"`                | 1 ",
        "`\"\\u12\"`              | 1 ",
        "`[1] /* c */`            | 1 ",
        "`// c`                   | 1 ",
        "`{} {}`                  | 1 ",
        "`1 2`                    | 1 ",
        "`[]]`                    | 1 ",
        "`]`                      | 1 ",
        "`# c`                    | 1 ",
      })
  void malformed_json_is_refused_with_line_and_column(String text, int line) {
    var problem = refused(() -> read(text));
    assertTrue(problem.detail().contains("(line " + line + ", column "), problem.detail());
    assertFalse(problem.detail().contains("com.fasterxml"), problem.detail());
  }

  @Test
  void the_line_is_that_of_the_fault() {
    assertTrue(refused(() -> read("{\n\n  \"a\": x}")).detail().contains("line 3"));
    assertTrue(refused(() -> read("[\"a\nb\"]")).detail().contains("line"));
  }

  @Test
  void nothing_is_no_json() {
    refusedAt("", "");
    refusedAt("", " \n");
  }

  @Test
  void other_encodings_than_utf_8_are_refused() {
    for (var bytes :
        List.of(
            "\"é\"".getBytes(ISO_8859_1),
            "{\"a\":1}".getBytes(UTF_16),
            new byte[] {'"', (byte) 0xc0, (byte) 0x80, '"'},
            new byte[] {'"', (byte) 0xc1, (byte) 0xa1, '"'},
            new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'},
            new byte[] {'"', (byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80, '"'},
            new byte[] {'"', (byte) 0xe2, (byte) 0x82},
            new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf, '1'})) {
      refused(() -> IJson.read(bytes));
    }
  }

  @Test
  void long_strings_and_names_are_read() {
    var text = "x".repeat(3_000_000);
    assertEquals(text, read("{\"" + text + "\":\"" + text + "\"}").get(text).textValue());
  }

  @Test
  void values_and_member_names_are_counted_and_one_too_many_is_refused() {
    // the object, two names, the array and its three items
    var text = "{\"a\":[1,\"x\",{}],\"b\":null}".getBytes(UTF_8);
    assertEquals(2, IJson.read(text, new Allowance(8)).size());
    var problem = assertThrows(Problem.class, () -> IJson.read(text, new Allowance(7)));
    assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, problem.code());
    assertEquals(List.of("/b"), pointers(problem));
    assertTrue(problem.detail().contains("At most 7 "), problem.detail());
  }

  @Test
  void values_can_be_read_one_by_one_out_of_an_array() throws IOException {
    var text = "{\"operations\":[{\"a\":[1]},7,{\"b\":1,\"b\":2}]}";
    try (var parser = IJson.parser(new ByteArrayInputStream(text.getBytes(UTF_8)))) {
      while (parser.nextToken() != JsonToken.START_ARRAY) {}
      parser.nextToken();
      assertEquals(
          "{\"a\":[1]}", IJson.readValue(parser, "/operations/0", 0, UNLIMITED).toString());
      assertEquals(JsonToken.END_OBJECT, parser.currentToken());
      parser.nextToken();
      assertEquals(7, IJson.readValue(parser, "/operations/1", 0, UNLIMITED).intValue());
      parser.nextToken();
      var problem = refused(() -> IJson.readValue(parser, "/operations/2", 0, UNLIMITED));
      assertEquals(List.of("/operations/2/b"), pointers(problem));
    }
  }

  @Test
  void outer_containers_count_for_the_depth() throws IOException {
    for (int outer : new int[] {2, 3}) {
      try (var parser = IJson.factory().createParser(nested(62))) {
        parser.nextToken();
        if (outer == 2) {
          assertTrue(IJson.readValue(parser, "", outer, UNLIMITED).isArray());
        } else {
          refused(() -> IJson.readValue(parser, "", outer, UNLIMITED));
        }
      }
    }
  }

  @Test
  void pointers_escape_tilde_and_slash() {
    assertEquals("/a", IJson.pointer("", "a"));
    assertEquals("/a/~0~1~01", IJson.pointer("/a", "~/~1"));
    assertEquals("/a/", IJson.pointer("/a", ""));
    assertEquals("/a/7", IJson.pointer("/a", 7));
  }

  @Test
  void pointers_show_200_characters_of_a_name() {
    assertEquals("/a/" + "x".repeat(200), IJson.pointer("/a", "x".repeat(200)));
    assertEquals("/a/" + "x".repeat(200) + "…", IJson.pointer("/a", "x".repeat(201)));
    // Half a surrogate pair is no text.
    var emoji = "x".repeat(199) + "😀x";
    assertEquals("/a/" + "x".repeat(199) + "…", IJson.pointer("/a", emoji));
  }
}
