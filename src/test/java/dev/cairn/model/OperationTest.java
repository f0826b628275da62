package dev.cairn.model;

import static dev.cairn.model.OperationSamples.parse;
import static dev.cairn.model.OperationSamples.rename;
import static dev.cairn.model.OperationSamples.retract;
import static dev.cairn.model.OperationSamples.revise;
import static dev.cairn.model.OperationSamples.to;
import static dev.cairn.model.OperationSamples.violations;
import static dev.cairn.model.Samples.json;
import static dev.cairn.model.Samples.pointers;
import static dev.cairn.model.Samples.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.Operation.About;
import dev.cairn.model.Operation.Kind;
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

  @ParameterizedTest
  @CsvSource({
    "create, add",
    "insert, add",
    "new, add",
    "post, add",
    "put, add",
    "upsert, skipExisting",
    "update, revise",
    "modify, revise",
    "edit, revise",
    "change, revise",
    "replace, revise",
    "set, revise",
    "patch, patch",
    "merge, patch",
    "restore, active",
    "delete, retract",
    "remove, retract",
    "archive, retract",
    "move, rename"
  })
  void the_words_of_other_services_are_answered_with_ours(String theirs, String ours) {
    var refusal = refused(() -> parse("{'operation':'" + theirs + "','name':'S/a'}"));
    var advice = refusal.detail().substring(refusal.detail().indexOf(';') + 1);
    assertTrue(advice.startsWith(" for `" + theirs + "` use "), refusal.detail());
    assertTrue(advice.contains(ours), refusal.detail());
    assertTrue(refusal.hint().endsWith(" for `" + theirs + "`."), refusal.hint());
    assertTrue(refusal.hint().contains(ours), refusal.hint());
  }

  @Test
  void a_missing_word_is_answered_with_what_the_four_do() {
    for (var operation : List.of("{}", "{'operation':'fly'}", "{'operation':1}")) {
      var hint = refused(() -> parse(operation)).hint();
      for (var word : Operation.WORDS) {
        assertTrue(hint.contains("`" + word + "`"), hint);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'op':'add','name':'S/a','data':{}}                | /operation /op",
        "{'action':'add','datum':1}                         | /operation /action /datum",
        "{'operation':'create','datum':1}                   | /operation /datum",
        "{'operation':1,'datum':1}                          | /operation /datum",
        "{'operation':'fly','newName':'b','members':[],'patch':{},'opId':'x','a/b':1}"
            + " | /operation /a~1b",
      })
  void members_of_no_operation_are_named_even_if_its_word_is_not_known(
      String operation, String pointers) {
    assertEquals(List.of(pointers.split(" ", -1)), violations(operation));
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

  @Test
  void an_op_id_has_at_most_200_characters() {
    var longest = "o".repeat(200);
    assertEquals(longest, retract("'name':'S/a','opId':'" + longest + "'").opId());
    assertEquals(
        List.of("/opId"),
        violations("{'operation':'retract','name':'S/a','opId':'" + longest + "o'}"));
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
      boolean mismatch = pointers(e).stream().allMatch(pointer -> pointer.startsWith("/data/"));
      assertEquals(mismatch ? ErrorCode.SHAPE_MISMATCH : ErrorCode.VALIDATION_ERROR, e.code());
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
