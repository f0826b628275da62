package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.collection;
import static dev.cairn.commit.Commits.history;
import static dev.cairn.commit.Commits.missing;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.model.ErrorCode.ALREADY_EXISTS;
import static dev.cairn.model.ErrorCode.SHAPE_MISMATCH;
import static dev.cairn.model.ErrorCode.UNRESOLVED_REFERENCE;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@HttpTest
@QuarkusTest
class RenameTest {
  private static final String S = shape("S");

  @Test
  void a_rename_changes_the_name_in_place_and_makes_no_version() {
    var repository = repositoryWith(S, add("S/a", "{'n':1}"));

    applied(repository, rename("S/a", "b"))
        .body("operations[0].status", equalTo("applied"))
        .body("operations[0].operation", equalTo("rename"))
        .body("operations[0].wref", equalTo("S/b"))
        .body("operations[0].name", equalTo("b"))
        .body("operations[0].version", equalTo(1));

    missing(repository, "S/a");
    thing(repository, "S/b").body("version", equalTo(1)).body("data.n", equalTo(1));
    history(repository, "S/b").body("items.operation", contains("add"));
    applied(repository, add("S/a", "{}"));
    assertVerified(repository);
  }

  @Test
  void a_new_name_is_local_or_a_whole_wref_of_the_same_shape() {
    var repository = repositoryWith(S, shape("T"), add("S/a", "{}"));

    applied(repository, rename("S/a", "S/b"));
    thing(repository, "S/b");
    applied(repository, rename("S/b", "T/b")).body("operations[0].wref", equalTo("S/T/b"));
    applied(repository, rename("T", "Shape/U"));
    thing(repository, "Shape/U");
    refused(repository, rename("S/T/b", "x//y"), VALIDATION_ERROR, "/operations/0/newName");
    refused(repository, rename("U", "x/y"), VALIDATION_ERROR, "/operations/0/newName");
  }

  @Test
  void a_rename_to_a_taken_name_is_refused_and_to_the_same_name_a_noop() {
    var repository = repositoryWith(S, shape("T"), add("S/a", "{}"), add("S/b", "{}"));
    applied(repository, retract("S/b"));

    refused(repository, rename("S/a", "b"), ALREADY_EXISTS, "/operations/0");
    refused(repository, rename("S", "T"), ALREADY_EXISTS, "/operations/0");
    refused(repository, ops(add("S/c", "{}"), rename("S/a", "c")), ALREADY_EXISTS, "/operations/1");
    commit(repository, rename("S/a", "a"))
        .statusCode(200)
        .body("operations[0].status", equalTo("noop"));
  }

  @Test
  void the_new_name_shows_in_head_history_and_about() {
    var repository =
        repositoryWith(
            shape("S", "{'to?':'wref','all?':['wref'],'in?':{'deep?':'wref'},'n?':'number'}"),
            add("S/a", "{}"),
            add("S/b", "{'to':'S/a','all':['S/a','S/a'],'in':{'deep':'S/a'}}"),
            assertion("S/note", "'S/a'", "{}"),
            collection("set", "S/a"));
    applied(repository, revise("S/a", "{'n':2}"));
    applied(repository, revise("S/b", "{'to':'S/a','n':1}"));

    applied(repository, rename("S/a", "new/name"));

    thing(repository, "S/b").body("data.to", equalTo("S/new/name@v2"));
    thing(repository, "S/b?version=1")
        .body("data.to", equalTo("S/new/name@v1"))
        .body("data.all", contains("S/new/name@v1", "S/new/name@v1"))
        .body("data.in.deep", equalTo("S/new/name@v1"));
    history(repository, "S/b").body("items.data.to", contains("S/new/name@v2", "S/new/name@v1"));
    thing(repository, "S/note").body("aboutWref", equalTo("S/new/name@v1"));
    admin()
        .get(repository + "/about/S/new/name")
        .then()
        .body("assertions.wref", contains("S/note"));
    admin()
        .get(repository + "/head?kind=collection")
        .then()
        .body("items[0].data.members", contains("S/new/name@v1"));
    admin()
        .get(repository + "/head?kind=assertion")
        .then()
        .body("items.aboutWref", contains("S/new/name@v1"));
    assertVerified(repository);
  }

