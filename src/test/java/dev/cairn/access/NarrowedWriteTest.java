package dev.cairn.access;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a token with {@code allowedMatches} may commit; {@code docs/access.md}. */
@HttpTest
@QuarkusTest
class NarrowedWriteTest extends NarrowedWrites {
  @Test
  void what_matches_is_added_revised_renamed_and_retracted() {
    var token = writer("Note/**");
    commit(token, add("Note/c/d", "{'n':1}")).statusCode(201);
    commit(token, revise("Note/c/d", "{'n':2}")).statusCode(201);
    commit(token, rename("Note/c/d", "e")).statusCode(201);
    commit(token, retract("Note/e")).statusCode(201);
    admin()
        .get(repository + "/things/Note%2Fe")
        .then()
        .statusCode(200)
        .body("version", is(3))
        .body("active", is(false));
  }

  @Test
  void what_does_not_match_is_forbidden_whatever_the_operation() {
    var token = writer("Note/**");
    forbidden(token, add("Doc/new", "{}"));
    forbidden(token, about("Doc/new", "'Note/a'"));
    forbidden(token, revise("Doc/x", "{'n':1}"));
    forbidden(token, retract("Doc/x"));
    forbidden(token, rename("Doc/x", "y"));
    forbidden(token, "{'operation':'revise','name':'Doc/x','active':false}");
    forbidden(token, named("Pair/p", "Note/a", "Note/b"));
  }

