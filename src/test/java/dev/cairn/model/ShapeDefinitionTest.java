package dev.cairn.model;

import static dev.cairn.model.Samples.json;
import static dev.cairn.model.Samples.pointers;
import static dev.cairn.model.Samples.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.FieldType.AnyType;
import dev.cairn.model.FieldType.ArrayType;
import dev.cairn.model.FieldType.BooleanType;
import dev.cairn.model.FieldType.NumberType;
import dev.cairn.model.FieldType.ObjectType;
import dev.cairn.model.FieldType.StringType;
import dev.cairn.model.FieldType.WrefType;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShapeDefinitionTest {
  private static final FieldType STRING = new StringType(null, null, null, null);

  private static ShapeDefinition parse(String definition) {
    return ShapeDefinition.parse(json(definition));
  }

  /** The type of the field {@code f}. */
  private static FieldType typeOf(String type) {
    return parse("{'fields':{'f':" + type + "}}").fields().get("f").type();
  }

  private static List<String> violations(String definition) {
    return pointers(refused(() -> parse(definition)));
  }

  @Test
  void a_type_may_be_a_name() {
    assertEquals(STRING, typeOf("'string'"));
    assertEquals(new NumberType(null, null, false), typeOf("'number'"));
    assertEquals(new BooleanType(), typeOf("'boolean'"));
    assertEquals(new WrefType(null), typeOf("'wref'"));
    assertEquals(new ArrayType(new AnyType(), null, null), typeOf("'array'"));
    assertEquals(new AnyType(), typeOf("'any'"));
  }

  @Test
  void the_list_form_takes_any_type() {
    assertEquals(new ArrayType(STRING, null, null), typeOf("['string']"));
    assertEquals(
        new ArrayType(new ArrayType(new WrefType("S"), null, null), null, null),
        typeOf("[[{'type':'wref','shape':'S'}]]"));
    assertInstanceOf(
        ObjectType.class, assertInstanceOf(ArrayType.class, typeOf("[{'a':'number'}]")).items());
  }

  @Test
  void an_object_whose_type_names_no_type_is_nested_fields() {
    var nested = assertInstanceOf(ObjectType.class, typeOf("{'type':{'type':'string'},'n':'any'}"));
    assertEquals(List.of("type", "n"), List.copyOf(nested.fields().keySet()));
    assertInstanceOf(ObjectType.class, typeOf("{}"));
    assertEquals(List.of("/fields/f/type"), violations("{'fields':{'f':{'type':'text'}}}"));
    assertEquals(STRING, typeOf("{'type':'string'}"));
  }

  @Test
  void a_typed_object_has_the_constraints_of_its_type() {
    var string = (StringType) typeOf("{'type':'string','minLength':1,'maxLength':2.0}");
    assertEquals(new StringType(1L, 2L, null, null), string);
    var text = (StringType) typeOf("{'type':'string','pattern':'^a+$','enum':['a','aa']}");
    assertEquals("^a+$", text.pattern().pattern());
    assertEquals(List.of("a", "aa"), List.copyOf(text.allowed()));
    assertEquals(
        new NumberType(-1.5, 2d, true),
        typeOf("{'type':'number','minimum':-1.5,'maximum':2,'integer':true}"));
    assertEquals(
        new ArrayType(new BooleanType(), 0L, 3L),
        typeOf("{'type':'array','items':'boolean','minItems':0,'maxItems':3}"));
    assertEquals(new WrefType("Sensor"), typeOf("{'type':'wref','shape':'Sensor'}"));
    assertEquals(new AnyType(), typeOf("{'type':'any','description':'x'}"));
  }

  @Test
  void fields_keep_their_order_and_their_descriptions() {
    var definition =
        parse("{'description':'d','fields':{'b':{'type':'any','description':'e'},'a':'any'}}");
    assertEquals("d", definition.description());
    assertEquals(List.of("b", "a"), List.copyOf(definition.fields().keySet()));
    assertEquals("e", definition.fields().get("b").description());
    assertNull(definition.fields().get("a").description());
    assertThrows(UnsupportedOperationException.class, () -> definition.fields().clear());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'f'  | 'string'            | false",
        "'f?' | 'string'            | true",
        "'f'  | 'string?'           | true",
        "'f?' | 'string?'           | true",
        "'f'  | {'type':'string?'}  | true",
        "'f?' | {'type':'string'}   | true",
        "'f?' | ['string']          | true",
        "'f?' | {'a':'string'}      | true",
        "'f'  | {'a?':'string'}     | false",
        "'f'  | ['string']          | false",
      })
  void a_question_mark_after_key_or_type_makes_it_optional(
      String key, String type, boolean optional) {
    var definition = parse("{'fields':{" + key + ":" + type + "}}");
    assertEquals(optional, definition.fields().get("f").optional());
  }

  @ParameterizedTest
  @ValueSource(strings = {"['string?']", "[{'type':'string?'}]", "{'type':'array','items':'any?'}"})
  void an_item_cannot_be_optional(String type) {
    assertEquals(1, violations("{'fields':{'f':" + type + "}}").size());
  }

  @Test
  void no_fields_at_all_is_fine() {
    assertTrue(parse("{'fields':{}}").fields().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "_", "A9", "a_b-c", "type", "items", "description", "__proto__"})
  void a_field_may_be_named(String name) {
    assertTrue(parse("{'fields':{'" + name + "':'any'}}").fields().containsKey(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?", "a??", "9", "-a", "a.b", "a b", "ä", "$a", "a/b"})
  void a_field_may_not_be_named(String name) {
    assertEquals(
        List.of(IJson.pointer("/fields", name)), violations("{'fields':{'" + name + "':'any'}}"));
  }

  @Test
  void what_a_wrong_field_name_leads_to_is_not_read() {
    var name = "x".repeat(100_000);
    var wrong = refused(() -> parse("{'fields':{'" + name + "':{'a':'b','c':'d'}}}"));
    assertEquals(List.of("/fields/" + name.substring(0, 200) + "…"), pointers(wrong));
  }

  @Test
  void a_field_name_has_at_most_64_characters() {
    var longest = "a".repeat(64);
    assertTrue(parse("{'fields':{'" + longest + "?':'any'}}").fields().containsKey(longest));
    refused(() -> parse("{'fields':{'" + longest + "a':'any'}}"));
  }

  @Test
  void a_field_cannot_be_declared_twice() {
    assertEquals(
        List.of("/fields/a?"), violations("{'fields':{'a':'string','b':'any','a?':'number'}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "null                                             | ``",
        "[]                                               | ``",
        "{}                                               | /fields",
        "{'fields':[]}                                    | /fields",
        "{'fields':null}                                  | /fields",
        "{'fields':{},'name':'S'}                         | /name",
        "{'fields':{},'description':1}                    | /description",
        "{'fields':{'f':1}}                               | /fields/f",
        "{'fields':{'f':null}}                            | /fields/f",
        "{'fields':{'f':'text'}}                          | /fields/f",
        "{'fields':{'f':'String'}}                        | /fields/f",
        "{'fields':{'f':'string??'}}                      | /fields/f",
        "{'fields':{'f':''}}                              | /fields/f",
        "{'fields':{'f':'?'}}                             | /fields/f",
        "{'fields':{'f':[]}}                              | /fields/f",
        "{'fields':{'f':['any','any']}}                   | /fields/f",
        "{'fields':{'f':['text']}}                        | /fields/f/0",
        "{'fields':{'f':{'g':{'h':'text'}}}}              | /fields/f/g/h",
        "{'fields':{'f':{'type':'string','size':1}}}      | /fields/f/size",
        "{'fields':{'f':{'type':'string','a/b':1}}}       | /fields/f/a~1b",
        "{'fields':{'f':{'type':'string','minimum':1}}}   | /fields/f/minimum",
        "{'fields':{'f':{'type':'number','minLength':1}}} | /fields/f/minLength",
        "{'fields':{'f':{'type':'boolean','enum':['a']}}} | /fields/f/enum",
        "{'fields':{'f':{'type':'any','shape':'S'}}}      | /fields/f/shape",
        "{'fields':{'f':{'type':'string','items':'any'}}} | /fields/f/items",
        "{'fields':{'f':{'type':'any','description':1}}}  | /fields/f/description",
        "{'fields':{'f':[{'type':'any','description':1}]}} | /fields/f/0/description",
        "{'fields':{'f':{'type':'wref','shape':'1'}}}     | /fields/f/shape",
        "{'fields':{'f':{'type':'wref','shape':null}}}    | /fields/f/shape",
        "{'fields':{'f':{'type':'array','items':'x'}}}    | /fields/f/items",
        "{'fields':{'f':{'type':'array','items':null}}}   | /fields/f/items",
        "{'fields':{'f':{'type':'string','minLength':-1}}} | /fields/f/minLength",
        "{'fields':{'f':{'type':'string','minLength':1.5}}} | /fields/f/minLength",
        "{'fields':{'f':{'type':'string','minLength':'1'}}} | /fields/f/minLength",
        "{'fields':{'f':{'type':'string','maxLength':2147483648}}} | /fields/f/maxLength",
        "{'fields':{'f':{'type':'string','minLength':2,'maxLength':1}}} | /fields/f/minLength",
        "{'fields':{'f':{'type':'number','minimum':2,'maximum':1}}} | /fields/f/minimum",
        "{'fields':{'f':{'type':'number','minimum':'1'}}} | /fields/f/minimum",
        "{'fields':{'f':{'type':'number','integer':1}}}   | /fields/f/integer",
        "{'fields':{'f':{'type':'array','minItems':2,'maxItems':1}}} | /fields/f/minItems",
        "{'fields':{'f':{'type':'string','enum':[]}}}     | /fields/f/enum",
        "{'fields':{'f':{'type':'string','enum':'a'}}}    | /fields/f/enum",
        "{'fields':{'f':{'type':'string','enum':['a',1]}}} | /fields/f/enum",
        "{'fields':{'f':{'type':'string','enum':['a','a']}}} | /fields/f/enum",
        "{'fields':{'f':{'type':'string','pattern':'('}}} | /fields/f/pattern",
        "{'fields':{'f':{'type':'string','pattern':'(?=a)'}}} | /fields/f/pattern",
        "{'fields':{'f':{'type':'string','pattern':1}}}   | /fields/f/pattern",
      })
  void what_breaks_a_rule_is_named_by_its_pointer(String definition, String pointer) {
    assertEquals(List.of(pointer), violations(definition));
  }

  @Test
  void equal_limits_are_fine() {
    assertEquals(
        new StringType(0L, 0L, null, null),
        typeOf("{'type':'string','minLength':0,'maxLength':0}"));
    assertEquals(
        new NumberType(1d, 1d, false), typeOf("{'type':'number','minimum':1,'maximum':1.0}"));
  }

  @Test
  void all_violations_come_at_once() {
    var pointers =
        violations(
            "{'x':1,'fields':{'9':'any','f':'text','g':{'type':'string','minLength':-1,'y':1},"
                + "'h':['text'],'i':{'j':{'type':'wref','shape':'a b'}}}}");
    assertEquals(
        new TreeSet<>(
            List.of(
                "/x",
                "/fields/9",
                "/fields/f",
                "/fields/g/minLength",
                "/fields/g/y",
                "/fields/h/0",
                "/fields/i/j/shape")),
        new TreeSet<>(pointers));
    assertEquals(7, pointers.size());
  }

  @Test
  void an_unknown_member_is_named() {
    var problem = refused(() -> parse("{'fields':{'f':{'type':'string','maxlength':1}}}"));
    assertTrue(problem.detail().contains("'maxlength'"), problem.detail());
  }

  @Test
  void a_bad_pattern_is_explained_without_class_names() {
    var problem = refused(() -> parse("{'fields':{'f':{'type':'string','pattern':'[a'}}}"));
    assertTrue(problem.detail().contains("missing closing ]"), problem.detail());
    assertFalse(problem.detail().contains("re2j"), problem.detail());
  }

  @ParameterizedTest
  @ValueSource(strings = {"((a{1000}){1000}){1000}", "(a{40}[[:word:](]){40}"})
  void a_pattern_that_would_fill_the_memory_is_refused(String pattern) {
    assertEquals(
        List.of("/fields/f/pattern"),
        violations("{'fields':{'f':{'type':'string','pattern':'" + pattern + "'}}}"));
    assertEquals(
        List.of("/fields/f/pattern"),
        violations(
            "{'fields':{'f':{'type':'string','pattern':'"
                + "(".repeat(5000)
                + ")".repeat(5000)
                + "'}}}"));
  }

  @Test
  void the_patterns_of_a_shape_are_together_limited_like_each_of_them() {
    var fields = new ArrayList<String>();
    for (int i = 0; i < 5; i++) {
      fields.add("'f" + i + "':{'type':'string','pattern':'a{1000}'}");
    }
    var most = String.join(",", fields);
    var allowed = json("{'fields':{" + most + "}}");
    assertEquals(
        5_000,
        ShapeDefinition.parseNew(allowed, ValidationBudget.ofCommit(), _ -> {}).sizeOfPatterns());
    var larger = json("{'fields':{" + most + ",'g':{'h':{'type':'string','pattern':'a'}}}}");
    var problem =
        refused(() -> ShapeDefinition.parseNew(larger, ValidationBudget.ofCommit(), _ -> {}));
    assertEquals(List.of("/fields/g/h/pattern"), pointers(problem));
    assertEquals(5_001, ShapeDefinition.parse(larger).sizeOfPatterns());
  }

  @Test
  void the_patterns_of_many_shapes_in_one_commit_are_limited_together() {
    var budget = ValidationBudget.ofCommit();
    var definition = json("{'fields':{'f':{'type':'string','pattern':'a{1000}'}}}");
    for (int i = 0; i < 300; i++) {
      assertEquals(1, ShapeDefinition.parseNew(definition, budget, _ -> {}).fields().size());
    }
    var problem = refused(() -> ShapeDefinition.parseNew(definition, budget, _ -> {}));
    assertEquals(List.of("/fields/f/pattern"), pointers(problem));
    assertTrue(problem.detail().contains("one commit"), problem.detail());
  }

  @Test
  void shape_names_are_found_at_any_depth_and_only_where_they_constrain() {
    var definition =
        json(
            "{'description':'S','fields':{'a':{'type':'wref','shape':'A'},"
                + "'b':[{'type':'wref?','shape':'B'}],"
                + "'c':{'type':'array','items':{'type':'wref','shape':'C'}},"
                + "'d':{'e':{'type':'wref','shape':'D'},'shape':'string'},"
                + "'shape':'wref','f':{'type':'string','enum':['A']},"
                + "'type':{'type':'wref','shape':'E'},"
                + "'g':{'type':{'type':'wref','shape':'F'}}}}");
    var names = ShapeDefinition.shapeNames(definition);
    assertEquals(
        List.of("A", "B", "C", "D", "E", "F"), names.stream().map(JsonNode::textValue).toList());
    assertSame(definition.at("/fields/a/shape"), names.getFirst());
  }
}
