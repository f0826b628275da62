package dev.cairn.model;

import static dev.cairn.model.OperationSamples.add;
import static dev.cairn.model.OperationSamples.rename;
import static dev.cairn.model.OperationSamples.retract;
import static dev.cairn.model.OperationSamples.revise;
import static dev.cairn.model.OperationSamples.violations;
import static dev.cairn.model.Samples.json;
import static dev.cairn.model.Samples.pointers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.Operation.Kind;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operation adds or names. */
class OperationAddTest {
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
}
