package dev.cairn.cli.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.model.DataValidator;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.ValidationBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShapeInferenceTest {
  private static ObjectNode json(String text) {
    try {
      return (ObjectNode) Json.MAPPER.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static ObjectNode infer(boolean areCells, List<ObjectNode> rows) {
    var inference = new ShapeInference(areCells);
    rows.forEach(inference::observe);
    return inference.definition();
  }

  private static String fields(boolean areCells, String... rows) {
    var objects = Stream.of(rows).map(ShapeInferenceTest::json).toList();
    return infer(areCells, objects).path("fields").toString().replace('"', '\'');
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'f':'x'} | {'f':'y'} | {'f':'string'}",
        "{'f':1} | {'f':2} | {'f':{'type':'number','integer':true}}",
        "{'f':1} | {'f':2.5} | {'f':'number'}",
        "{'f':1} | {'f':2.0} | {'f':{'type':'number','integer':true}}",
        "{'f':true} | {'f':false} | {'f':'boolean'}",
        "{'f':true} | {'f':'x'} | {'f':'any'}",
        "{'f':'x'} | {} | {'f?':'string'}",
        "{} | {'f':'x'} | {'f?':'string'}",
        "{'f':null} | {'f':'x'} | {'f?':'string'}",
        "{'f':null} | {'f':null} | {'f?':'any'}",
        "{'f':[]} | {'f':[]} | {'f':'array'}",
        "{'f':['x']} | {'f':[]} | {'f':['string']}",
        "{'f':['x']} | {'f':[1]} | {'f':['any']}",
        "{'f':[null]} | {'f':['x']} | {'f':['any']}",
        "{'f':{'a':1.5}} | {'f':{'a':1,'b':'x'}} | {'f':{'a':'number','b?':'string'}}",
        "{'f':[{'a':'x'}]} | {'f':[{}]} | {'f':[{'a?':'string'}]}",
        "{'f':{'a b':1}} | {'f':{}} | {'f':'any'}",
        "{'f':{'type':'string'}} | {'f':{'type':'x'}} | {'f':'any'}",
        "{'a b':1,'f':'x'} | {'f':'x'} | {'f':'string'}"
      })
  void the_type_is_what_all_values_have(String first, String second, String expected) {
    assertEquals(expected, fields(false, first, second));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1 | 2 | {'f':{'type':'number','integer':true}}",
        "1 | 2.5 | {'f':'number'}",
        "1 | x | {'f':'string'}",
        "1 | `` | {'f?':{'type':'number','integer':true}}",
        "true | false | {'f':'boolean'}",
        "true | 1 | {'f':'string'}",
        "007 | 008 | {'f':'string'}",
        "12345678901234567890 | 1 | {'f':'string'}",
        "9007199254740991 | 1 | {'f':{'type':'number','integer':true}}",
        "9007199254740992 | 1 | {'f':'string'}",
        "0.1234567890123456789 | 1 | {'f':'string'}",
        "1e999999999 | 1 | {'f':'string'}",
        "+1 | 1 | {'f':'string'}",
        "`` | `` | {'f?':'any'}"
      })
  void cells_are_numbers_only_if_nothing_of_them_is_lost(
      String first, String second, String expected) {
    assertEquals(expected, fields(true, "{'f':'" + first + "'}", "{'f':'" + second + "'}"));
  }

  @Test
  void a_shape_has_at_most_a_thousand_fields() {
    ObjectNode row = Json.MAPPER.createObjectNode();
    for (int i = 0; i < 1000; i++) {
      row.put("f" + i, 1);
    }
    assertEquals(1000, infer(false, List.of(row)).path("fields").size());
    row.put("one_more", 1);
    var refused = assertThrows(IllegalArgumentException.class, () -> infer(false, List.of(row)));
    assertTrue(refused.getMessage().contains("a shape may have 1,000"), refused.getMessage());
  }

  /** What the service validates with: no row of the input may be refused by its own shape. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void every_row_matches_the_shape_that_was_inferred_from_it(long seed) {
    var random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      List<ObjectNode> rows = new ArrayList<>();
      for (int i = random.nextInt(1, 5); i > 0; i--) {
        rows.add(object(random, 0));
      }
      var definition = infer(false, rows);
      var parsed = ShapeDefinition.parse(definition);
      for (var row : rows) {
        var violations =
            DataValidator.validate(parsed, row, ValidationBudget.ofCommit()).violations();
        assertEquals(List.of(), violations, () -> row + " of " + definition);
      }
    }
  }

  private static ObjectNode object(Random random, int depth) {
    ObjectNode object = Json.MAPPER.createObjectNode();
    for (int i = random.nextInt(4); i > 0; i--) {
      var name = List.of("a", "b", "type", "c d", "fields", "items").get(random.nextInt(6));
      object.set(name, value(random, depth));
    }
    return object;
  }

  private static JsonNode value(Random random, int depth) {
    var nodes = Json.MAPPER.getNodeFactory();
    return switch (random.nextInt(depth < 3 ? 8 : 6)) {
      case 0 -> nodes.textNode(List.of("", "x", "string", "array").get(random.nextInt(4)));
      case 1 -> nodes.numberNode(random.nextInt());
      case 2 -> nodes.numberNode(random.nextDouble());
      case 3 -> nodes.booleanNode(random.nextBoolean());
      case 4 -> nodes.nullNode();
      case 5 -> nodes.textNode("$1");
      case 6 -> object(random, depth + 1);
      default -> {
        var array = nodes.arrayNode();
        for (int i = random.nextInt(3); i > 0; i--) {
          array.add(value(random, depth + 1));
        }
        yield array;
      }
    };
  }
}