  @Test
  void names_that_only_begin_alike_and_plain_strings_stay() {
    var repository =
        repositoryWith(
            shape("S", "{'to?':'wref','text?':'string'}"),
            add("S/a", "{}"),
            add("S/ab", "{}"),
            add("S/a/b", "{}"),
            add("S/x", "{'to':'S/ab','text':'S/a@v1'}"),
            add("S/y", "{'to':'S/a/b','text':'S/a'}"));

    applied(repository, rename("S/a", "z"));

    thing(repository, "S/x")
        .body("data.to", equalTo("S/ab@v1"))
        .body("data.text", equalTo("S/a@v1"));
    thing(repository, "S/y").body("data.to", equalTo("S/a/b@v1")).body("data.text", equalTo("S/a"));
  }

  @Test
  void names_with_characters_that_json_or_sql_escape_are_renamed_too() {
    var repository = repositoryWith(S);
    var body =
        """
        {"operations":[
          {"operation":"add","name":"S/a\\"b'_$","data":{}},
          {"operation":"add","name":"S/x","data":{"to":"S/a\\"b'_$"}},
          {"operation":"add","name":"S/n","about":"S/a\\"b'_$","data":{}}]}
        """;
    admin().body(body).post(repository + "/commits").then().statusCode(201);

    admin()
        .body(
            """
            {"operations":[{"operation":"rename","name":"S/a\\"b'_$","newName":"\\"\\u00e9&"}]}
            """)
        .post(repository + "/commits")
        .then()
        .statusCode(201);

    thing(repository, "S/x").body("data.to", equalTo("S/\"\u00e9&@v1"));
    thing(repository, "S/n").body("aboutWref", equalTo("S/\"\u00e9&@v1"));
  }

  @Test
  void a_shape_is_renamed_with_its_things_references_and_constraints() {
    var repository =
        repositoryWith(
            S,
            add("S/a", "{}"),
            add("S/b", "{'to':'S/a'}"),
            assertion("S/note", "'S/a'", "{}"),
            assertion("S/onshape", "'Shape/S'", "{'to':'Shape/S'}"),
            shape("T", "{'s?':{'type':'wref','shape':'S'},'l?':[{'type':'wref','shape':'S'}]}"),
            add("T/x", "{'s':'S/a'}"));

    applied(repository, rename("S", "Sensor"))
        .body("operations[0].wref", equalTo("Shape/Sensor"))
        .body("operations[0].version", equalTo(1));

    missing(repository, "S/a");
    missing(repository, "Shape/S");
    thing(repository, "Sensor/b")
        .body("shapeName", equalTo("Sensor"))
        .body("data.to", equalTo("Sensor/a@v1"));
    thing(repository, "Sensor/note").body("aboutWref", equalTo("Sensor/a@v1"));
    thing(repository, "Sensor/onshape")
        .body("aboutWref", equalTo("Shape/Sensor@v1"))
        .body("data.to", equalTo("Shape/Sensor@v1"));
    thing(repository, "T/x").body("data.s", equalTo("Sensor/a@v1"));
    thing(repository, "Shape/T")
        .body("data.fields.'s?'.shape", equalTo("Sensor"))
        .body("data.fields.'l?'[0].shape", equalTo("Sensor"));
    history(repository, "Sensor/b").body("items.data.to", contains("Sensor/a@v1"));
    applied(repository, add("T/y", "{'s':'Sensor/a'}"), add("Sensor/c", "{}"));
    refused(repository, add("T/z", "{'s':'T/x'}"), SHAPE_MISMATCH, "/operations/0/data/s");
    refused(repository, add("T/z", "{'s':'S/a'}"), UNRESOLVED_REFERENCE, "/operations/0/data/s");
    assertVerified(repository);
  }

