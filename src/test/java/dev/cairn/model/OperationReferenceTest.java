package dev.cairn.model;

import static dev.cairn.model.OperationSamples.add;
import static dev.cairn.model.OperationSamples.parse;
import static dev.cairn.model.OperationSamples.to;
import static dev.cairn.model.OperationSamples.violations;
import static dev.cairn.model.Samples.pointers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.model.Operation.About;
import dev.cairn.model.Operation.Kind;
import dev.cairn.model.Operation.Members;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an added assertion or collection points at. */
class OperationReferenceTest {
  @ParameterizedTest
  @ValueSource(strings = {"S/b", "S/b@HEAD", "S/b@v3", "cairn:o/r/S/b", "cairn:o/r/S/b@v3"})
  void an_assertion_is_about_an_entity(String about) {
    var add = add("'name':'Note/a','data':{},'about':'" + about + "'");
    assertEquals(new About.To(to(about)), add.about());
    assertEquals(Kind.ASSERTION, add.kind());
    assertNull(add.members());
  }

  @Test
  void an_assertion_may_be_about_a_result() {
    assertEquals(
        new About.To(new Link.Result(4)), add("'name':'N/a','data':{},'about':'$4'").about());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'S/b@ALL'                     | /about",
        "'S'                           | /about",
        "'$x'                          | /about",
        "''                            | /about",
        "1                             | /about",
        "null                          | /about",
        "[]                            | /about",
        "{}                            | /about",
        "{'pair':['S/a','S/b'],'set':['S/a']} | /about",
        "{'bag':['S/a']}               | /about/bag",
        "{'Pair':['S/a','S/b']}        | /about/Pair",
        "{'set':'S/a'}                 | /about/set",
        "{'set':[]}                    | /about/set",
        "{'list':[]}                   | /about/list",
        "{'pair':['S/a']}              | /about/pair",
        "{'pair':['S/a','S/b','S/c']}  | /about/pair",
        "{'triple':['S/a','S/b']}      | /about/triple",
        "{'set':['S/a',1]}             | /about/set/1",
        "{'set':['S/a','S']}           | /about/set/1",
        "{'list':['S/a@ALL']}          | /about/list/0",
        "{'list':[{'set':['S/a']}]}    | /about/list/0",
      })
  void about_of_another_form_is_refused(String about, String pointer) {
    assertEquals(
        List.of(pointer),
        violations("{'operation':'add','name':'N/a','data':{},'about':" + about + "}"));
  }

  @Test
  void an_assertion_may_be_about_an_inline_collection() {
    var inline =
        assertInstanceOf(
            About.Inline.class,
            add("'name':'N/a','data':{},'about':{'pair':['S/a@v1','$0']}").about());
    assertEquals(
        new Members(
            CollectionType.PAIR,
            List.of(to("S/a@v1"), new Link.Result(0)),
            List.of("/about/pair/0", "/about/pair/1")),
        inline.members());
  }

  @Test
  void only_an_assertion_has_about_and_it_must() {
    assertEquals(
        List.of("/about"),
        violations("{'operation':'add','kind':'assertion','name':'N/a','data':{}}"));
    for (var kind : List.of("thing", "shape", "collection")) {
      var rest = kind.equals("collection") ? "'members':['S/a']" : "'name':'N','data':{}";
      var name = kind.equals("thing") ? rest.replace("'N'", "'N/a'") : rest;
      assertEquals(
          List.of("/about"),
          violations("{'operation':'add','kind':'%s',%s,'about':'S/b'}".formatted(kind, name)));
    }
  }

  @Test
  void an_assertion_is_neither_a_shape_nor_a_collection() {
    assertEquals(
        List.of("/name"),
        violations("{'operation':'add','name':'Shape/S','data':{},'about':'S/a'}"));
    assertEquals(
        List.of("/name"),
        violations("{'operation':'add','name':'Pair/x','data':{},'about':'S/a'}"));
    assertEquals(
        List.of("/type", "/members"),
        violations(
            "{'operation':'add','name':'N/a','data':{},'about':'S/a','type':'set',"
                + "'members':['S/a']}"));
  }

  @Test
  void a_collection_needs_no_name_and_is_a_set_unless_it_says_otherwise() {
    var set = add("'members':['S/a','S/a','cairn:o/r/S/b@v2']");
    assertNull(set.target());
    assertNull(set.data());
    assertEquals(
        new Members(
            CollectionType.SET,
            List.of(to("S/a"), to("S/a"), to("cairn:o/r/S/b@v2")),
            List.of("/members/0", "/members/1", "/members/2")),
        set.members());
    assertEquals(
        CollectionType.TRIPLE,
        add("'type':'triple','members':['S/a','S/b','S/c']").members().type());
    assertEquals(
        Wref.local("Pair", "x/y"),
        add("'type':'pair','members':['S/a','S/b'],'name':'Pair/x/y'").target());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'kind':'collection'                          | /members",
        "'type':'set'                                 | /members",
        "'type':'pair','data':{}                      | /members",
        "'type':'bag','members':['S/a']               | /type",
        "'type':'Set','members':['S/a']               | /type",
        "'type':null,'members':['S/a']                | /type",
        "'members':null                               | /members",
        "'members':'S/a'                              | /members",
        "'members':[]                                 | /members",
        "'type':'list','members':[]                   | /members",
        "'type':'pair','members':['S/a']              | /members",
        "'type':'pair','members':['S/a','S/b','S/c']  | /members",
        "'type':'triple','members':['S/a','S/b']      | /members",
        "'members':['S/a',null]                       | /members/1",
        "'members':['S/a','S/b@ALL']                  | /members/1",
        "'members':['S']                              | /members/0",
        "'members':['S/a'],'data':{}                  | /data",
        "'members':['S/a'],'name':'Bag/x'             | /name",
        "'members':['S/a'],'name':'List/x'            | /name",
        "'members':['S/a'],'name':'Shape/x'           | /name",
        "'members':['S/a'],'name':'x'                 | /name",
        "'members':['S/a'],'name':null                | /name",
        "'kind':'thing','name':'S/a','data':{},'type':'set'       | /type",
        "'kind':'thing','name':'S/a','data':{},'members':['S/a']  | /members",
        "'kind':'shape','name':'S','data':{},'type':'set'         | /type",
        "'kind':'collection','name':'S/a','data':{}               | /members",
      })
  void a_collection_of_another_form_is_refused(String members, String pointer) {
    assertEquals(List.of(pointer), violations("{'operation':'add'," + members + "}"));
  }

  @Test
  void a_thing_under_a_collection_shape_is_a_collection() {
    for (var kind : List.of("", "'kind':'thing',", "'kind':'collection',")) {
      var pair = add(kind + "'name':'Pair/x','data':{'second':'$1','first':'S/a'}");
      assertEquals(Kind.COLLECTION, pair.kind());
      assertNull(pair.data());
      assertEquals(
          new Members(
              CollectionType.PAIR,
              List.of(to("S/a"), new Link.Result(1)),
              List.of("/data/first", "/data/second")),
          pair.members());
    }
    assertEquals(
        List.of("/data/members/0"),
        add("'name':'Set/x','data':{'members':['S/a']}").members().pointers());
    assertEquals(
        List.of("/data/items/0", "/data/items/1"),
        add("'name':'List/x','data':{'items':['S/a','S/a']}").members().pointers());
    assertEquals(
        CollectionType.TRIPLE,
        add("'type':'triple','name':'Triple/x','data':{'first':'S/a','second':'S/b','third':'$0'}")
            .members()
            .type());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'name':'Pair/x','data':{}                                        | /data/first",
        "'name':'Pair/x','data':{'first':'S/a','second':null}             | /data/second",
        "'name':'Pair/x','data':{'first':'S/a','second':'S/b','third':1}  | /data/third",
        "'name':'Set/x','data':{}                                         | /data/members",
        "'name':'Set/x','data':{'members':[]}                             | /data/members",
        "'name':'Set/x','data':{'items':['S/a']}                          | /data/items",
        "'name':'List/x','data':{'items':[1]}                             | /data/items/0",
      })
  void the_data_of_a_collection_holds_its_members_alone(String members, String pointer) {
    var problem = assertThrows(Problem.class, () -> parse("{'operation':'add'," + members + "}"));
    assertEquals(ErrorCode.SHAPE_MISMATCH, problem.code());
    assertEquals(pointer, pointers(problem).getFirst());
    assertFalse(pointers(problem).contains("/members"));
  }

  @Test
  void what_is_wrong_around_the_data_of_a_collection_comes_first() {
    assertEquals(List.of("/data"), violations("{'operation':'add','name':'Pair/x'}"));
    assertEquals(List.of("/data"), violations("{'operation':'add','name':'Pair/x','data':[]}"));
    assertEquals(
        List.of("/type"),
        violations("{'operation':'add','name':'Set/x','data':{'members':['S/a']},'type':'list'}"));
    assertEquals(
        List.of("/x", "/data/members/0"),
        violations("{'operation':'add','name':'Set/x','data':{'members':[1]},'x':1}"));
  }
}
