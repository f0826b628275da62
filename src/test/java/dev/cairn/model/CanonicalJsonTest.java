package dev.cairn.model;

import static dev.cairn.model.Samples.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.DoubleNode;
import java.io.IOException;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.erdtman.jcs.JsonCanonicalizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalJsonTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Test
  void members_are_sorted_by_utf_16_code_units() {
    // the example of RFC 8785, section 3.2.3
    var text =
        "{\"\\u20ac\":\"Euro Sign\",\"\\r"
            + "\":\"Carriage Return\",\"\\ufb33\":\"Hebrew\",\"1\":\"One\","
            + "\"\\ud83d\\ude00\":\"Emoji\",\"\\u0080\":\"Control\",\"\\u00f6\":\"Latin\"}";
    assertEquals(
        "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"Latin\","
            + "\"€\":\"Euro Sign\",\"😀\":\"Emoji\",\"\ufb33\":\"Hebrew\"}",
        CanonicalJson.of(json(text)));
  }

  @Test
  void a_text_with_a_maximum_is_the_same_or_none() {
    var ten = json("[1e20,1e20,\"😀\"]");
    var text = CanonicalJson.of(ten);
    assertEquals(Optional.of(text), CanonicalJson.of(ten, Map.of(), text.length()));
    assertEquals(Optional.empty(), CanonicalJson.of(ten, Map.of(), text.length() - 1));
  }

  @Test
  void a_long_value_is_hashed_in_parts_as_the_whole() {
    var value = json("[" + "1e20,\"é😀\",{\"b\":[],\"a\":null},".repeat(20_000) + "true]");
    assertArrayEquals(CanonicalJson.hash(CanonicalJson.of(value)), CanonicalJson.hash(value));
  }

  @Test
  void strings_escape_only_what_they_must() {
    assertEquals(
        "\"\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f \\\"\\\\/\u007f\u2028é😀\"",
        CanonicalJson.of(
            json("\"\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f \\\"\\\\\\/\u007f\u2028é😀\"")));
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "-0.0,0",
    "1.0,1",
    "-1.50,-1.5",
    "1e2,100",
    "1e20,100000000000000000000",
    "1e21,1e+21",
    "123456789012345680000.0,123456789012345680000",
    "9007199254740993.0,9007199254740992",
    "9007199254740994.0,9007199254740994",
    "295147905179352830000.0,295147905179352830000",
    "1e-6,0.000001",
    "1e-7,1e-7",
    "1.25e-7,1.25e-7",
    "0.00012345,0.00012345",
    "1e23,1e+23",
    "9.999999999999997e22,9.999999999999997e+22",
    "2e-323,2e-323",
    "4.9e-324,5e-324",
    "1.7976931348623157e308,1.7976931348623157e+308",
    "2.2250738585072014e-308,2.2250738585072014e-308",
    "333333333.33333329,333333333.3333333",
    "4.50,4.5",
    "2e-3,0.002",
    "0.000000000000000000000000001,1e-27",
    "9007199254740991,9007199254740991",
    "-9007199254740991,-9007199254740991",
    "2147483648,2147483648"
  })
  void numbers_are_written_as_ecmascript_writes_them(String number, String canonical) {
    assertEquals(canonical, CanonicalJson.of(json(number)));
  }

  @Test
  void references_are_replaced_by_identity() {
    var node = json("{'b':'S/x','a':['S/x']}");
    var references = new IdentityHashMap<JsonNode, String>();
    references.put(node.get("a").get(0), "S/\"y");
    assertEquals("{\"a\":[\"S/\\\"y\"],\"b\":\"S/x\"}", CanonicalJson.of(node, references));
  }

  @Test
  void the_hash_is_sha_256_of_the_utf_8() {
    assertEquals(
        "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c",
        HexFormat.of().formatHex(CanonicalJson.hash("é")));
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void it_agrees_with_the_reference_implementation(@ForAll("values") JsonNode value)
      throws IOException {
    var text = MAPPER.writeValueAsString(value);
    var canonical = CanonicalJson.of(IJson.read(text.getBytes(UTF_8)));
    assertEquals(new JsonCanonicalizer(text).getEncodedString(), canonical);
    if (!hasLargeWholeDouble(value)) {
      assertEquals(canonical, CanonicalJson.of(IJson.read(canonical.getBytes(UTF_8))));
    }
  }

  /** Canonical text writes 1e20 as an integer, which strict reading refuses. */
  private static boolean hasLargeWholeDouble(JsonNode node) {
    boolean here = node.isDouble() && Math.abs(node.doubleValue()) > 1L << 52;
    for (var child : node) {
      here |= hasLargeWholeDouble(child);
    }
    return here;
  }

  @Property(tries = 5000, edgeCases = EdgeCasesMode.NONE)
  void every_double_agrees_with_the_reference_implementation(@ForAll("doubles") double value)
      throws IOException {
    var expected = new JsonCanonicalizer("[" + value + "]").getEncodedString();
    assertEquals(expected, "[" + CanonicalJson.of(DoubleNode.valueOf(value)) + "]");
    assertEquals(
        value + 0.0, Double.parseDouble(CanonicalJson.of(DoubleNode.valueOf(value))) + 0.0);
  }

  @Provide
  Arbitrary<JsonNode> values() {
    return Arbitraries.oneOf(Samples.object(), Samples.array());
  }

  @Provide
  Arbitrary<Double> doubles() {
    return Samples.doubles();
  }
}
