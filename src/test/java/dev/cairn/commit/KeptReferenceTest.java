package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.commit;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.canonical;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.commit.Commits.with;
import static dev.cairn.model.ErrorCode.NOT_FOUND;
import static dev.cairn.model.ErrorCode.SHAPE_MISMATCH;
import static dev.cairn.model.ErrorCode.UNRESOLVED_REFERENCE;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A reference that a revise repeats from the last version keeps its target. */
@HttpTest
@QuarkusTest
class KeptReferenceTest {
  private static final String S = shape("S");

  @Test
  void data_that_was_just_read_can_be_written_whatever_became_of_the_target() {
    var there = repositoryWith(S, add("S/a", "{}"), add("S/b", "{}"));
    var a = canonical(there) + "S/a";
    var b = canonical(there) + "S/b";
    var here =
        repositoryWith(
            shape("S", "{'to':'wref','more':['wref'],'n?':'number'}"),
            add("S/x", "{'to':'" + a + "','more':['" + b + "']}"));
    applied(there, rename("S/a", "z"));
    applied(there, add("S/a", "{}"));
    admin().delete(there).then().statusCode(200);

    applied(here, revise("S/x", "{'n':1,'to':'" + a + "@v1','more':['" + b + "@v1']}"));

    thing(here, "S/x")
        .body("version", equalTo(2))
        .body("data.to", equalTo(a + "@v1"))
        .body("data.more", contains(b + "@v1"));
    assertVerified(here);
  }

  @Test
  void a_name_that_another_entity_took_still_means_the_first_one() {
    var there = repositoryWith(S, add("S/a", "{}"));
    var a = canonical(there) + "S/a";
    var here = repositoryWith(S, add("S/x", "{'to':'" + a + "'}"));
    applied(there, rename("S/a", "z"), add("S/a", "{}"));

    applied(here, revise("S/x", "{'n':1,'to':'" + a + "@v1'}"));

    var targets =
        OwnConnections.database()
            .list(
                "select distinct to_id from reference where repo_id = ?",
                row -> row.getLong(1),
                Api.repoId(here));
    assertEquals(1, targets.size());
    commit(here, revise("S/x", "{'n':1,'to':'" + a + "@v1'}")).statusCode(200);
    assertVerified(here);
  }

  @Test
  void what_an_assertion_is_about_can_be_repeated_whatever_became_of_the_target() {
    var there = repositoryWith(S, add("S/a", "{}"), add("S/b", "{}"));
    var a = canonical(there) + "S/a";
    var b = canonical(there) + "S/b";
    var here =
        repositoryWith(
            S,
            add("S/t", "{}"),
            assertion("S/x", "'" + a + "'", "{}"),
            assertion("S/y", "'" + b + "'", "{}"),
            assertion("S/z", "'S/t'", "{}"));
    applied(there, rename("S/a", "z"));
    applied(there, add("S/a", "{}"));
    admin().delete(there).then().statusCode(200);

    applied(here, with(revise("S/x", "{'n':1}"), "'about':'" + a + "@v1'"));
    applied(here, with(revise("S/y", "{'n':1}"), "'about':'" + b + "'"));
    for (var other : List.of(a + "@v1", b + "@v2")) {
      refused(
          here,
          with(revise("S/y", "{'n':2}"), "'about':'" + other + "'"),
          NOT_FOUND,
          "/operations/0/about");
    }
    refused(
        here,
        with(revise("S/x", "{'n':2}"), "'about':'S/t'"),
        VALIDATION_ERROR,
        "/operations/0/about");
    applied(
        here,
        rename("S/t", "u"),
        add("S/t", "{}"),
        with(revise("S/z", "{'n':2}"), "'about':'S/t'"));
    applied(here, with(revise("S/z", "{'n':3}"), "'about':'S/u@v1'"));

    thing(here, "S/x").body("version", equalTo(2)).body("aboutWref", equalTo(a + "@v1"));
    assertVerified(here);
  }

  @Test
  void only_the_same_text_is_kept() {
    var there = repositoryWith(S, add("S/a", "{}"));
    var a = canonical(there) + "S/a";
    var here = repositoryWith(S, add("S/x", "{'to':'" + a + "'}"), add("S/y", "{}"));
    applied(there, rename("S/a", "z"));

    refused(
        here,
        revise("S/x", "{'n':1,'to':'" + a + "'}"),
        UNRESOLVED_REFERENCE,
        "/operations/0/data/to");
    refused(
        here,
        revise("S/y", "{'to':'" + a + "@v1'}"),
        UNRESOLVED_REFERENCE,
        "/operations/0/data/to");
    applied(here, revise("S/x", "{'n':1}"));
    refused(
        here,
        revise("S/x", "{'to':'" + a + "@v1'}"),
        UNRESOLVED_REFERENCE,
        "/operations/0/data/to");
  }

