package dev.cairn.model;

import static dev.cairn.model.Samples.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.model.DataValidator.Reference;
import dev.cairn.model.DataValidator.Validated;
import dev.cairn.model.DataValidator.Violation;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataValidatorTest {
  private static Validated validate(String fields, String data) {
    return DataValidator.validate(
        ShapeDefinition.parse(json("{'fields':" + fields + "}")),
        json(data),
        ValidationBudget.ofCommit());
  }

  private static List<String> pointers(Validated validated) {
    return validated.violations().stream().map(Violation::pointer).toList();
  }

  private static void holds(String type, String value) {
    assertEquals(List.of(), validate("{'f':" + type + "}", "{'f':" + value + "}").violations());
  }

  private static Violation broken(String type, String value) {
    var violations = validate("{'f':" + type + "}", "{'f':" + value + "}").violations();
    assertEquals(1, violations.size(), type + " " + value);
    return violations.getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'string' | ''",
        "'number' | -0.5",
        "'boolean' | false",
        "'wref' | 'S/a'",
        "'wref' | 'S/a@HEAD'",
        "'wref' | 'S/a@v2'",
        "'wref' | 'cairn:o/r/S/a@v2'",
        "'wref' | '$0'",
        "'wref' | '$12'",
        "'array' | [1,'a',null,{}]",
        "'any' | 1",
        "'any' | {'a':[null]}",
        "['number'] | []",
        "['number'] | [1,2.5]",
        "{'a':'string'} | {'a':''}",
        "{'type':'string','enum':['a','b']} | 'b'",
        "{'type':'string','pattern':'b'} | 'abc'",
        "{'type':'string','pattern':'^$'} | ''",
        "{'type':'string','minLength':1,'maxLength':1} | '😀'",
        "{'type':'number','integer':true} | 1.0",
        "{'type':'number','integer':true} | -3e2",
        "{'type':'number','minimum':1,'maximum':2} | 1",
        "{'type':'number','minimum':1,'maximum':2} | 2.0",
        "{'type':'array','minItems':1,'maxItems':2} | [1]",
        "{'type':'array','minItems':1,'maxItems':2} | [1,2]",
      })
  void it_holds(String type, String value) {
    holds(type, value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'string' | 1",
        "'string' | ['a']",
        "'number' | '1'",
        "'number' | true",
        "'boolean' | 'true'",
        "'boolean' | 0",
        "'wref' | 1",
        "'wref' | ''",
        "'wref' | 'Sensor'",
        "'wref' | 'S/a@ALL'",
        "'wref' | 'S/a@v0'",
        "'wref' | '$'",
        "'wref' | '$x'",
        "'wref' | '$-1'",
        "'array' | {}",
        "'array' | 'a'",
        "{'a':'string'} | []",
        "{'a?':'string'} | 'a'",
        "{'type':'string','enum':['a','b']} | 'A'",
        "{'type':'string','pattern':'^b'} | 'ab'",
        "{'type':'string','minLength':2} | '😀'",
        "{'type':'string','maxLength':1} | 'ab'",
        "{'type':'number','integer':true} | 1.5",
        "{'type':'number','minimum':1} | 0.999",
        "{'type':'number','maximum':2} | 2.001",
        "{'type':'array','minItems':1} | []",
        "{'type':'array','maxItems':1} | [1,2]",
      })
  void it_does_not_hold(String type, String value) {
    assertEquals("/f", broken(type, value).pointer());
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "1", "'a'", "[]"})
  void data_is_an_object(String data) {
    assertEquals(List.of(""), pointers(validate("{}", data)));
  }

  @Test
  void a_required_field_is_neither_absent_nor_null() {
    assertEquals(List.of("/f"), pointers(validate("{'f':'any'}", "{}")));
    assertEquals(List.of("/f"), pointers(validate("{'f':'any'}", "{'f':null}")));
    assertEquals(
        new Violation("/f", "a string, as the field is required", "nothing"),
        validate("{'f':'string'}", "{}").violations().getFirst());
    assertEquals("null", validate("{'f':'string'}", "{'f':null}").violations().getFirst().found());
  }

  @Test
  void an_optional_field_may_be_absent_or_null() {
    for (var data : List.of("{}", "{'f':null}")) {
      for (var fields : List.of("{'f?':'wref'}", "{'f':'wref?'}", "{'f?':{'a':'any'}}")) {
        var validated = validate(fields, data);
        assertEquals(new Validated(List.of(), 0, List.of(), List.of()), validated);
      }
    }
    assertEquals(List.of("/f"), pointers(validate("{'f?':'string'}", "{'f':1}")));
  }

  @Test
  void null_is_no_item_of_a_typed_array() {
    assertEquals(List.of("/f/1"), pointers(validate("{'f':['string']}", "{'f':['a',null]}")));
  }

  @Test
  void all_violations_come_at_once_with_their_places() {
    var validated =
        validate(
            "{'a':'string','b':{'c':['number'],'d':'any'},'e?':'any'}",
            "{'a':1,'b':{'c':[1,'x',true]}}");
    assertEquals(List.of("/a", "/b/c/1", "/b/c/2", "/b/d"), pointers(validated));
  }

  @Test
  void an_array_of_the_wrong_length_still_has_its_items_looked_at() {
    assertEquals(
        List.of("/f", "/f/1"),
        pointers(
            validate("{'f':{'type':'array','items':'number','maxItems':1}}", "{'f':[1,'x']}")));
  }

  @Test
  void undeclared_fields_are_kept_and_warned_of_by_place() {
    var validated =
        validate(
            "{'a':{'b':'any'},'l':[{'c?':'any'}]}",
            "{'a':{'b':{'free':1},'x':1},'l':[{},{'y/z':1}],'b?':1}");
    assertEquals(List.of(), validated.violations());
    assertEquals(
        List.of("/a/x", "/l/1/y~1z", "/b?"),
        validated.warnings().stream().map(text -> text.split(" ", 2)[0]).toList());
  }

  @Test
  void references_are_the_nodes_themselves() {
    var data =
        json("{'a':'S/x','l':['$3','S/y@v2'],'o':{'n':'cairn:o/r/S/z'},'any':'S/q','s':'S/r'}");
    var definition =
        ShapeDefinition.parse(
            json(
                "{'fields':{'a':{'type':'wref','shape':'S'},'l':['wref'],'o':{'n':'wref'},"
                    + "'any':'any','s':'string'}}"));
    var references =
        DataValidator.validate(definition, data, ValidationBudget.ofCommit()).references();
    assertEquals(
        List.of("/a", "/l/0", "/l/1", "/o/n"),
        references.stream().map(Reference::pointer).map(FieldPath::toString).toList());
    assertSame(data.get("a"), references.getFirst().node());
    assertSame(data.at("/l/1"), references.get(2).node());
    assertEquals("S", references.getFirst().requiredShape());
    assertNull(references.get(1).requiredShape());
  }

  @Test
  void a_violation_says_what_was_expected_and_what_was_found() {
    assertEquals(
        new Violation("/f", "a string of at least 2 characters", "the string 'a' of 1 characters"),
        broken("{'type':'string','minLength':2}", "'a'"));
    assertEquals(
        new Violation("/f", "an integer of at least 1, of at most 3", "2.5"),
        broken("{'type':'number','minimum':1,'maximum':3,'integer':true}", "2.5"));
    assertEquals(
        new Violation("/f", "a wref to a S", "1e+30"),
        broken("{'type':'wref','shape':'S'}", "1e30"));
  }

  @Test
  void what_was_found_is_shortened() {
    var found = broken("'number'", "'" + "x".repeat(10_000) + "'").found();
    assertTrue(found.length() < 150, found);
    assertTrue(found.contains("of 10000 characters"), found);
  }

  @Test
  void more_than_100_violations_are_counted() {
    var hundred = validate("{'f':['number']}", "{'f':[" + "true,".repeat(99) + "true]}");
    assertEquals(100, hundred.violations().size());
    assertEquals(0, hundred.unlisted());
    var more = validate("{'f':['number']}", "{'f':[" + "true,".repeat(129) + "true]}");
    assertEquals(100, more.violations().size());
    assertEquals(30, more.unlisted());
  }

  @Test
  void validations_of_one_budget_share_the_hundred_and_each_lists_its_first() {
    var budget = ValidationBudget.ofCommit();
    var definition = ShapeDefinition.parse(json("{'fields':{'a':'number','b':'number'}}"));
    int listed = 0;
    int unlisted = 0;
    for (int i = 0; i < 200; i++) {
      var validated = DataValidator.validate(definition, json("{}"), budget);
      assertEquals("/a", validated.violations().getFirst().pointer());
      listed += validated.violations().size();
      unlisted += validated.unlisted();
    }
    assertEquals(50 + 200, listed);
    assertEquals(150, unlisted);
  }

  @Test
  void a_pattern_costs_its_size_times_the_length_and_ends_with_the_budget() {
    var definition =
        ShapeDefinition.parse(json("{'fields':{'f':{'type':'string','pattern':'^(a|b)*$'}}}"));
    var type = (FieldType.StringType) definition.fields().get("f").type();
    long steps = 10 + 2 + 1 + 10 + 100 / 8 + type.pattern().programSize() * 101L;
    var data = json("{'f':'" + "a".repeat(100) + "'}");
    assertEquals(List.of(), DataValidator.validate(definition, data, steps(steps)).violations());
    var beyond = DataValidator.validate(definition, data, steps(steps - 1)).violations();
    assertEquals("/f", beyond.getFirst().pointer());
    assertTrue(beyond.getFirst().expected().contains("150,000,000 steps"), beyond.toString());
    assertEquals(1, beyond.size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'f':['number']}                | {'f':[1,2,3]}           | 53",
        "{'f':'number','g?':'number'}    | {'f':1,'x':1}           | 126",
        "{'f':{'g':'boolean'}}           | {'f':{'g':true}}        | 36",
        "{'f':['wref']}                  | {'f':['S/a','S/b']}     | 251",
        "{'f':'wref'}                    | {'f':'S/0123456789012345678901234567890123'} | 137"
      })
  void every_value_and_reference_costs_something(String fields, String data, long steps) {
    var definition = ShapeDefinition.parse(json("{'fields':" + fields + "}"));
    var value = json(data);
    assertEquals(List.of(), DataValidator.validate(definition, value, steps(steps)).violations());
    assertEquals(
        1, DataValidator.validate(definition, value, steps(steps - 1)).violations().size());
  }

  @Test
  void absent_fields_end_with_the_budget_too() {
    var fields =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "'f" + i + "?':'number'")
            .collect(Collectors.joining(","));
    var definition = ShapeDefinition.parse(json("{'fields':{" + fields + "}}"));
    assertEquals(
        List.of(), DataValidator.validate(definition, json("{}"), steps(2_010)).violations());
    assertEquals(
        "",
        DataValidator.validate(definition, json("{}"), steps(2_009))
            .violations()
            .getFirst()
            .pointer());
  }

  private static ValidationBudget steps(long steps) {
    return new ValidationBudget(new Allowance(100), new Allowance(100), new Allowance(steps));
  }

  @Test
  void a_token_for_the_name_of_a_field_is_masked_in_the_warning() {
    var token = "cairn_pat_" + "a1".repeat(20);
    assertEquals(
        List.of("/cairn_pat_… is not declared by the shape"),
        validate("{}", "{'" + token + "':1}").warnings());
  }

  @Test
  void more_than_100_warnings_are_counted_in_a_last_entry() {
    var data = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < 130; i++) {
      data.put("x" + i, i);
    }
    var warnings =
        DataValidator.validate(
                ShapeDefinition.parse(json("{'fields':{}}")), data, ValidationBudget.ofCommit())
            .warnings();
    assertEquals(101, warnings.size());
    assertTrue(warnings.getLast().contains("30"));
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void lengths_count_code_points(
      @ForAll("texts") String text,
      @ForAll @IntRange(max = 6) int min,
      @ForAll @IntRange(max = 6) int spread) {
    var definition =
        ShapeDefinition.parse(
            json(
                "{'fields':{'f':{'type':'string','minLength':%d,'maxLength':%d}}}"
                    .formatted(min, min + spread)));
    var data = JsonNodeFactory.instance.objectNode().put("f", text);
    long length = text.codePoints().count();
    boolean valid =
        DataValidator.validate(definition, data, ValidationBudget.ofCommit())
            .violations()
            .isEmpty();
    assertEquals(min <= length && length <= min + spread, valid);
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void a_shape_without_fields_takes_every_object(@ForAll("objects") JsonNode data) {
    var validated =
        DataValidator.validate(
            ShapeDefinition.parse(json("{'fields':{}}")), data, ValidationBudget.ofCommit());
    assertEquals(List.of(), validated.violations());
    assertEquals(data.size(), validated.warnings().size());
  }

  @Provide
  Arbitrary<String> texts() {
    return Samples.text();
  }

  @Provide
  Arbitrary<JsonNode> objects() {
    return Samples.object();
  }
}
