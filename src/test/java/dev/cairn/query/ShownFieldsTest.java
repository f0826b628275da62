package dev.cairn.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.model.Problem;
import dev.cairn.model.StoredJson;
import dev.cairn.platform.http.QueryParameters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads, Fields in the answer: the part of the data that is shown. */
class ShownFieldsTest {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final List<String> NAMES = List.of("a", "b", "ab", "\"", "\\", "é", "a\nb");

  private final ObjectMapper json = new ObjectMapper();

  private static ShownFields fields(String paths) {
    var given = NODES.objectNode().put("fields", paths);
    return ShownFields.of(QueryParameters.of(given, Set.of("fields"), Set.of()));
  }

  private static String shown(String paths, String data) {
    var stored = data.getBytes(StandardCharsets.UTF_8);
    return new String(fields(paths).of(stored), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a       | {\"a\":1,\"b\":2}                          | {\"a\":1}",
        "b       | {\"a\":{\"b\":1},\"b\":[1,{}]}             | {\"b\":[1,{}]}",
        "a.b     | {\"a\":{\"b\":{\"c\":1},\"d\":2},\"b\":3}  | {\"a\":{\"b\":{\"c\":1}}}",
        "a.b,c   | {\"c\":null,\"a\":{\"b\":1}}               | {\"c\":null,\"a\":{\"b\":1}}",
        "a,a.b   | {\"a\":{\"b\":1,\"c\":2}}                  | {\"a\":{\"b\":1,\"c\":2}}",
        "a.b     | {\"a\":[{\"b\":1,\"c\":2},3,[{\"b\":4}]]}  | {\"a\":[{\"b\":1},[{\"b\":4}]]}",
        "a.b     | {\"a\":\"b\"}                              | {}",
        "a.b     | {\"a\":{\"c\":1}}                          | {\"a\":{}}",
        "x       | {\"a\":1}                                  | {}",
        "x       | {}                                         | {}",
        "a       | {\"b\":\"}\\\\\\\"{,\",\"a\":\"\\\\\\\\\"} | {\"a\":\"\\\\\\\\\"}",
      })
  void only_the_paths_are_shown(String paths, String data, String shown) {
    assertEquals(shown, shown(paths, data));
  }

  @Test
  void references_keep_their_marks() {
    var reference = "{\"to\":\"\u0001S/a@v1\u0001\"}";
    assertEquals(reference, shown("to", reference));
  }

  @Test
  void without_paths_the_data_is_not_touched() {
    var stored = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
    assertSame(stored, ShownFields.ALL.of(stored));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", ",", "a,", "a..b", ".a", "a."})
  void an_empty_name_is_refused(String paths) {
    assertThrows(Problem.class, () -> fields(paths));
  }

  @Test
  void at_most_100_paths_are_taken() {
    var paths = IntStream.range(0, 100).mapToObj(i -> "f" + i).toList();
    fields(String.join(",", paths));
    assertThrows(Problem.class, () -> fields(String.join(",", paths) + ",g"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void it_is_what_a_walk_over_the_parsed_data_keeps(long seed) throws IOException {
    var random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      var data = object(random, 4);
      var paths = paths(random);
      var stored = StoredJson.of(data, Map.of()).getBytes(StandardCharsets.UTF_8);
      var text = String.join(",", paths.stream().map(p -> String.join(".", p)).toList());
      var shown = json.readTree(fields(text).of(stored));
      assertEquals(kept(data, paths), shown, text + " of " + data);
    }
  }

  /** The same over nodes. */
  private static JsonNode kept(JsonNode data, List<List<String>> paths) {
    if (data.isArray()) {
      var kept = NODES.arrayNode();
      data.forEach(
          item -> {
            if (item.isContainerNode()) {
              kept.add(kept(item, paths));
            }
          });
      return kept;
    }
    var kept = NODES.objectNode();
    for (var member : data.properties()) {
      var rest =
          paths.stream()
              .filter(path -> path.getFirst().equals(member.getKey()))
              .map(path -> path.subList(1, path.size()))
              .toList();
      var value = member.getValue();
      if (rest.stream().anyMatch(List::isEmpty)) {
        kept.set(member.getKey(), value);
      } else if (!rest.isEmpty() && value.isContainerNode()) {
        kept.set(member.getKey(), kept(value, rest));
      }
    }
    return kept;
  }

  private static List<List<String>> paths(Random random) {
    var paths = new ArrayList<List<String>>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      var path = new ArrayList<String>();
      for (int j = random.nextInt(3); j >= 0; j--) {
        path.add(name(random));
      }
      paths.add(path);
    }
    return paths;
  }

  private static String name(Random random) {
    return NAMES.get(random.nextInt(NAMES.size()));
  }

  private static JsonNode object(Random random, int depth) {
    var object = NODES.objectNode();
    for (int i = random.nextInt(5); i > 0; i--) {
      object.set(name(random), value(random, depth - 1));
    }
    return object;
  }

  private static JsonNode value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 5)) {
      case 0 -> NODES.textNode("x" + name(random) + "},]");
      case 1 -> NODES.numberNode(random.nextInt(100));
      case 2 -> NODES.booleanNode(random.nextBoolean());
      case 3 -> NODES.nullNode();
      case 4 -> NODES.textNode("");
      case 5 -> object(random, depth);
      default -> {
        var array = NODES.arrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
          array.add(value(random, depth - 1));
        }
        yield array;
      }
    };
  }
}
