package dev.cairn.model.filter;

import static dev.cairn.model.Samples.json;
import static dev.cairn.model.Samples.pointers;
import static dev.cairn.model.Samples.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.EntityKind;
import dev.cairn.model.MatchingBudget;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperationFilterTest {
  /** An operation as the tests write one. */
  record Done(String operation, EntityKind kind, String shapeName, String name)
      implements OperationFilter.Subject {
    @Override
    public String wref() {
      return shapeName + "/" + name;
    }
  }

  private static final Done ADD = new Done("add", EntityKind.THING, "Sensor", "hall/t1");
  private static final Done REVISE = new Done("revise", EntityKind.THING, "Sensor", "hall/t1");
  private static final Done RETRACT = new Done("retract", EntityKind.THING, "Sensor", "hall/t1");
  private static final Done RENAME = new Done("rename", EntityKind.THING, "Sensor", "hall/t1");
  private static final Done OF_SHAPE = new Done("revise", EntityKind.SHAPE, "Shape", "Sensor");
  private static final Done ASSERTION = new Done("add", EntityKind.ASSERTION, "Note", "n");
  private static final Done COLLECTION = new Done("add", EntityKind.THING, "Pair", "p");

  private static boolean matches(String filter, Done operation) {
    return OperationFilter.parse(json(filter)).matches(operation, MatchingBudget.ofCommit());
  }

  @Test
  void an_empty_filter_matches_adds_and_revises() {
    assertTrue(matches("{}", ADD));
    assertTrue(matches("{}", REVISE));
    assertTrue(matches("{}", RETRACT));
    assertFalse(matches("{}", RENAME));
  }

  @Test
  void a_retract_is_a_revise_but_not_the_other_way_round() {
    assertTrue(matches("{'operation':'revise'}", RETRACT));
    assertTrue(matches("{'operation':'retract'}", RETRACT));
    assertFalse(matches("{'operation':'retract'}", REVISE));
    assertFalse(matches("{'operation':'add'}", RETRACT));
  }

  @Test
  void a_rename_matches_where_the_filter_speaks_of_operations() {
    assertTrue(matches("{'operation':'rename'}", RENAME));
    assertTrue(matches("{'operation':['add','rename']}", RENAME));
    assertTrue(matches("{'not':{'operation':'add'}}", RENAME));
    assertTrue(matches("{'any':[{'operation':'add'},{'name':'hall/t1'}]}", RENAME));
    assertFalse(matches("{'name':'hall/t1'}", RENAME));
  }

  @Test
  void an_operation_on_a_shape_is_on_that_shape_and_on_the_shape_of_shapes() {
    assertTrue(matches("{'kind':'shape'}", OF_SHAPE));
    assertTrue(matches("{'kind':['thing','shape'],'shape':'Sensor'}", OF_SHAPE));
    assertTrue(matches("{'kind':'shape','shape':'Shape'}", OF_SHAPE));
    assertFalse(matches("{'kind':'shape','shape':'Room'}", OF_SHAPE));
    assertFalse(matches("{'kind':'thing'}", OF_SHAPE));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}                                   | false",
        "{'not':{'kind':'thing'}}             | false",
        "{'kind':'shape'}                     | true",
        "{'any':[{'kind':['thing','shape']}]} | true",
        "{'not':{'kind':'shape'}}             | true",
      })
  void it_says_whether_it_speaks_of_shapes(String filter, boolean expected) {
    assertEquals(expected, OperationFilter.parse(json(filter)).namesShapes());
  }

  @Test
  void a_collection_is_a_thing_of_a_kind_of_its_own() {
    assertTrue(matches("{'kind':'collection'}", COLLECTION));
    assertTrue(matches("{'kind':'thing'}", COLLECTION));
    assertFalse(matches("{'kind':'collection'}", ADD));
    assertFalse(matches("{'kind':'collection'}", ASSERTION));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'shape':'Sensor'}                                     | true",
        "{'shape':'sensor'}                                     | false",
        "{'shape':['Room','Sensor']}                            | true",
        "{'name':'hall/t1'}                                     | true",
        "{'name':'Sensor/hall/t1'}                              | true",
        "{'name':'t1'}                                          | false",
        "{'match':'Sensor/*/t1'}                                | true",
        "{'match':['Sensor/*','Sensor/hall/**']}                | true",
        "{'match':'hall/*'}                                     | false",
        "{'kind':'thing','operation':'add','shape':'Sensor'}    | true",
        "{'kind':'assertion','operation':'add'}                 | false",
        "{'all':[{'kind':'thing'},{'name':'hall/t1'}]}          | true",
        "{'all':[{'kind':'thing'},{'name':'hall/t2'}]}          | false",
        "{'any':[{'kind':'assertion'},{'name':'hall/t1'}]}      | true",
        "{'any':[{'kind':'assertion'},{'name':'hall/t2'}]}      | false",
        "{'not':{'name':'hall/t2'}}                             | true",
        "{'not':{'not':{'name':'hall/t2'}}}                     | false",
        "{'not':{}}                                             | false",
        "{'operation':'add','any':[{}],'not':{'kind':'shape'}}  | true",
      })
  void members_hold_together(String filter, boolean expected) {
    assertEquals(expected, matches(filter, ADD));
  }

  @Test
  void a_name_is_compared_in_its_normal_form() {
    var composed = new Done("add", EntityKind.THING, "Sensor", "Caf\u00e9");
    assertTrue(matches("{'name':'Cafe\u0301'}", composed));
    assertTrue(matches("{'match':'Sensor/Cafe\u0301'}", composed));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]                                    | ``",
        "'add'                                 | ``",
        "{'op':'add'}                          | /op",
        "{'a/b':'add'}                         | /a~1b",
        "{'operation':'delete'}                | /operation",
        "{'operation':['add','noop']}          | /operation/1",
        "{'operation':[]}                      | /operation",
        "{'operation':null}                    | /operation",
        "{'operation':[1]}                     | /operation/0",
        "{'kind':'entity'}                     | /kind",
        "{'kind':{'shape':'x'}}                | /kind",
        "{'shape':'a b'}                       | /shape",
        "{'name':''}                           | /name",
        "{'match':'a//b'}                      | /match",
        "{'match':['a/*','']}                  | /match/1",
        "{'all':{}}                            | /all",
        "{'any':[]}                            | /any",
        "{'any':[{},{'kind':1}]}               | /any/1/kind",
        "{'not':[]}                            | /not",
        "{'not':{'all':[{'not':{'x':1}}]}}     | /not/all/0/not/x",
      })
  void what_is_wrong_is_refused_with_its_place(String filter, String pointer) {
    assertEquals(List.of(pointer), pointers(refused(() -> OperationFilter.parse(json(filter)))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'name':['a','Sensor/b']}                        | a,Sensor/b",
        "{'operation':'add','name':'a'}                   | a",
        "{'match':['Sensor/a/**','Sensor/b']}             | Sensor/a,Sensor/b",
        "{'match':['Sensor/a*/bcdefghijk','*']}           | bcdefghijk,",
        "{'any':[{'name':'a'}]}                           | -",
        "{'not':{'name':'a'}}                             | -",
        "{}                                               | -",
      })
  void one_of_its_names_or_of_the_texts_of_its_patterns_is_in_every_match(
      String filter, String needles) {
    var expected =
        needles.equals("-") ? Optional.empty() : Optional.of(Set.of(needles.split(",", -1)));
    assertEquals(expected, OperationFilter.parse(json(filter)).needles());
  }

  private static String texts(int count, String text) {
    return IntStream.range(0, count)
        .mapToObj(_ -> "'" + text + "'")
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Test
  void a_filter_has_at_most_100_texts_of_4096_characters() {
    assertTrue(matches("{'name':" + texts(99, "hall/t1") + ",'operation':'add'}", ADD));
    assertEquals(
        List.of("/name/100"),
        pointers(refused(() -> OperationFilter.parse(json("{'name':" + texts(101, "x") + "}")))));
    assertFalse(matches("{'name':'" + "x".repeat(4_096) + "'}", ADD));
    assertEquals(
        List.of("/name"),
        pointers(
            refused(() -> OperationFilter.parse(json("{'name':'" + "x".repeat(4_097) + "'}")))));
  }

  @Test
  void a_filter_has_at_most_10_patterns() {
    assertTrue(matches("{'match':" + texts(10, "Sensor/**") + "}", ADD));
    assertEquals(
        List.of("/match/10"),
        pointers(refused(() -> OperationFilter.parse(json("{'match':" + texts(11, "**") + "}")))));
  }

  private static String nested(int levels) {
    return "{'not':".repeat(levels) + "{}" + "}".repeat(levels);
  }

  @Test
  void combinators_nest_at_most_7_deep() {
    assertFalse(matches(nested(7), ADD));
    assertEquals(
        List.of("/not".repeat(8)), pointers(refused(() -> OperationFilter.parse(json(nested(8))))));
  }

  /** Each takes memory for as long as the compiled filters are kept, even an empty one. */
  @Test
  void a_filter_has_at_most_200_filters() {
    assertTrue(matches("{'any':[" + "{},".repeat(198) + "{}]}", ADD));
    assertEquals(
        List.of("/any/199"),
        pointers(
            refused(() -> OperationFilter.parse(json("{'any':[" + "{},".repeat(199) + "{}]}")))));
  }

  @Test
  void more_of_it_takes_more_memory() {
    assertTrue(
        OperationFilter.parse(json("{'any':[" + "{},".repeat(99) + "{}]}")).bytes() > 40_000);
    assertTrue(
        OperationFilter.parse(json("{'match':'a/**'}")).bytes()
            > OperationFilter.parse(json("{}")).bytes() + 500);
  }
}
