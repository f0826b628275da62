package dev.cairn.access;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the commits of a token with {@code allowedMatches} may refer to; {@code docs/access.md}. */
@HttpTest
@QuarkusTest
class NarrowedReferenceTest extends NarrowedWrites {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UNRESOLVED_REFERENCE | {'operation':'add','name':'Note/c','data':{'to':'Doc/NAME'}}",
        "UNRESOLVED_REFERENCE | {'operation':'add','name':'Note/c','data':{'to':'Doc/NAME@v1'}}",
        "UNRESOLVED_REFERENCE | {'operation':'revise','name':'Note/a','data':{'to':'Doc/NAME'}}",
        "UNRESOLVED_REFERENCE | {'operation':'add','name':'Pair/p','type':'pair','members':['Note/a','Doc/NAME']}",
        "UNRESOLVED_REFERENCE | {'operation':'add','name':'Note/c','about':{'pair':['Note/a','Doc/NAME']},'data':{}}",
        "NOT_FOUND            | {'operation':'add','name':'Note/c','about':'Doc/NAME','data':{}}",
        "NOT_FOUND            | {'operation':'revise','name':'Note/on-a','about':'Doc/NAME','data':{}}",
      })
  void what_the_token_may_neither_read_nor_write_does_not_exist_for_it(
      String code, String operation) {
    var token = writer("Note/**", "Pair/**");
    assertEquals(
        refused(0, code, token, operation.replace("NAME", "z")).replace("Doc/z", "W"),
        refused(0, code, token, operation.replace("NAME", "x")).replace("Doc/x", "W"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'operation':'add','name':'Doc/NAME','data':{}} | {'operation':'add','name':'Note/c','data':{'to':'Doc/NAME'}}",
        "{'operation':'add','name':'Doc/NAME','data':3} | {'operation':'add','name':'Note/c','data':{'to':'Doc/NAME@v1'}}",
        "{'operation':'make','name':'Doc/NAME','data':{}} | {'operation':'add','name':'Note/c','about':'Doc/NAME','data':{}}",
        "{'operation':'add','name':'Shape/SHAPE','data':3} | {'operation':'add','name':'Note/c','data':{'to':'SHAPE/none'}}",
        "{'operation':'add','name':'Shape/SHAPE','data':{'fields':{}}} | {'operation':'add','name':'Note/c','about':'SHAPE/none','data':{}}",
      })
  void a_failed_add_does_not_tell_whether_its_name_exists(String failing, String referring) {
    var token = writer("Note/**");
    var operations = failing + "," + referring;
    for (var atomic : List.of("true", "false")) {
      var body = "{'dryRun':true,'atomic':%s,'operations':[%%s]}".formatted(atomic);
      var none = send(token, body, operations.replace("NAME", "z").replace("SHAPE", "Zoo"));
      var one = send(token, body, operations.replace("NAME", "x").replace("SHAPE", "Doc"));
      assertEquals(
          none.extract().asString().replace("Doc/z", "W").replace("Zoo", "S"),
          one.extract().asString().replace("Doc/x", "W").replace("Doc", "S"));
    }
  }

  @Test
  void the_size_of_a_definition_that_the_token_may_not_know_does_not_show() {
    var text = "y".repeat(64 * 1024 - 130);
    var shapes = new ArrayList<String>();
    var adds = new ArrayList<String>();
    for (int i = 0; i < 63; i++) {
      shapes.add(large("N" + i, text));
      adds.add(add("N" + i + "/x", "{}"));
    }
    committed(shapes.toArray(String[]::new));
    committed(large("Hidden", text), add("Hidden/x", "{}"));
    adds.add(add("Note/c", "{'to':'Hidden/x'}"));
    var token = writer("Note/**", "N*/x");
    refused(63, "UNRESOLVED_REFERENCE", token, adds.toArray(String[]::new));
    committed(large("N64", text));
    adds.addFirst(add("N64/x", "{}"));
    commit(token, adds.toArray(String[]::new)).statusCode(413);
  }

  private static String large(String name, String description) {
    return "{'operation':'add','name':'Shape/%s','data':{'description':'%s','fields':{}}}"
        .formatted(name, description);
  }

  @Test
  void a_canonical_wref_of_this_repository_shows_no_more_than_a_local_one() {
    var canonical = "cairn:" + name() + "/Doc/x";
    refused(0, "NOT_FOUND", writer("Note/**"), about("Note/c", "'" + canonical + "'"));
    refused(
        0, "UNRESOLVED_REFERENCE", writer("Note/**"), add("Note/c", "{'to':'" + canonical + "'}"));
    commit(writer("Note/**"), about("Note/c", "'cairn:" + name() + "/Note/a'")).statusCode(201);
  }

  @Test
  void what_a_revise_repeats_keeps_its_target_although_the_token_does_not_see_it() {
    committed(add("Note/c", "{'to':'Doc/x'}"));
    var token = writer("Note/**");
    commit(token, revise("Note/c", "{'n':1,'to':'Doc/x@v1'}")).statusCode(201);
    refused(0, "UNRESOLVED_REFERENCE", token, add("Note/d", "{'to':'Doc/x@v1'}"));
    refused(0, "UNRESOLVED_REFERENCE", token, revise("Note/a", "{'to':'Doc/x@v1'}"));
    commit(reading(org(), "Note/**"), "{'operation':'revise','name':'Note/c','patch':{'n':2}}")
        .statusCode(201);
  }

  @Test
  void a_former_name_counts_for_a_caller_that_may_read_it_and_what_refers_to_it() {
    committed(add("Note/c", "{'to':'Doc/x'}"));
    committed("{'operation':'rename','name':'Doc/x','newName':'x2'}");
    var revise = revise("Note/c", "{'n':1,'to':'Doc/x@v1'}");
    var scope = "{'resource':'%s','permissions':['%s'],'allowedMatches':['%s']}";
    var elsewhere =
        People.pat(
            Api.adminToken(),
            scope.formatted(name(), "repo:write", "Note/**")
                + ","
                + scope.formatted(name(), "repo:read", "Doc/**"));
    // It could guess: what refers to the entity only tells its name of today.
    var reader = reader("Note/**");
    for (var token : new String[] {writer("Note/**"), elsewhere, reader}) {
      refused(0, "UNRESOLVED_REFERENCE", token, revise);
    }
    commit(reader, revise("Note/c", "{'n':2,'to':'Doc/x2@v1'}")).statusCode(201);
    for (var known : new String[] {"Doc/x", "Doc/x2"}) {
      var knowing = reader("Note/**", known);
      refused(0, "UNRESOLVED_REFERENCE", knowing, revise("Note/c", "{'to':'Doc/never@v1'}"));
      committed("{'operation':'rename','name':'Doc/x2','newName':'x'}");
      committed("{'operation':'rename','name':'Doc/x','newName':'x2'}");
      dryRun(knowing, revise).statusCode(200);
    }
  }

  private String reader(String... patterns) {
    var matches = "'" + String.join("','", patterns) + "'";
    var scope = "{'resource':'%s','permissions':['%s'],'allowedMatches':[%s]}";
    return People.pat(
        Api.adminToken(),
        scope.formatted(name(), "repo:read", matches)
            + ","
            + scope.formatted(name(), "repo:write", matches));
  }

  @Test
  void a_token_that_may_not_read_may_not_patch() {
    committed(add("Note/c", "{'to':'Doc/x','secret':'hidden'}"));
    String token =
        admin()
            .body(
                "{\"name\":\"%s\",\"scopes\":[{\"resource\":\"%s\",\"permissions\":[\"repo:write\"]}]}"
                    .formatted(Api.unique("pat"), name()))
            .post("/api/pats")
            .then()
            .statusCode(201)
            .extract()
            .path("token");
    var patch = "{'operation':'revise','name':'Note/c','patch':{'n':'x'}}";
    assertFalse(refused(0, "FORBIDDEN", token, patch).contains("hidden"));
    assertFalse(
        refused(0, "UNRESOLVED_REFERENCE", token, add("Note/d", "{'to':'Note/cc'}"))
            .contains("near"));
  }

  @Test
  void a_patch_of_what_the_token_does_not_cover_tells_nothing_of_its_size() {
    committed(add("Doc/large", "{'text':'" + "x".repeat(1_000_000) + "'}"));
    var token = writer("Note/**");
    var patch = "{'operation':'revise','name':'Doc/NAME','patch':{}}";
    assertEquals(
        refused(0, "FORBIDDEN", token, patch.replace("NAME", "large")).replace("large", "W"),
        refused(0, "FORBIDDEN", token, patch.replace("NAME", "none")).replace("none", "W"));
  }

  @Test
  void what_the_token_reads_may_be_referred_to_and_not_written() {
    var token = reading(org(), "Note/**");
    commit(token, add("Note/c", "{'to':'Doc/x'}")).statusCode(201);
    commit(token, about("Note/d", "'Doc/x'")).statusCode(201);
    forbidden(token, revise("Doc/x", "{'n':1}"));
  }

  @Test
  void what_a_narrowed_reading_entry_shows_may_be_referred_to_and_nothing_else() {
    committed(add("Doc/y", "{}"));
    var body =
        "{'name':'%s','structured':true,'scopes':[{'resource':'%s','permissions':['repo:read'],'allowedMatches':['Doc/x']},{'resource':'%s','permissions':['repo:write'],'allowedMatches':['Note/**']}]}"
            .formatted(Api.unique("pat"), name(), name());
    String token =
        admin()
            .body(body.replace('\'', '"'))
            .post("/api/pats")
            .then()
            .statusCode(201)
            .extract()
            .path("token");
    commit(token, add("Note/c", "{'to':'Doc/x'}")).statusCode(201);
    commit(token, add("Note/d", "{'to':'Note/a'}")).statusCode(201);
    refused(0, "UNRESOLVED_REFERENCE", token, add("Note/e", "{'to':'Doc/y'}"));
    forbidden(token, revise("Doc/x", "{'n':1}"));
  }

  @Test
  void an_inline_collection_needs_a_match_of_its_own_wref() {
    var inline = about("Note/c", "{'pair':['Note/a','Note/b']}");
    var without = writer("Note/**");
    var onNothing = forbidden(without, inline);
    forbidden(writer("Pair/**"), inline);
    commit(writer("Note/**", "Pair/**"), inline).statusCode(201);
    var again = about("Note/d", "{'pair':['Note/a','Note/b']}");
    assertEquals(onNothing, forbidden(without, again).replace("Note/d", "Note/c"));
  }

  @Test
  void a_collection_without_a_name_needs_a_match_of_the_one_that_it_gets() {
    forbidden(writer("Note/**"), pair("Note/a", "Note/b"));
    commit(writer("Note/**", "Pair/**"), pair("Note/a", "Note/b")).statusCode(201);
    forbidden(writer("Note/**"), pair("Note/a", "Note/b"));
  }

  @Test
  void a_collection_under_a_name_that_does_not_match_is_not_told_by_its_members() {
    committed(named("Pair/hidden", "Note/a", "Note/b"));
    var token = writer("Note/**", "Pair/mine/**");
    for (var operation :
        new String[] {
          named("Pair/mine/p", "Note/a", "Note/b"), about("Note/c", "{'pair':['Note/a','Note/b']}")
        }) {
      assertFalse(forbidden(token, operation).contains("hidden"));
    }
    commit(token, named("Pair/mine/p", "Note/b", "Note/a")).statusCode(201);
  }

  @Test
  void a_hidden_collection_that_planning_meets_cannot_be_referred_to_either() {
    committed(named("Pair/hidden", "Note/a", "Note/b"));
    partial(
            writer("Note/**", "Pair/mine/**"),
            named("Pair/mine/p", "Note/a", "Note/b"),
            add("Note/c", "{'to':'Pair/hidden'}"))
        .statusCode(200)
        .body("operations.error.code", contains("FORBIDDEN", "UNRESOLVED_REFERENCE"));
  }

  @Test
  void a_collection_that_is_only_read_is_not_written_as_the_result_of_finding_it() {
    committed(named("Pair/p", "Note/a", "Note/b"));
    var token = reading(org(), "Note/**", "Pair/mine/**");
    commit(token, about("Note/c", "'Pair/p'")).statusCode(201);
    var same = named("Pair/mine/p", "Note/a", "Note/b");
    for (var write : new String[] {retract("$0"), rename("$0", "mine/q")}) {
      commit(token, same, write).statusCode(403).body("code", is("FORBIDDEN"));
    }
    admin().get(repository + "/things/Pair%2Fp").then().body("active", is(true));
  }

  @Test
  void a_shape_that_another_operation_names_is_not_shown_by_it() {
    for (var shape : new String[] {"Doc", "Nothing"}) {
      partial(
              writer("Note/**"),
              add(shape + "/c", "{}"),
              about("Note/c", "'Shape/" + shape + "'"),
              add("Note/d", "{'to':'Shape/" + shape + "'}"))
          .statusCode(200)
          .body(
              "operations.error.code", contains("FORBIDDEN", "NOT_FOUND", "UNRESOLVED_REFERENCE"));
    }
  }

  @Test
  void results_of_earlier_operations_can_be_named() {
    commit(
            writer("Note/**"),
            add("Note/c", "{}"),
            add("Note/d", "{'to':'$0'}"),
            about("Note/e", "'$1'"),
            revise("$0", "{'n':1}"),
            rename("$2", "f"))
        .statusCode(201)
        .body("operations.wref", contains("Note/c", "Note/d", "Note/e", "Note/c", "Note/f"));
  }

  @Test
  void a_result_does_not_reach_further_than_its_own_name() {
    committed(add("Note/in/a", "{}"));
    var token = writer("Note/in/**");
    refused(1, "FORBIDDEN", token, skipping("Note/in/a"), rename("$0", "out/a"));
    refused(1, "FORBIDDEN", token, skipping("Note/in/a"), add("Doc/c", "{'to':'$0'}"));
  }
}