  @Test
  void what_is_renamed_is_used_by_its_new_name_in_the_same_commit() {
    var repository = repositoryWith(S, add("S/a", "{}"));

    applied(
            repository,
            rename("S/a", "b"),
            revise("S/b", "{'n':2}"),
            add("S/c", "{'to':'S/b'}"),
            assertion("S/note", "'S/b'", "{}"),
            add("S/a", "{'to':'S/b@v1'}"))
        .body("operations[1].wref", equalTo("S/b"));

    thing(repository, "S/c").body("data.to", equalTo("S/b@v2"));
    thing(repository, "S/a").body("data.to", equalTo("S/b@v1"));
    thing(repository, "S/note").body("aboutWref", equalTo("S/b@v2"));
    refused(
        repository,
        ops(rename("S/b", "d"), add("S/e", "{'to':'S/b'}")),
        UNRESOLVED_REFERENCE,
        "/operations/1/data/to");
    assertVerified(repository);
  }

  @Test
  void what_was_written_before_a_rename_in_the_same_commit_shows_the_new_name() {
    var repository = repositoryWith(S, add("S/old", "{}"));

    applied(
        repository,
        add("S/a", "{}"),
        add("S/b", "{'to':'S/a'}"),
        add("S/c", "{'to':'S/old'}"),
        assertion("S/note", "'S/a'", "{'to':'S/old'}"),
        rename("S/a", "z"),
        rename("S/old", "new"));

    thing(repository, "S/b").body("data.to", equalTo("S/z@v1"));
    thing(repository, "S/c").body("data.to", equalTo("S/new@v1"));
    thing(repository, "S/note")
        .body("aboutWref", equalTo("S/z@v1"))
        .body("data.to", equalTo("S/new@v1"));
    history(repository, "S/b").body("items.data.to", contains("S/z@v1"));
    assertVerified(repository);
  }

  @Test
  void a_shape_is_used_by_its_new_name_in_the_same_commit() {
    var repository =
        repositoryWith(
            S,
            add("S/a", "{}"),
            shape("T", "{'s':{'type':'wref','shape':'S'}}"),
            add("T/x", "{'s':'S/a'}"));

    applied(
        repository,
        rename("S", "Sensor"),
        add("Sensor/b", "{'to':'Sensor/a'}"),
        revise("Sensor/a", "{'n':2}"),
        add("T/y", "{'s':'Sensor/b'}"),
        rename("Sensor/b", "c"));

    thing(repository, "Sensor/c").body("data.to", equalTo("Sensor/a@v1"));
    thing(repository, "T/y").body("data.s", equalTo("Sensor/c@v1"));
    thing(repository, "T/x").body("data.s", equalTo("Sensor/a@v1"));
    assertVerified(repository);
  }

  @Test
  void a_constraint_of_a_shape_that_the_commit_adds_follows_a_later_rename() {
    var repository = repositoryWith(S, add("S/a", "{}"));

    applied(
        repository,
        shape("T", "{'s':{'type':'wref','shape':'S'}}"),
        rename("S", "Sensor"),
        add("T/x", "{'s':'Sensor/a'}"));

    thing(repository, "Shape/T").body("data.fields.s.shape", equalTo("Sensor"));
    history(repository, "Shape/T").body("items[0].data.fields.s.shape", equalTo("Sensor"));
    applied(repository, add("T/y", "{'s':'Sensor/a'}"));
  }

  @Test
  void a_constraint_to_a_shape_that_takes_over_a_name_means_the_new_shape() {
    var repository = repositoryWith(S, add("S/a", "{}"));

    applied(
        repository,
        rename("S", "Old"),
        shape("S"),
        add("S/b", "{}"),
        shape("T", "{'s':{'type':'wref','shape':'S'}}"),
        add("T/x", "{'s':'S/b'}"));

    thing(repository, "Shape/T").body("data.fields.s.shape", equalTo("S"));
    refused(repository, add("T/y", "{'s':'Old/a'}"), SHAPE_MISMATCH, "/operations/0/data/s");
    applied(repository, add("T/z", "{'s':'S/b'}"));
  }

