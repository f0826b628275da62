package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.collection;
import static dev.cairn.commit.Commits.history;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.model.ErrorCode.SHAPE_MISMATCH;
import static dev.cairn.model.ErrorCode.UNRESOLVED_REFERENCE;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** Commits, Rename: names that the operations after a rename in the same commit use. */
@HttpTest
@QuarkusTest
class RenameWithinCommitTest {
  private static final String S = shape("S");

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
}
