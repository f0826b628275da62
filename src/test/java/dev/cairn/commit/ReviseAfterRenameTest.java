package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.shape;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits, revise: the same names are no noop if they have become those of others. */
@HttpTest
@QuarkusTest
class ReviseAfterRenameTest {
  private static final String TO_A = "{'operation':'revise','name':'R/x','data':{'to':'R/a'}}";
  private static final String NAMES_A =
      "{'operation':'revise','name':'Shape/D','data':{'fields':{'f?':{'type':'wref','shape':'A'}}}}";

  private static String repository() {
    return repositoryWith(
        shape("R"),
        add("R/a", "{}"),
        add("R/x", "{'to':'R/a'}"),
        shape("A"),
        shape("D", "{'f?':{'type':'wref','shape':'A'}}"));
  }

  private static void assertRevised(String repository, int version) {
    admin()
        .get(repository + "/things/R%2Fx")
        .then()
        .body("version", is(version))
        .body("data.to", is("R/a@v1"));
    admin()
        .get(repository + "/refs/R%2Fa?direction=inbound")
        .then()
        .body("items.wref", contains("R/x"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_reference_to_what_took_a_name_is_a_change(boolean isOneCommit) {
    var repository = repository();
    var operations = List.of(rename("R/a", "b"), add("R/a", "{}"), TO_A);
    if (isOneCommit) {
      applied(repository, operations.toArray(String[]::new));
    } else {
      operations.forEach(operation -> applied(repository, operation));
    }
    assertRevised(repository, 2);
    Api.commit(repository, TO_A).statusCode(200).body("operations.operation", contains("noop"));
    assertRevised(repository, 2);
  }

  @Test
  void the_same_holds_for_what_a_renamed_entity_took() {
    var repository = repository();
    applied(repository, add("R/c", "{}"));
    applied(repository, rename("R/a", "b"), rename("R/c", "a"), TO_A);
    assertRevised(repository, 2);
    Api.commit(repository, TO_A).statusCode(200).body("operations.operation", contains("noop"));
  }

  @Test
  void the_same_data_is_none_after_renames_there_and_back() {
    var repository = repository();
    applied(repository, rename("R/a", "b"));
    applied(repository, rename("R/b", "a"));
    for (var same : List.of(TO_A, "{'operation':'revise','name':'R/x','patch':{}}")) {
      Api.commit(repository, same).statusCode(200).body("operations.operation", contains("noop"));
    }
    applied(repository, add("R/c", "{}"));
    applied(repository, "{'operation':'revise','name':'R/x','data':{'to':'R/c'}}")
        .body("operations.operation", contains("revise"));
  }

  @Test
  void names_that_were_exchanged_are_a_change_in_each_place() {
    var repository = repository();
    applied(
        repository,
        shape("T", "{'to':'wref','other':'wref'}"),
        add("R/c", "{}"),
        add("T/y", "{'to':'R/a','other':'R/c'}"));
    applied(repository, rename("R/a", "b"));
    applied(repository, rename("R/c", "a"));
    applied(repository, rename("R/b", "c"));
    var same = "{'operation':'revise','name':'T/y','data':{'other':'R/c','to':'R/a'}}";
    applied(repository, same).body("operations.operation", contains("revise"));
    Api.commit(repository, same).statusCode(200).body("operations.operation", contains("noop"));
  }

  @Test
  void the_same_holds_within_a_commit() {
    var repository = repository();
    applied(
            repository,
            add("R/n", "{}"),
            add("R/y", "{'to':'R/n'}"),
            TO_A.replace("R/x", "R/y").replace("R/a", "R/n"),
            rename("R/a", "b"),
            rename("R/n", "a"),
            add("R/n", "{}"),
            TO_A.replace("R/x", "R/y").replace("R/a", "R/n"))
        .body(
            "operations.operation",
            contains("add", "add", "noop", "rename", "rename", "add", "revise"));
    admin().get(repository + "/things/R%2Fy").then().body("data.to", is("R/n@v1"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_shape_that_took_a_name_is_a_change_of_a_definition(boolean isOneCommit) {
    var repository = repository();
    var operations = List.of(rename("Shape/A", "B"), shape("A"), NAMES_A);
    if (isOneCommit) {
      applied(repository, operations.toArray(String[]::new));
    } else {
      operations.forEach(operation -> applied(repository, operation));
    }
    admin()
        .get(repository + "/things/Shape%2FD")
        .then()
        .body("version", is(2))
        .body("data.fields.'f?'.shape", is("A"));
    Api.commit(repository, NAMES_A).statusCode(200).body("operations.operation", contains("noop"));
    admin().get(repository + "/verification").then().body("verified", is(true));
  }

  @Test
  void the_same_holds_after_a_retract_that_keeps_what_was_written_before_the_rename() {
    var repository = repository();
    applied(repository, add("R/c", "{}"));
    applied(
        repository,
        TO_A.replace("R/a", "R/c"),
        TO_A,
        rename("R/a", "b"),
        "{'operation':'retract','name':'R/x'}");
    applied(repository, add("R/a", "{}"), TO_A.replace("'data'", "'active':false,'data'"))
        .body("operations.operation", contains("add", "revise"));
    admin().get(repository + "/things/R%2Fx").then().body("data.to", is("R/a@v1"));
  }

  @Test
  void without_a_rename_the_same_data_is_a_noop() {
    var repository = repository();
    applied(repository, TO_A, NAMES_A, add("R/b", "{}"))
        .body("operations.operation", contains("noop", "noop", "add"));
  }
}