  @Test
  void a_name_is_passed_on_between_entities_in_one_commit() {
    var repository =
        repositoryWith(
            S,
            add("S/a", "{'n':1}"),
            add("S/b", "{'n':2}"),
            add("S/toa", "{'to':'S/a'}"),
            add("S/tob", "{'to':'S/b'}"),
            collection("list", "S/a", "S/b"),
            assertion("S/onA", "'S/a'", "{}"),
            assertion("S/onB", "'S/b'", "{}"));

    applied(repository, rename("S/b", "c"), rename("S/a", "b"), add("S/a", "{'n':3}"));

    thing(repository, "S/c").body("data.n", equalTo(2));
    thing(repository, "S/b").body("data.n", equalTo(1));
    thing(repository, "S/a").body("data.n", equalTo(3));
    thing(repository, "S/toa").body("data.to", equalTo("S/b@v1"));
    thing(repository, "S/tob").body("data.to", equalTo("S/c@v1"));
    thing(repository, "S/onA").body("aboutWref", equalTo("S/b@v1"));
    thing(repository, "S/onB").body("aboutWref", equalTo("S/c@v1"));
    admin()
        .get(repository + "/head?shape=List")
        .then()
        .body("items[0].data.items", contains("S/b@v1", "S/c@v1"));
    assertVerified(repository);
  }

  @Test
  void the_name_of_a_shape_is_passed_on_in_one_commit() {
    var repository =
        repositoryWith(
            S,
            shape("T"),
            add("S/x", "{'n':1}"),
            add("T/x", "{'n':2}"),
            add("T/y", "{'to':'S/x'}"),
            add("S/y", "{'to':'T/x'}"),
            shape("U", "{'s':{'type':'wref','shape':'S'},'t':{'type':'wref','shape':'T'}}"));

    applied(repository, rename("S", "R"), rename("T", "S"));

    thing(repository, "R/x").body("data.n", equalTo(1));
    thing(repository, "S/x").body("data.n", equalTo(2));
    thing(repository, "S/y").body("data.to", equalTo("R/x@v1"));
    thing(repository, "R/y").body("data.to", equalTo("S/x@v1"));
    thing(repository, "Shape/U")
        .body("data.fields.s.shape", equalTo("R"))
        .body("data.fields.t.shape", equalTo("S"));
    assertVerified(repository);
  }

  @Test
  void a_thing_and_its_shape_are_renamed_in_one_commit_in_either_order() {
    for (var renames :
        new String[] {
          ops(rename("S/a", "b"), rename("S", "T")), ops(rename("S", "T"), rename("T/a", "b"))
        }) {
      var repository =
          repositoryWith(
              S, add("S/a", "{}"), add("S/x", "{'to':'S/a'}"), assertion("S/n", "'S/a'", "{}"));

      applied(repository, renames);

      thing(repository, "T/x").body("data.to", equalTo("T/b@v1"));
      thing(repository, "T/n").body("aboutWref", equalTo("T/b@v1"));
      assertVerified(repository);
    }
  }

  @Test
  void a_rename_and_a_retract_of_what_refers_go_together() {
    var repository = repositoryWith(S, add("S/a", "{}"), add("S/x", "{'to':'S/a'}"));

    applied(repository, retract("S/x"), rename("S/a", "b"));
    applied(repository, rename("S/b", "c"));

    history(repository, "S/x").body("items.data.to", contains("S/c@v1", "S/c@v1"));
    assertVerified(repository);
  }

  @Test
  void the_commit_that_renamed_knows_the_former_name() {
    var repository = repositoryWith(S, add("S/a", "{}"));
    String id = applied(repository, rename("S/a", "b")).extract().path("commitId");

    admin()
        .get(repository + "/commits/" + id)
        .then()
        .body("operations", hasSize(1))
        .body("operations[0].operation", equalTo("rename"))
        .body("operations[0].wref", equalTo("S/b"))
        .body("operations[0].formerName", equalTo("a"));
  }

  @Test
  void the_data_hash_sees_the_names_of_the_write() {
    var repository = newRepository();
    applied(repository, S, add("S/a", "{}"), add("S/x", "{'to':'S/a'}"));
    var hash = Commits.sha256("{\"to\":\"S/a\"}");

    thing(repository, "S/x").body("dataHash", equalTo(hash));
    applied(repository, rename("S/a", "b"));
    thing(repository, "S/x").body("dataHash", equalTo(hash));
  }
}
