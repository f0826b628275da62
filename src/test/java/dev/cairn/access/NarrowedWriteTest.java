package dev.cairn.access;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a token with {@code allowedMatches} may commit; {@code docs/access.md}. */
@HttpTest
@QuarkusTest
class NarrowedWriteTest {
  private static final String FIELDS = "{'fields':{'n?':'number','to?':'wref'}}";

  /** Shapes Note and Doc; things Note/a, Note/b, Doc/x; assertions Note/on-a, Doc/on-a. */
  private String repository;

  @BeforeEach
  void content() {
    repository = Api.newRepository("private");
    committed(
        shape("Note"),
        shape("Doc"),
        add("Note/a", "{}"),
        add("Note/b", "{}"),
        add("Doc/x", "{}"),
        about("Note/on-a", "'Note/a'"),
        about("Doc/on-a", "'Note/a'"));
  }

  private static String shape(String name) {
    return "{'operation':'add','kind':'shape','name':'%s','data':%s}".formatted(name, FIELDS);
  }

  private static String add(String name, String data) {
    return "{'operation':'add','name':'%s','data':%s}".formatted(name, data);
  }

  private static String skipping(String name) {
    return "{'operation':'add','name':'%s','data':{},'skipExisting':true}".formatted(name);
  }

  private static String about(String name, String about) {
    return "{'operation':'add','name':'%s','about':%s,'data':{}}".formatted(name, about);
  }

  private static String revise(String name, String data) {
    return "{'operation':'revise','name':'%s','data':%s}".formatted(name, data);
  }

  private static String retract(String name) {
    return "{'operation':'retract','name':'%s'}".formatted(name);
  }

  private static String rename(String name, String newName) {
    return "{'operation':'rename','name':'%s','newName':'%s'}".formatted(name, newName);
  }

  private static String pair(String... members) {
    return "{'operation':'add','type':'pair','members':['%s']}"
        .formatted(String.join("','", members));
  }

  private static String named(String name, String... members) {
    return "{'operation':'add','name':'%s','type':'pair','members':['%s']}"
        .formatted(name, String.join("','", members));
  }

  private void committed(String... operations) {
    Api.commit(repository, String.join(",", operations)).statusCode(201);
  }

  private String name() {
    return repository.substring("/api/repos/".length());
  }

  private String org() {
    return name().substring(0, name().indexOf('/'));
  }

  /** A token of the administrator that writes what matches, and reads nothing. */
  private String writer(String... patterns) {
    return People.narrowedPat(repository, "repo:write", patterns);
  }

  /** A token that writes {@code Note/**} and reads what the entry says. */
  private String reading(String resource, String allowedMatches) {
    return People.pat(
        Api.adminToken(),
        "{'resource':'%s','permissions':['repo:read']%s},{'resource':'%s','permissions':['repo:write'],'allowedMatches':['Note/**']}"
            .formatted(resource, allowedMatches, name()));
  }

  private ValidatableResponse commit(String token, String... operations) {
    return send(token, "{'operations':[%s]}", operations);
  }

  private ValidatableResponse partial(String token, String... operations) {
    return send(token, "{'atomic':false,'operations':[%s]}", operations);
  }

  private ValidatableResponse dryRun(String token, String... operations) {
    return send(token, "{'dryRun':true,'operations':[%s]}", operations);
  }

  private ValidatableResponse send(String token, String body, String... operations) {
    return as(token)
        .body(body.formatted(String.join(",", operations)).replace('\'', '"'))
        .post(repository + "/commits")
        .then();
  }

  /** Everything that a write could change. */
  private String state() {
    return admin().get(repository + "/commits").asString()
        + admin().get(repository + "/head?includeInactive=true&limit=500").asString();
  }

  /** Commits what must be refused at the operation with this index, leaving no trace. */
  private String refused(int index, String code, String token, String... operations) {
    var before = state();
    var answer = commit(token, operations);
    answer
        .body("code", is(code))
        .body("errors", org.hamcrest.Matchers.hasSize(1))
        .body("errors[0].pointer", startsWith("/operations/" + index));
    assertEquals(before, state(), "nothing may change");
    return answer.extract().asString();
  }

  private String forbidden(String token, String operation) {
    var answer = refused(0, "FORBIDDEN", token, operation);
    commit(token, operation).statusCode(403);
    return answer;
  }

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

  @Test
  void a_canonical_wref_of_this_repository_shows_no_more_than_a_local_one() {
    var canonical = "cairn:" + name() + "/Doc/x";
    refused(0, "NOT_FOUND", writer("Note/**"), about("Note/c", "'" + canonical + "'"));
    refused(
        0, "UNRESOLVED_REFERENCE", writer("Note/**"), add("Note/c", "{'to':'" + canonical + "'}"));
    commit(writer("Note/**"), about("Note/c", "'cairn:" + name() + "/Note/a'")).statusCode(201);
  }

  @Test
  void what_the_token_reads_may_be_referred_to_and_not_written() {
    var token = reading(org(), "");
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
    var token = reading(org(), "");
    commit(token, about("Note/c", "'Pair/p'")).statusCode(201);
    for (var write : new String[] {retract("$0"), rename("$0", "q")}) {
      commit(token, pair("Note/a", "Note/b"), write).statusCode(403).body("code", is("FORBIDDEN"));
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
}