  @Test
  void data_that_was_read_before_a_rename_can_be_written() {
    var data = "{'to':'S/a','more':['S/b','S/c']}";
    var here =
        repositoryWith(
            S,
            shape("T", "{'to':'wref','more':['wref'],'n?':'number'}"),
            add("S/a", "{}"),
            add("S/b", "{}"),
            add("S/c", "{}"),
            add("T/x", data),
            add("T/y", data),
            assertion("S/on-1", "'S/a'", "{}"),
            assertion("S/on-2", "'S/a'", "{}"));
    applied(here, rename("S/a", "a2"));
    applied(here, rename("S/b", "b2"));
    applied(here, rename("S/b2", "b3"));
    applied(here, rename("S", "R"));

    applied(here, revise("T/x", "{'n':1,'to':'S/a@v1','more':['S/b@v1','R/c@v1']}"));
    applied(here, revise("T/y", "{'n':1,'to':'S/a2@v1','more':['S/b2@v1','S/c@v1']}"));
    applied(here, with(revise("R/on-1", "{'n':1}"), "'about':'S/a'"));
    applied(here, with(revise("R/on-2", "{'n':1}"), "'about':'S/a2@v1'"));

    for (var name : List.of("T/x", "T/y")) {
      thing(here, name)
          .body("version", equalTo(2))
          .body("data.to", equalTo("R/a2@v1"))
          .body("data.more", contains("R/b3@v1", "R/c@v1"));
    }
    for (var name : List.of("R/on-1", "R/on-2")) {
      thing(here, name).body("version", equalTo(2)).body("aboutWref", equalTo("R/a2@v1"));
    }
    assertVerified(here);
  }

  @Test
  void a_patch_and_a_second_revise_may_repeat_it_too() {
    var here =
        repositoryWith(
            shape("S", "{'n?':'number','more?':['wref']}"),
            add("S/a", "{}"),
            add("S/b", "{}"),
            add("S/x", "{'more':['S/a','S/b']}"));
    applied(here, rename("S/a", "a2"), rename("S/b", "b2"));

    applied(
        here,
        "{'operation':'revise','name':'S/x','patch':{'n':1,'more':['S/b@v1','S/a@v1','S/b2@v1']}}");
    applied(
        here,
        revise("S/x", "{'n':2,'more':['S/a2@v1','S/b2@v1']}"),
        revise("S/x", "{'n':3,'more':['S/a2@v1']}"));
    applied(here, rename("S/a2", "a3"));
    applied(
        here,
        revise("S/x", "{'n':4,'more':['S/a2@v1']}"),
        revise("S/x", "{'n':5,'more':['S/a2@v1']}"));

    thing(here, "S/x").body("version", equalTo(6)).body("data.more", contains("S/a3@v1"));
    refused(
        here,
        "{'operation':'revise','name':'S/x','patch':{'more':['no/wref @v1','S/z@v1']}}",
        SHAPE_MISMATCH);
    assertVerified(here);
  }

  @Test
  void a_former_name_counts_only_where_it_was_read() {
    var here =
        repositoryWith(
            S,
            add("S/a", "{}"),
            add("S/b", "{}"),
            add("S/x", "{'to':'S/a'}"),
            add("S/y", "{'to':'S/b'}"),
            assertion("S/on", "'S/a'", "{}"));
    applied(here, rename("S/a", "a2"));
    applied(here, add("S/z", "{'to':'S/a2'}"));

    for (var data : List.of("{'to':'S/a'}", "{'to':'S/a@v2'}")) {
      refused(here, revise("S/x", data), UNRESOLVED_REFERENCE, "/operations/0/data/to");
    }
    for (var other : List.of("S/y", "S/z")) {
      refused(
          here,
          revise(other, "{'n':1,'to':'S/a@v1'}"),
          UNRESOLVED_REFERENCE,
          "/operations/0/data/to");
    }
    for (var other : List.of("S/a@v2", "S/c")) {
      refused(
          here,
          with(revise("S/on", "{'n':2}"), "'about':'" + other + "'"),
          NOT_FOUND,
          "/operations/0/about");
    }
  }

