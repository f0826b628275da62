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

/** Commits, Rename: what a rename changes, and what it leaves as it was. */
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
