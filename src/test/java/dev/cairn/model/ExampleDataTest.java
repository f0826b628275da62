package dev.cairn.model;

import static dev.cairn.model.Samples.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExampleDataTest {
  private static final JsonNode NOTHING = MissingNode.getInstance();

  private static Optional<JsonNode> example(String fields, JsonNode stored) {
    var definition = ShapeDefinition.parse(json("{'fields':" + fields + "}"));
    var examples = new ExampleData(shape -> Optional.of(shape.orElse("Any") + "/a"));
    var made = examples.of(definition, stored);
    made.ifPresent(
        data ->
            assertEquals(
                List.of(),
                DataValidator.validate(definition, data, ValidationBudget.ofCommit())
                    .violations()));
    return made;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'f':'string'}",
        "{'f':'number'}",
        "{'f':'boolean'}",
        "{'f':'wref'}",
        "{'f':'array'}",
        "{'f':'any'}",
        "{'f?':'string','g':['number']}",
        "{'f':{'g':{'h':'string'}}}",
        "{'f':{'type':'string','minLength':7}}",
        "{'f':{'type':'string','minLength':900}}",
        "{'f':{'type':'string','maxLength':1}}",
        "{'f':{'type':'string','maxLength':0}}",
        "{'f':{'type':'string','enum':['x','y']}}",
        "{'f':{'type':'string','enum':['xy','y'],'maxLength':1}}",
        "{'f':{'type':'string','pattern':'^[0-9]{4}$'}}",
        "{'f':{'type':'string','pattern':'^[A-Z]{3}$'}}",
        "{'f':{'type':'string','pattern':'^[A-Z]{2}$','minLength':2}}",
        "{'f':{'type':'string','pattern':'@'}}",
        "{'f':{'type':'number','minimum':2.5,'integer':true}}",
        "{'f':{'type':'number','minimum':0.25,'maximum':0.5}}",
        "{'f':{'type':'number','maximum':-3}}",
        "{'f':{'type':'number','minimum':1e300}}",
        "{'f':{'type':'array','items':'number','minItems':3,'maxItems':4}}",
        "{'f':{'type':'array','items':'string','maxItems':0}}",
        "{'f':{'type':'array','items':{'type':'wref','shape':'S'}}}"
      })
  void what_the_definition_asks_for_is_there(String fields) {
    assertTrue(example(fields, NOTHING).isPresent());
  }

  @Test
  void references_are_to_the_shape_that_is_asked_for() {
    assertEquals(
        Optional.of(json("{'f':'S/a','g':'Any/a'}")),
        example("{'f':{'type':'wref','shape':'S'},'g':'wref'}", NOTHING));
  }

  @Test
  void what_cannot_be_met_is_left_out_or_leaves_no_example() {
    var unusual = "{'type':'string','pattern':'^qu{3}x$'}";
    assertEquals(Optional.of(json("{}")), example("{'f?':" + unusual + "}", NOTHING));
    assertEquals(Optional.empty(), example("{'f':" + unusual + "}", NOTHING));
    assertEquals(
        Optional.of(json("{'f':[]}")),
        example("{'f':{'type':'array','items':" + unusual + "}}", NOTHING));
    assertEquals(
        Optional.empty(),
        example("{'f':{'type':'number','minimum':0.2,'maximum':0.4,'integer':true}}", NOTHING));
    assertEquals(
        Optional.empty(),
        new ExampleData(_ -> Optional.empty())
            .of(ShapeDefinition.parse(json("{'fields':{'f':'wref'}}")), NOTHING));
  }

  @Test
  void what_is_stored_meets_an_unusual_pattern_and_is_kept_elsewhere() {
    var fields = "{'f':{'g':[{'type':'string','pattern':'^qu{3}x$'}]},'n':'number'}";
    var stored = json("{'f':{'g':['quuux','other']},'n':7}");
    assertEquals(Optional.of(json("{'f':{'g':['quuux']},'n':7}")), example(fields, stored));
    // What was stored for a former version of the shape is not taken.
    assertEquals(Optional.of(json("{'n':'example'}")), example("{'n':'string'}", json("{'n':7}")));
  }

  @Test
  void the_names_and_number_of_values_count_as_well_as_their_characters() {
    var item = "{'%s':'boolean'}".formatted("n".repeat(64));
    var array = "{'type':'array','minItems':%d,'items':%s}";
    // An object, a name and a boolean in it are 84.
    assertTrue(example("{'f':" + array.formatted(11_900, item) + "}", NOTHING).isPresent());
    assertEquals(Optional.empty(), example("{'f':" + array.formatted(11_910, item) + "}", NOTHING));
  }

  @Test
  void a_definition_that_asks_for_too_much_has_no_example() {
    var many = "{'type':'array','minItems':1000,'items':%s}";
    var nested = many.formatted(many.formatted(many.formatted("'string'")));
    assertEquals(Optional.empty(), example("{'f':" + nested + "}", NOTHING));
    assertEquals(
        Optional.empty(), example("{'f':{'type':'string','minLength':2147483647}}", NOTHING));
  }
}