  @Test
  void what_was_read_is_kept_although_another_entity_took_the_name() {
    var here =
        repositoryWith(
            S, add("S/a", "{}"), add("S/x", "{'to':'S/a'}"), assertion("S/on", "'S/a'", "{}"));
    applied(here, rename("S/a", "a2"));
    applied(here, add("S/a", "{'n':7}"));

    applied(here, revise("S/x", "{'n':1,'to':'S/a@v1'}"));
    applied(here, with(revise("S/on", "{'n':1}"), "'about':'S/a@v1'"));

    thing(here, "S/x").body("data.to", equalTo("S/a2@v1"));
    thing(here, "S/on").body("aboutWref", equalTo("S/a2@v1"));
    applied(here, revise("S/x", "{'n':2,'to':'S/a'}"));
    thing(here, "S/x").body("data.to", equalTo("S/a@v1"));
    assertVerified(here);
  }

  @Test
  void the_first_one_of_two_targets_that_had_a_name_is_meant() {
    var here =
        repositoryWith(
            shape("S", "{'n?':'number','to?':'wref','more?':['wref']}"),
            add("S/a", "{'n':1}"),
            add("S/b", "{'n':2}"),
            add("S/x", "{'more':['S/a','S/b']}"));
    applied(here, rename("S/a", "a2"));
    applied(here, rename("S/b", "a"));
    applied(here, rename("S/a", "b2"));

    applied(here, revise("S/x", "{'n':1,'more':['S/a@v1','S/b@v1']}"));

    thing(here, "S/x").body("data.more", contains("S/a2@v1", "S/b2@v1"));
  }

  @Test
  void a_name_goes_with_the_shape_that_it_had() {
    var here =
        repositoryWith(S, shape("T", "{'n?':'number','more':['wref']}"), add("S/a", "{'n':1}"));
    applied(here, rename("S", "R"));
    applied(here, S, add("S/a", "{'n':2}"), add("T/x", "{'more':['R/a','S/a']}"));
    applied(here, rename("S/a", "a2"));

    applied(here, revise("T/x", "{'n':1,'more':['R/a@v1','S/a@v1']}"));

    thing(here, "T/x").body("data.more", contains("R/a@v1", "S/a2@v1"));
    assertVerified(here);
  }

  @Test
  void a_name_and_a_shape_that_never_went_together_are_no_name() {
    var here =
        repositoryWith(
            S,
            shape("T", "{'n?':'number','more':['wref']}"),
            add("S/a", "{'n':1}"),
            add("S/b", "{'n':2}"),
            add("T/e", "{'more':['S/a','S/b']}"));
    applied(here, rename("S/a", "a2"));
    applied(here, rename("S", "R"));
    applied(here, rename("R/b", "a"));
    applied(here, rename("R/a", "b2"));

    applied(here, revise("T/e", "{'n':1,'more':['R/a2@v1','R/a@v1']}"));

    thing(here, "T/e").body("data.more", contains("R/a2@v1", "R/b2@v1"));
    assertVerified(here);
  }

  @Test
  void an_about_that_is_wrong_is_told_together_with_wrong_data() {
    var here = repositoryWith(S, add("S/a", "{}"), assertion("S/on", "'S/a'", "{}"));

    refused(
        here,
        with(revise("S/on", "{'n':'x'}"), "'about':'S/none'"),
        NOT_FOUND,
        "/operations/0/about",
        "/operations/0/data/n");
  }

  @Test
  void a_hundred_former_names_count() {
    var here = repositoryWith(S, add("S/n0", "{}"), add("S/x", "{'to':'S/n0'}"));
    for (int i = 1; i <= 101; i++) {
      applied(here, rename("S/n" + (i - 1), "n" + i));
    }

    refused(
        here,
        revise("S/x", "{'n':2,'to':'S/n0@v1'}"),
        UNRESOLVED_REFERENCE,
        "/operations/0/data/to");
    applied(here, revise("S/x", "{'n':1,'to':'S/n1@v1'}"));
  }

  @Test
  void a_reference_to_an_older_version_stays_there() {
    var here = repositoryWith(S, add("S/t", "{}"), add("S/x", "{'to':'S/t'}"));
    applied(here, revise("S/t", "{'n':2}"));
    applied(here, rename("S/t", "u"));

    applied(here, revise("S/x", "{'n':1,'to':'S/u@v1'}"));
    applied(here, rename("S/u", "w"), revise("S/x", "{'n':2,'to':'S/u@v1'}"));

    thing(here, "S/x").body("data.to", equalTo("S/w@v1"));
    assertVerified(here);
  }
}
