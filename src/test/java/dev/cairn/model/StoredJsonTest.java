package dev.cairn.model;

import static dev.cairn.model.Samples.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.IdentityHashMap;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class StoredJsonTest {
  @Test
  void members_keep_their_order_and_references_stand_between_marks() {
    var node = json("{'b':'Section/libs','a':[1.0,'Section/libs',null]}");
    var references = new IdentityHashMap<JsonNode, String>();
    references.put(node.get("b"), "Section/libs@v3");
    var stored = StoredJson.of(node, references);
    assertEquals("{\"b\":\"\u0001Section/libs@v3\u0001\",\"a\":[1,\"Section/libs\",null]}", stored);
    assertEquals(
        "{\"b\":\"Section/libs@v3\",\"a\":[1,\"Section/libs\",null]}", StoredJson.plain(stored));
  }

  @Test
  void a_mark_in_the_data_is_escaped_and_so_no_mark() {
    var stored = StoredJson.of(json("{'\\u0001':'\\u0001'}"), Map.of());
    assertEquals("{\"\\u0001\":\"\\u0001\"}", stored);
    assertEquals(stored, StoredJson.plain(stored));
  }

  @Test
  void a_reference_stands_between_marks() {
    var node = json("['S/a','S/\\\"b']");
    var references = new IdentityHashMap<JsonNode, String>();
    node.forEach(item -> references.put(item, item.textValue()));
    var stored = StoredJson.of(node, references);
    assertEquals("[\"\u0001S/a\u0001\",\"\u0001S/\\\"b\u0001\"]", stored);
    assertEquals("[\"S/a\",\"S/\\\"b\"]", StoredJson.plain(stored));
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void what_is_stored_reads_back_as_it_was(@ForAll("objects") JsonNode node)
      throws JsonProcessingException {
    var references = new IdentityHashMap<JsonNode, String>();
    collectTexts(node, references);
    var plain = StoredJson.plain(StoredJson.of(node, references));
    var back = new ObjectMapper().readTree(plain);
    assertEquals(0, compare(node, back), plain);
    assertEquals(plain, StoredJson.of(back, Map.of()));
    assertEquals(CanonicalJson.of(node), CanonicalJson.of(back));
  }

  private static void collectTexts(JsonNode node, Map<JsonNode, String> references) {
    // the empty text is one shared node, and no reference
    if (node.isTextual() && !node.textValue().isEmpty()) {
      references.put(node, node.textValue().replace("\u0001", ""));
      if (node.textValue().indexOf(StoredJson.MARK) >= 0) {
        references.remove(node);
      }
    }
    node.forEach(child -> collectTexts(child, references));
  }

  private static int compare(JsonNode left, JsonNode right) {
    return left.equals(StoredJsonTest::scalars, right) ? 0 : 1;
  }

  private static int scalars(JsonNode left, JsonNode right) {
    if (left.isNumber() && right.isNumber()) {
      return left.doubleValue() == right.doubleValue() ? 0 : 1;
    }
    return left.equals(right) ? 0 : 1;
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void escaped_text_reads_back_as_it_was(@ForAll("texts") String text) {
    var quoted = '"' + StoredJson.escape(text) + '"';
    assertEquals(text, IJson.read(quoted.getBytes(UTF_8)).textValue());
  }

  @Provide
  Arbitrary<JsonNode> objects() {
    return Samples.object();
  }

  @Provide
  Arbitrary<String> texts() {
    return Samples.text();
  }
}
