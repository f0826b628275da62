package dev.cairn.model;

import static dev.cairn.model.Samples.json;
import static dev.cairn.model.Samples.pointers;
import static dev.cairn.model.Samples.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.Operation.About;
import dev.cairn.model.Operation.Add;
import dev.cairn.model.Operation.Kind;
import dev.cairn.model.Operation.Members;
import dev.cairn.model.Operation.Rename;
import dev.cairn.model.Operation.Retract;
import dev.cairn.model.Operation.Revise;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperationTest {
  private static Operation parse(String operation) {
    return Operation.parse(json(operation));
  }

  private static Add add(String members) {
    return assertInstanceOf(Add.class, parse("{'operation':'add'," + members + "}"));
  }

  private static Revise revise(String members) {
    return assertInstanceOf(Revise.class, parse("{'operation':'revise'," + members + "}"));
  }

  private static Retract retract(String members) {
    return assertInstanceOf(Retract.class, parse("{'operation':'retract'," + members + "}"));
  }

  private static Rename rename(String members) {
    return assertInstanceOf(Rename.class, parse("{'operation':'rename'," + members + "}"));
  }

  private static List<String> violations(String operation) {
    return pointers(refused(() -> parse(operation)));
  }

  private static Link to(String wref) {
    return new Link.To(Wref.parse(wref));
  }

  @Test
  void kinds_have_lower_case_words() {
    assertEquals("collection", Kind.COLLECTION.wire());
    assertEquals(Optional.of(Kind.SHAPE), Kind.of("shape"));
    assertEquals(Optional.empty(), Kind.of("Shape"));
    assertEquals(Optional.empty(), Kind.of(null));
  }

  @Test
  void each_operation_knows_its_word() {
    for (var word : List.of("add", "revise", "retract", "rename")) {
      var extra =
          switch (word) {
            case "add", "revise" -> ",'data':{}";
            case "rename" -> ",'newName':'b'";
            default -> "";
          };
      var operation = parse("{'operation':'" + word + "','name':'S/a'" + extra + "}");
      assertEquals(word, operation.wire());
      assertNull(operation.opId());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "1", "[]", "'add'"})
  void an_operation_is_an_object(String operation) {
    assertEquals(List.of(""), violations(operation));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'operation':'delete'}",
        "{'operation':'Add'}",
        "{'operation':null}",
        "{'operation':1}",
        "{'operation':''}"
      })
  void an_unknown_operation_is_refused_once(String operation) {
    assertEquals(List.of("/operation"), violations(operation));
  }

  @Test
  void a_thing_is_added() {
    var add =
        add("'kind':'thing','name':'Sensor/a/b','data':{'x':1},'skipExisting':true,'opId':'o-1'");
    assertEquals(Wref.local("Sensor", "a/b"), add.target());
    assertEquals(Kind.THING, add.kind());
    assertEquals(json("{'x':1}"), add.data());
    assertNull(add.about());
    assertNull(add.members());
    assertTrue(add.skipExisting());
    assertEquals("o-1", add.opId());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'name':'S/a','data':{}                  | THING",
        "'name':'S/a/b','data':{}                | THING",
        "'name':'Sensor','data':{}               | SHAPE",
        "'name':'Shape/Sensor','data':{}         | SHAPE",
        "'name':'S/a','data':{},'about':'S/b'    | ASSERTION",
        "'type':'set','members':['S/a']          | COLLECTION",
        "'members':['S/a']                       | COLLECTION",
        "'name':'Set/x','members':['S/a']        | COLLECTION",
        "'name':'Set/x','data':{'members':['S/a']} | COLLECTION",
      })
  void a_kind_that_is_left_out_is_inferred(String members, Kind kind) {
    assertEquals(kind, add(members).kind());
  }

  @Test
  void a_shape_may_be_named_bare_or_in_full() {
    var named = Wref.local("Shape", "Sensor");
    assertEquals(named, add("'kind':'shape','name':'Sensor','data':{}").target());
    assertEquals(named, add("'kind':'shape','name':'Shape/Sensor','data':{}").target());
    assertEquals(new Link.To(named), revise("'kind':'shape','name':'Sensor','data':{}").target());
    assertEquals(new Link.To(named), retract("'name':'Sensor'").target());
    assertEquals(new Link.To(named), rename("'name':'Sensor','newName':'S2'").target());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'kind':'shape','name':'Sensor/a'",
        "'kind':'thing','name':'Sensor'",
        "'kind':'thing','name':'Shape/Sensor'",
        "'kind':'thing','name':'Sensor/a@v1'",
        "'kind':'thing','name':'Sensor/a@HEAD'",
        "'name':'Sensor@v1'",
        "'name':'cairn:o/r/Sensor/a'",
        "'name':'cairn:o/r/Shape/S'",
        "'name':'Sensor/'",
        "'name':'Sensor//a'",
        "'name':''",
        "'name':null",
        "'name':1",
        "'name':'$x'"
      })
  void a_name_of_another_form_is_refused_at_the_name(String name) {
    assertEquals(List.of("/name"), violations("{'operation':'add','data':{}," + name + "}"));
    assertEquals(List.of("/name"), violations("{'operation':'revise','data':{}," + name + "}"));
    assertEquals(List.of("/name"), violations("{'operation':'retract'," + name + "}"));
  }

  @Test
  void an_operation_needs_a_name() {
    assertEquals(List.of("/name"), violations("{'operation':'add','data':{}}"));
    assertEquals(List.of("/name"), violations("{'operation':'add','kind':'thing','data':{}}"));
    assertEquals(List.of("/name"), violations("{'operation':'revise','data':{}}"));
    assertEquals(List.of("/name"), violations("{'operation':'retract'}"));
    assertEquals(List.of("/name"), violations("{'operation':'rename','newName':'b'}"));
  }

  @Test
  void only_an_add_cannot_name_a_result() {
    assertEquals(List.of("/name"), violations("{'operation':'add','name':'$0','data':{}}"));
    assertEquals(new Link.Result(0), revise("'name':'$0','data':{}").target());
    assertEquals(new Link.Result(1), retract("'name':'$1'").target());
    assertEquals(new Link.Result(2), rename("'name':'$2','newName':'b'").target());
  }

  @Test
  void the_data_of_an_add_is_an_object() {
    assertEquals(List.of("/data"), violations("{'operation':'add','name':'S/a'}"));
    for (var data : List.of("null", "1", "[]", "'a'")) {
      assertEquals(
          List.of("/data"), violations("{'operation':'add','name':'S/a','data':" + data + "}"));
      assertEquals(
          List.of("/data"), violations("{'operation':'revise','name':'S/a','data':" + data + "}"));
    }
  }

  @Test
  void an_add_is_active_and_expects_no_version() {
    assertEquals(Kind.THING, add("'name':'S/a','data':{},'active':true").kind());
    assertEquals(Kind.THING, add("'name':'S/a','data':{},'expectedVersion':0").kind());
    assertFalse(add("'name':'S/a','data':{},'skipExisting':false").skipExisting());
    assertEquals(
        List.of("/active"),
        violations("{'operation':'add','name':'S/a','data':{},'active':false}"));
    assertEquals(
        List.of("/expectedVersion"),
        violations("{'operation':'add','name':'S/a','data':{},'expectedVersion':1}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1.5", "'1'", "null", "true", "2147483648"})
  void an_expected_version_is_an_integer_from_0(String version) {
    for (var operation : List.of("'add','data':{}", "'revise','data':{}", "'retract'")) {
      assertEquals(
          List.of("/expectedVersion"),
          violations(
              "{'operation':%s,'name':'S/a','expectedVersion':%s}".formatted(operation, version)));
    }
  }

  @Test
  void expected_versions_are_kept() {
    assertEquals(3, revise("'name':'S/a','data':{},'expectedVersion':3").expectedVersion());
    assertEquals(
        Integer.MAX_VALUE, retract("'name':'S/a','expectedVersion':2147483647").expectedVersion());
    assertEquals(0, rename("'name':'S/a','newName':'b','expectedVersion':0").expectedVersion());
    assertNull(retract("'name':'S/a'").expectedVersion());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "add     | 'data':{}     | newName",
        "add     | 'data':{}     | wref",
        "add     | 'data':{}     | version",
        "revise  | 'data':{}     | skipExisting",
        "revise  | 'data':{}     | newName",
        "revise  | 'data':{}     | type",
        "revise  | 'data':{}     | members",
        "retract | 'opId':'o'    | data",
        "retract | 'opId':'o'    | active",
        "retract | 'opId':'o'    | about",
        "retract | 'opId':'o'    | skipExisting",
        "rename  | 'newName':'b' | data",
        "rename  | 'newName':'b' | active",
        "rename  | 'newName':'b' | a/b",
      })
  void a_member_that_does_not_belong_is_named(String word, String rest, String member) {
    var problem =
        refused(
            () ->
                parse("{'operation':'%s','name':'S/a',%s,'%s':{}}".formatted(word, rest, member)));
    assertEquals(List.of(IJson.pointer("", member)), pointers(problem));
    assertTrue(problem.detail().contains(member), problem.detail());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'kind':'entity'    | /kind",
        "'kind':'Thing'     | /kind",
        "'kind':1           | /kind",
        "'kind':null        | /kind",
        "'opId':1           | /opId",
        "'skipExisting':1   | /skipExisting",
        "'skipExisting':'true' | /skipExisting",
        "'active':'true'    | /active",
        "'active':null      | /active",
      })
  void a_member_of_another_type_is_refused(String member, String pointer) {
    assertEquals(
        List.of(pointer), violations("{'operation':'add','name':'S/a','data':{}," + member + "}"));
  }

  @Test
  void an_op_id_has_at_most_200_characters() {
    var longest = "o".repeat(200);
    assertEquals(longest, retract("'name':'S/a','opId':'" + longest + "'").opId());
    assertEquals(
        List.of("/opId"),
        violations("{'operation':'retract','name':'S/a','opId':'" + longest + "o'}"));
  }

  @Test
  void all_violations_come_at_once() {
    var pointers =
        violations(
            "{'operation':'add','kind':'thing','name':'S//a','data':1,'active':false,"
                + "'expectedVersion':2,'about':'S/b','type':'set','members':['S/a'],'opId':1,"
                + "'skipExisting':1,'x':1}");
    assertEquals(
        new TreeSet<>(
            List.of(
                "/x",
                "/name",
                "/data",
                "/active",
                "/expectedVersion",
                "/about",
                "/type",
                "/members",
                "/opId",
                "/skipExisting")),
        new TreeSet<>(pointers));
    assertEquals(10, pointers.size());
  }

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
        "'name':'Pair/x'                                                  | /data",
        "'name':'Pair/x','data':[]                                        | /data",
        "'name':'Set/x','data':{'members':['S/a']},'type':'list'          | /type",
      })
  void the_data_of_a_collection_holds_its_members_alone(String members, String pointer) {
    assertEquals(pointer, violations("{'operation':'add'," + members + "}").getFirst());
  }

  @Test
  void a_revise_changes_data_or_state_or_both() {
    var data = revise("'name':'S/a','data':{'x':1}");
    assertEquals(to("S/a"), data.target());
    assertEquals(json("{'x':1}"), data.data());
    assertNull(data.active());
    assertNull(data.kind());
    var back = revise("'name':'S/a','active':true,'kind':'thing'");
    assertNull(back.data());
    assertEquals(true, back.active());
    assertEquals(Kind.THING, back.kind());
    assertEquals(false, revise("'name':'S/a','data':{},'active':false").active());
    assertEquals(List.of(""), violations("{'operation':'revise','name':'S/a'}"));
  }

  @Test
  void a_revise_may_repeat_what_the_assertion_is_about() {
    assertEquals(new About.To(to("S/b")), revise("'name':'N/a','data':{},'about':'S/b'").about());
    assertEquals(
        List.of("/about"),
        violations("{'operation':'revise','name':'N/a','data':{},'about':'S/b@ALL'}"));
  }

  @Test
  void a_kind_must_fit_the_name() {
    assertEquals(
        List.of("/name"), violations("{'operation':'retract','kind':'shape','name':'S/a'}"));
    assertEquals(
        List.of("/name"), violations("{'operation':'retract','kind':'thing','name':'Shape/S'}"));
    assertEquals(Kind.COLLECTION, retract("'kind':'collection','name':'Pair/x'").kind());
  }

  @ParameterizedTest
  @CsvSource({
    "S/a,b,b",
    "S/a,S/b,b",
    "S/a,b/c,b/c",
    "S/a,T/b,T/b",
    "S/a,S/b/c,b/c",
    "S/a,S,S",
    "Sensor,S2,S2",
    "Shape/Sensor,Shape/S2,S2",
    "S/a,e\u0301,é"
  })
  void a_new_name_is_local_or_a_whole_wref_of_the_same_shape(
      String name, String newName, String local) {
    assertEquals(local, rename("'name':'%s','newName':'%s'".formatted(name, newName)).newName());
  }

  @ParameterizedTest
  @CsvSource({
    "S/a,S/",
    "S/a,b@v1",
    "S/a,S/b@v1",
    "S/a,''",
    "S/a,/b",
    "S/a,b//c",
    "Sensor,a/b",
    "Sensor,1",
    "Sensor,Shape/a/b",
    "Shape/Sensor,Thing/X",
    "S/a,b c"
  })
  void a_new_name_follows_the_rules_of_names(String name, String newName) {
    assertEquals(
        List.of("/newName"),
        violations("{'operation':'rename','name':'%s','newName':'%s'}".formatted(name, newName)));
  }

  @Test
  void a_rename_needs_a_new_name() {
    assertEquals(List.of("/newName"), violations("{'operation':'rename','name':'S/a'}"));
    assertEquals(
        List.of("/newName"), violations("{'operation':'rename','name':'S/a','newName':null}"));
  }

  @Test
  void the_new_name_of_a_result_waits_for_its_shape() {
    var rename = rename("'name':'$0','newName':'S/b'");
    assertEquals("S/b", rename.newName());
    assertEquals("b", Operation.localName(rename.newName(), "S"));
    assertEquals("S/b", Operation.localName(rename.newName(), "T"));
    assertEquals("S2", Operation.localName("Shape/S2", "Shape"));
    refused(() -> Operation.localName("S/b", "Shape"));
    refused(() -> Operation.localName("S/", "S"));
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void any_object_is_an_operation_or_refused_with_places(@ForAll("operations") String operation) {
    try {
      assertInstanceOf(Operation.class, parse(operation));
    } catch (Problem e) {
      assertEquals(ErrorCode.VALIDATION_ERROR, e.code());
      assertFalse(e.errors().isEmpty());
      assertEquals(e.errors().size(), new TreeSet<>(pointers(e)).size(), () -> e.errors() + "");
    }
  }

  @Provide
  Arbitrary<String> operations() {
    var member =
        Arbitraries.of(
            "'kind':'thing'",
            "'kind':'shape'",
            "'kind':'assertion'",
            "'kind':'collection'",
            "'kind':1",
            "'name':'S/a'",
            "'name':'S'",
            "'name':'Pair/x'",
            "'name':'$0'",
            "'name':'Shape/S'",
            "'name':null",
            "'data':{}",
            "'data':{'first':1}",
            "'data':1",
            "'about':'S/a'",
            "'about':{'set':[1]}",
            "'about':{'set':['S/a']}",
            "'about':1",
            "'type':'pair'",
            "'type':'x'",
            "'type':1",
            "'members':['S/a']",
            "'members':[1]",
            "'members':1",
            "'newName':'b'",
            "'newName':'S/'",
            "'newName':1",
            "'active':true",
            "'active':false",
            "'active':1",
            "'expectedVersion':0",
            "'expectedVersion':1",
            "'expectedVersion':'x'",
            "'skipExisting':true",
            "'skipExisting':0",
            "'opId':'o'",
            "'opId':1",
            "'x':1");
    var word = Arbitraries.of("add", "add", "revise", "retract", "rename");
    return word.flatMap(
        verb ->
            member
                .list()
                .ofMaxSize(6)
                .uniqueElements(text -> text.substring(0, text.indexOf(':')))
                .map(parts -> "{'operation':'" + verb + "'" + tail(parts) + "}"));
  }

  private static String tail(List<String> parts) {
    return parts.isEmpty() ? "" : "," + String.join(",", parts);
  }
}