  @Test
  void one_forbidden_operation_refuses_the_whole_commit_at_its_place() {
    refused(1, "FORBIDDEN", writer("Note/**"), add("Note/c", "{}"), add("Doc/c", "{}"));
    refused(0, "FORBIDDEN", writer("Note/**"), add("Doc/c", "{}"), add("Note/c", "{}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'operation':'add','name':'Doc/NAME','data':{}}",
        "{'operation':'add','name':'Doc/NAME','data':{},'skipExisting':true}",
        "{'operation':'revise','name':'Doc/NAME','data':{}}",
        "{'operation':'revise','name':'Doc/NAME','data':{'n':1},'expectedVersion':7}",
        "{'operation':'retract','name':'Doc/NAME'}",
        "{'operation':'retract','kind':'assertion','name':'Doc/NAME'}",
        "{'operation':'rename','name':'Doc/NAME','newName':'Doc/on-a'}",
        "{'operation':'rename','name':'Note/a','newName':'Note/NAME'}",
      })
  void a_forbidden_operation_does_not_tell_what_exists(String operation) {
    committed(add("Note/x", "{}"));
    var token = writer("Note/{a,b}");
    var onExisting = forbidden(token, operation.replace("NAME", "x"));
    var onNothing = forbidden(token, operation.replace("NAME", "z"));
    assertEquals(
        onNothing.replaceAll("\\b(Doc|Note)/z\\b", "W"),
        onExisting.replaceAll("\\b(Doc|Note)/x\\b", "W"));
  }

  @Test
  void a_rename_needs_both_names_to_match() {
    committed(add("Note/in/a", "{}"), add("Note/out/a", "{}"));
    var token = writer("Note/in/**");
    forbidden(token, rename("Note/in/a", "out/b"));
    forbidden(token, rename("Note/out/a", "in/b"));
    commit(token, rename("Note/in/a", "in/b")).statusCode(201);
  }

  @Test
  void a_token_that_is_narrowed_for_reading_renames_only_what_it_reads() {
    var token =
        People.pat(
            Api.adminToken(),
            "{'resource':'%1$s','permissions':['repo:read'],'allowedMatches':['Note/**']},{'resource':'%1$s','permissions':['repo:write']}"
                .formatted(name()));
    forbidden(token, rename("Doc/x", "y"));
    commit(token, revise("Doc/x", "{'n':1}")).statusCode(201);
    commit(token, rename("Note/a", "c")).statusCode(201);
    forbidden(token, "{'operation':'rename','kind':'shape','name':'Doc','newName':'Memo'}");
    forbidden(token, "{'operation':'rename','kind':'shape','name':'Note','newName':'Memo'}");
  }

  @Test
  void a_rename_onto_a_taken_name_that_does_not_match_is_forbidden() {
    committed(add("Note/in/a", "{}"), add("Note/out/a", "{}"));
    forbidden(writer("Note/in/**"), rename("Note/in/a", "out/a"));
    refused(0, "ALREADY_EXISTS", writer("Note/**"), rename("Note/in/a", "out/a"));
  }

  @Test
  void a_commit_that_is_not_atomic_applies_what_matches() {
    partial(
            writer("Note/**"),
            add("Note/c", "{}"),
            revise("Doc/x", "{'n':1}"),
            add("Doc/c", "{}"),
            add("Note/d", "{'to':'$0'}"),
            add("Note/e", "{'to':'$2'}"))
        .statusCode(201)
        .body("partial", is(true))
        .body("operations.status", contains("applied", "error", "error", "applied", "error"))
        .body("operations[1].error.code", is("FORBIDDEN"))
        .body("operations[2].error.code", is("FORBIDDEN"))
        .body("operations[4].error.code", is("DEPENDENCY_FAILED"));
    admin().get(repository + "/things/Note%2Fd").then().statusCode(200);
    admin().get(repository + "/things/Doc%2Fx").then().body("version", is(1));
    admin().get(repository + "/things/Doc%2Fc").then().statusCode(404);
  }

  @Test
  void a_shape_is_written_by_a_pattern_for_its_own_wref() {
    var things = writer("Note/**", "Memo/**");
    forbidden(things, shape("Memo"));
    forbidden(things, "{'operation':'revise','kind':'shape','name':'Note','data':{'fields':{}}}");
    forbidden(things, "{'operation':'retract','kind':'shape','name':'Note'}");
    forbidden(things, "{'operation':'rename','kind':'shape','name':'Note','newName':'Memo'}");
    var shapes = writer("Shape/{Note,Memo}");
    commit(shapes, shape("Memo")).statusCode(201);
    commit(shapes, "{'operation':'revise','name':'Shape/Note','data':{'fields':{}}}")
        .statusCode(201);
    forbidden(shapes, add("Note/c", "{}"));
    forbidden(shapes, shape("Other"));
    forbidden(shapes, "{'operation':'rename','kind':'shape','name':'Memo','newName':'Other'}");
  }

  /** A rename would change the name there, and so tell that the shape exists, and its new name. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'fields':{'a?':{'type':'wref','shape':'NAME'}}",
        "'fields':{'a?':[{'type':'wref','shape':'NAME'}]}",
        "'about':['Note','NAME'],'fields':{}"
      })
  void a_definition_names_only_shapes_that_the_token_may_know(String members) {
    var token = writer("Note/**", "Shape/Memo*");
    for (var name : List.of("Doc", "Missing")) {
      var data = "{" + members.replace("NAME", name) + "}";
      forbidden(token, "{'operation':'add','kind':'shape','name':'Memo','data':" + data + "}");
    }
    for (var name : List.of("Note", "Memo", "Content")) {
      var data = "{" + members.replace("NAME", name) + "}";
      commit(
              token,
              "{'operation':'add','kind':'shape','name':'Memo%s','data':%s}".formatted(name, data))
          .statusCode(201);
    }
    commit(
            Api.adminToken(),
            "{'operation':'revise','name':'Shape/MemoNote','data':{'about':['Doc'],'fields':{}}}")
        .statusCode(201);
    forbidden(
        token,
        "{'operation':'revise','name':'Shape/MemoNote','data':{'about':['Doc'],'fields':{'n?':'number'}}}");
  }

  @Test
  void an_empty_list_of_patterns_writes_nothing() {
    var token = writer();
    forbidden(token, add("Note/c", "{}"));
    forbidden(token, revise("Note/a", "{'n':1}"));
    forbidden(token, skipping("Note/a"));
    forbidden(token, shape("Memo"));
    forbidden(token, named("Pair/p", "Note/a", "Note/b"));
    var before = state();
    partial(token, add("Note/c", "{}"), retract("Note/a"))
        .statusCode(200)
        .body("partial", is(true))
        .body("commitId", nullValue())
        .body("operations.error.code", contains("FORBIDDEN", "FORBIDDEN"));
    assertEquals(before, state());
  }

  @Test
  void a_pattern_for_everything_writes_everything() {
    commit(
            writer("**"),
            shape("Memo"),
            add("Memo/a", "{'to':'Doc/x'}"),
            about("Note/c", "{'pair':['Note/a','Doc/x']}"),
            rename("Doc/x", "z"))
        .statusCode(201);
  }

  @Test
  void an_existing_name_that_matches_is_skipped_or_told() {
    var token = writer("Note/**");
    commit(token, skipping("Note/a")).statusCode(200).body("operations[0].status", is("noop"));
    refused(0, "ALREADY_EXISTS", token, add("Note/a", "{}"));
  }

  @Test
  void a_dry_run_answers_the_same() {
    var token = writer("Note/**");
    var operations = new String[] {add("Note/c", "{}"), add("Doc/c", "{}")};
    assertEquals(
        refused(1, "FORBIDDEN", token, operations),
        dryRun(token, operations).statusCode(403).extract().asString());
    dryRun(token, add("Note/c", "{}")).statusCode(200).body("commitId", nullValue());
    dryRun(token, add("Note/c", "{'to':'Doc/x'}"))
        .statusCode(400)
        .body("code", is("UNRESOLVED_REFERENCE"));
    admin().get(repository + "/things/Note%2Fc").then().statusCode(404);
  }

  @Test
  void the_patterns_of_reading_do_not_write() {
    var reader = People.narrowedPat(repository, "repo:read", "**");
    commit(reader, add("Note/c", "{}")).statusCode(403).body("errors", nullValue());
    commit(writer("Note/**"), add("Note/c", "{}")).statusCode(201).body("partial", not(true));
  }

  @Test
  void a_narrowed_token_renames_no_shape_whatever_matches() {
    var note = "{'operation':'rename','kind':'shape','name':'Note','newName':'Memo'}";
    forbidden(writer("Shape/{Note,Memo}", "Memo/**"), note);
    forbidden(writer("**"), note);
    refused(
        1,
        "FORBIDDEN",
        writer("**"),
        shape("Temp"),
        "{'operation':'rename','name':'$0','newName':'Memo'}");
  }

  /** What changes again and again in one commit counts by its length, which reading tells. */
  @Test
  void how_long_hidden_data_is_does_not_show_by_what_is_repeated() {
    committed(add("Note/long", "{'text':'" + "x".repeat(200_000) + "'}"));
    var token = writer("Note/**");
    for (var name : List.of("Note/a", "Note/long")) {
      dryRun(token, flips(name, 4)).statusCode(200);
      dryRun(token, flips(name, 5)).statusCode(413);
    }
    dryRun(Api.adminToken(), flips("Note/a", 100)).statusCode(200);
  }

  private static String flips(String name, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "{'operation':'revise','name':'%s','active':%s}".formatted(name, i % 2 == 1))
        .collect(Collectors.joining(","));
  }
}
