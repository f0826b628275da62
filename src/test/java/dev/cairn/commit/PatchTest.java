package dev.cairn.commit;

import static dev.cairn.Api.commit;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.array;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.canonical;
import static dev.cairn.commit.Commits.collection;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.commit.Commits.with;
import static dev.cairn.model.ErrorCode.CONFLICT;
import static dev.cairn.model.ErrorCode.PAYLOAD_TOO_LARGE;
import static dev.cairn.model.ErrorCode.SHAPE_MISMATCH;
import static dev.cairn.model.ErrorCode.UNRESOLVED_REFERENCE;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static java.util.stream.Collectors.joining;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A revise with a merge patch. */
@HttpTest
@QuarkusTest
class PatchTest {
  private static final String S = shape("S");

  private static String patch(String name, String patch) {
    return "{'operation':'revise','name':'%s','patch':%s}".formatted(name, patch);
  }

  @Test
  void a_patch_changes_what_it_names_and_null_removes() {
    var repository =
        repositoryWith(S, add("S/a", "{'n':1,'x':{'keep':true,'drop':1,'list':[1,2]},'y':'old'}"));

    applied(repository, patch("S/a", "{'x':{'drop':null,'list':[3],'new':{'z':null}},'y':null}"))
        .body("operations[0].operation", equalTo("revise"))
        .body("operations[0].version", equalTo(2));

    thing(repository, "S/a")
        .body("data.n", equalTo(1))
        .body("data.x.keep", equalTo(true))
        .body("data.x.drop", nullValue())
        .body("data.x.list", contains(3))
        .body("data.x.new.size()", equalTo(0))
        .body("data.y", nullValue());
    assertVerified(repository);
  }

  @Test
  void a_patch_that_changes_nothing_is_a_noop() {
    var repository = repositoryWith(S, add("S/a", "{'n':1,'x':{'y':2}}"));

    commit(repository, patch("S/a", "{'x':{'y':2.0,'none':null}}"))
        .statusCode(200)
        .body("operations[0].status", equalTo("noop"));
    commit(repository, patch("S/a", "{}")).statusCode(200);
  }

  @Test
  void the_result_is_validated_whole() {
    var repository =
        repositoryWith(
            shape("S", "{'n':'number','inner':{'a':'string'}}"),
            add("S/a", "{'n':1,'inner':{'a':'x'}}"));

    refused(
            repository,
            patch("S/a", "{'n':null,'inner':{'a':5}}"),
            SHAPE_MISMATCH,
            "/operations/0/patch/n",
            "/operations/0/patch/inner/a")
        .body("details.shape", equalTo("S"));
  }

  @Test
  void a_patch_keeps_the_references_that_it_does_not_change() {
    var there = repositoryWith(S, add("S/t", "{}"));
    var target = canonical(there) + "S/t";
    var repository =
        repositoryWith(
            shape("S", "{'n?':'number','local?':'wref','far?':'wref','more?':['wref']}"),
            add("S/\\\"quoted\\\"", "{}"),
            add("S/b", "{}"),
            add("S/a", "{'local':'S/b','far':'" + target + "','more':['S/\\\"quoted\\\"']}"));
    applied(repository, revise("S/b", "{'n':2}"));
    applied(there, rename("S/t", "u"));

    applied(repository, patch("S/a", "{'n':7}"));
    thing(repository, "S/a")
        .body("data.local", equalTo("S/b@v1"))
        .body("data.far", equalTo(target + "@v1"))
        .body("data.more", contains("S/\"quoted\"@v1"));
    commit(repository, patch("S/a", "{'local':'S/b'}")).statusCode(200);
    thing(repository, "S/a").body("version", equalTo(2)).body("data.local", equalTo("S/b@v1"));
    applied(repository, patch("S/a", "{'local':'S/b@v2','n':8}"));
    thing(repository, "S/a").body("data.local", equalTo("S/b@v2"));
    applied(repository, rename("S/b", "c"), patch("S/a", "{'n':9}"));
    thing(repository, "S/a").body("data.local", equalTo("S/c@v2"));
    refused(
        repository,
        patch("S/a", "{'local':'S/none'}"),
        UNRESOLVED_REFERENCE,
        "/operations/0/patch/local");
    assertVerified(repository);
  }

  @Test
  void patches_see_what_earlier_operations_of_the_commit_made() {
    var repository = repositoryWith(S, add("S/old", "{'n':1}"), add("S/t", "{}"));

    applied(
        repository,
        add("S/a", "{'n':1,'to':'S/t'}"),
        revise("S/t", "{'n':5}"),
        patch("S/a", "{'x':1}"),
        patch("$0", "{'y':2}"),
        rename("S/old", "fresh"),
        patch("S/fresh", "{'x':1}"),
        rename("S", "R"),
        patch("R/fresh", "{'y':2}"),
        retract("R/fresh"),
        with(patch("R/fresh", "{'z':3}"), "'active':true"));

    thing(repository, "R/a")
        .body("version", equalTo(3))
        .body("data", equalTo(java.util.Map.of("n", 1, "to", "R/t@v1", "x", 1, "y", 2)));
    thing(repository, "R/fresh")
        .body("active", equalTo(true))
        .body("data", equalTo(java.util.Map.of("n", 1, "x", 1, "y", 2, "z", 3)));
    assertVerified(repository);
  }

  @Test
  void a_patch_finds_its_target_by_the_names_that_the_commit_gave() {
    var repository =
        repositoryWith(
            S, shape("T"), add("S/a", "{'n':1}"), add("T/a", "{'n':2}"), add("T/b", "{'n':3}"));

    applied(
        repository,
        rename("S", "X"),
        rename("T", "S"),
        patch("S/a", "{'x':1}"),
        patch("X/a", "{'x':2}"),
        rename("S/a", "c"),
        rename("S/b", "a"),
        patch("S/a", "{'x':3}"),
        with(add("S/c", "{}"), "'skipExisting':true"),
        patch("$7", "{'y':4}"));

    thing(repository, "X/a").body("data", equalTo(java.util.Map.of("n", 1, "x", 2)));
    thing(repository, "S/c").body("data", equalTo(java.util.Map.of("n", 2, "x", 1, "y", 4)));
    thing(repository, "S/a").body("data", equalTo(java.util.Map.of("n", 3, "x", 3)));
    assertVerified(repository);
  }

  @Test
  void a_failed_rename_of_a_shape_does_not_hide_the_target() {
    var repository = repositoryWith(shape("A"), shape("D"), add("A/x", "{'n':1}"));

    Api.submit(
            repository,
            "{'atomic':false,'operations':["
                + ops(rename("A", "B"), rename("D", "B"), patch("B/x", "{'x':1}"))
                + "]}")
        .statusCode(201)
        .body("operations.status", contains("applied", "error", "applied"));
    thing(repository, "B/x").body("data", equalTo(java.util.Map.of("n", 1, "x", 1)));
  }

  @Test
  void a_text_that_has_become_a_reference_is_resolved() {
    var repository =
        repositoryWith(
            shape("S", "{'r?':'string','n?':'number'}"),
            add("S/t", "{}"),
            add("S/x", "{'r':'S/t'}"),
            add("S/y", "{'r':'S/t'}"));

    applied(repository, revise("Shape/S", "{'fields':{'r?':'wref','n?':'number'}}"));
    applied(repository, patch("S/x", "{'n':1}"));
    thing(repository, "S/x").body("data.r", equalTo("S/t@v1"));
    applied(repository, patch("Shape/S", "{'fields':{'m?':'number'}}"), patch("S/y", "{'m':1}"));
    thing(repository, "S/y").body("data.r", equalTo("S/t@v1"));
  }

  @Test
  void references_are_kept_by_the_names_of_the_moment() {
    var repository =
        repositoryWith(
            shape("S", "{'p':'wref','q':'wref','n?':'number'}"),
            shape("T"),
            add("T/a", "{}"),
            add("T/c", "{}"),
            add("S/x", "{'p':'T/a','q':'T/c'}"));

    applied(
        repository,
        patch("S/x", "{'n':1}"),
        patch("S/x", "{}"),
        rename("T/a", "b"),
        rename("T/c", "a"),
        patch("S/x", "{'n':2}"));

    thing(repository, "S/x").body("data.p", equalTo("T/b@v1")).body("data.q", equalTo("T/a@v1"));
    applied(repository, patch("S/x", "{'n':3}"), rename("T", "R"), patch("S/x", "{'n':4}"));
    thing(repository, "S/x").body("data.p", equalTo("R/b@v1"));
    assertVerified(repository);
  }

  @Test
  void a_patched_definition_keeps_the_present_names_of_shapes() {
    var repository =
        repositoryWith(
            S,
            "{'operation':'add','kind':'shape','name':'Room','data':{'about':['S'],'fields':{'s?':{'type':'wref','shape':'S'}}}}",
            add("S/a", "{}"));

    applied(
        repository,
        rename("S", "Probe"),
        patch("Shape/Room", "{'description':'x'}"),
        assertion("Room/1", "'Probe/a'", "{'s':'Probe/a'}"));
    thing(repository, "Shape/Room")
        .body("data.about", contains("Probe"))
        .body("data.fields.'s?'.shape", equalTo("Probe"));
    applied(
        repository,
        patch("Shape/Probe", "{'fields':{'also?':'wref'}}"),
        rename("Probe", "S"),
        add("S/b", "{'also':'Room/1'}"));
    assertVerified(repository);
  }

  @Test
  void what_is_repeated_thousands_of_times_is_read_once() {
    var repository =
        repositoryWith(shape("S", "{'all?':['wref'],'n?':'number'}"), add("S/t", "{}"));
    var names = IntStream.range(0, 20_000).mapToObj(_ -> "S/t").toArray(String[]::new);
    applied(repository, add("S/a", "{'all':" + array(names) + "}"));

    applied(repository, patch("S/a", "{'n':1}"));
    applied(repository, revise("S/a", "{'all':['S/t@v1']}"));

    thing(repository, "S/a").body("data.all", contains("S/t@v1"));
  }

  @Test
  void many_different_references_are_found_quickly() {
    var repository = repositoryWith(shape("S", "{'all?':['wref'],'n?':'number'}"));
    var names = IntStream.range(0, 9_000).mapToObj(i -> "S/t" + i).toArray(String[]::new);
    applied(
        repository,
        IntStream.range(0, 9_000).mapToObj(i -> add("S/t" + i, "{}")).toArray(String[]::new));
    applied(repository, add("S/a", "{'all':" + array(names) + "}"));

    applied(repository, patch("S/a", "{'n':1}"));

    thing(repository, "S/a").body("data.all.size()", equalTo(9_000));
  }

  @Test
  void a_shape_can_be_patched_and_counts_for_what_follows() {
    var repository = repositoryWith(S, add("S/t", "{}"));

    applied(
        repository,
        patch("Shape/S", "{'fields':{'n?':null,'also?':'wref'}}"),
        add("S/a", "{'also':'S/t'}"));

    thing(repository, "S/a").body("data.also", equalTo("S/t@v1"));
    thing(repository, "Shape/S")
        .body("data.fields.size()", equalTo(2))
        .body("data.fields.'also?'", equalTo("wref"));
    refused(
        repository,
        patch("Shape/S", "{'fields':{'n':'texts'}}"),
        VALIDATION_ERROR,
        "/operations/0/patch/fields/n");
    assertVerified(repository);
  }

  @Test
  void the_form_of_a_patch_is_checked() {
    var repository = repositoryWith(S, add("S/a", "{}"), collection("set", "S/a"));

    refused(
        repository, with(patch("S/a", "{}"), "'data':{}"), VALIDATION_ERROR, "/operations/0/patch");
    refused(repository, patch("S/a", "[]"), VALIDATION_ERROR, "/operations/0/patch");
    refused(repository, patch("S/a", "null"), VALIDATION_ERROR, "/operations/0/patch");
    refused(
        repository, with(add("S/b", "{}"), "'patch':{}"), VALIDATION_ERROR, "/operations/0/patch");
    refused(
        repository,
        with(patch("S/a", "{'n':1}"), "'expectedVersion':2"),
        CONFLICT,
        "/operations/0");
    String set = commit(repository, collection("set", "S/a")).extract().path("operations[0].wref");
    refused(repository, patch(set, "{'members':[]}"), VALIDATION_ERROR, "/operations/0/patch");
  }

  @Test
  void an_assertion_can_be_patched() {
    var repository = repositoryWith(S, add("S/a", "{}"), assertion("S/note", "'S/a'", "{'n':1}"));

    applied(repository, with(patch("S/note", "{'x':2}"), "'about':'S/a'"));

    thing(repository, "S/note")
        .body("aboutWref", equalTo("S/a@v1"))
        .body("data.n", equalTo(1))
        .body("data.x", equalTo(2));
  }

  @Test
  void the_payloads_that_patches_change_have_at_most_8_mib_together() {
    var repository = repositoryWith(S);
    for (int i = 0; i < 9; i++) {
      applied(repository, add("S/e" + i, "{'text':'" + "x".repeat(1_000_000) + "'}"));
    }

    commit(repository, patches(8)).statusCode(201);
    refused(repository, patches(9), PAYLOAD_TOO_LARGE, "/operations");
    var twice = IntStream.range(0, 9).mapToObj(i -> patch("S/e0", "{'i':" + i + "}"));
    refused(repository, twice.collect(joining(",")), PAYLOAD_TOO_LARGE, "/operations/8/patch");
  }

  @Test
  void the_size_of_what_a_token_may_not_read_does_not_show() {
    var repository = Api.newRepository("private");
    applied(repository, S);
    for (int i = 0; i < 9; i++) {
      applied(repository, add("S/e" + i, "{'text':'" + "x".repeat(1_000_000) + "'}"));
    }
    var write = scope(repository, "repo:write", "");
    var others = scope(repository, "repo:read", ",'allowedMatches':['Other/*']");
    for (var scopes : List.of(write, write + "," + others)) {
      Api.as(People.pat(Api.adminToken(), scopes))
          .body("{'operations':[%s]}".formatted(patches(9)).replace('\'', '"'))
          .post(repository + "/commits")
          .then()
          .statusCode(403)
          .body("errors[0].pointer", equalTo("/operations/0/patch"));
    }
  }

  private static String scope(String repository, String permission, String more) {
    return "{'resource':'%s','permissions':['%s']%s}"
        .formatted(repository.substring("/api/repos/".length()), permission, more);
  }

  private static String patches(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> patch("S/e" + i, "{'n':" + count + "}"))
        .collect(joining(","));
  }

  @Test
  void a_partial_commit_applies_the_patches_that_can_be_applied() {
    var repository = repositoryWith(S, add("S/a", "{'n':1}"));

    Api.submit(
            repository,
            "{'atomic':false,'operations':["
                + ops(patch("S/a", "{'n':'x'}"), patch("S/a", "{'n':2}"))
                + "]}")
        .statusCode(201)
        .body("operations.status", contains("error", "applied"));
    thing(repository, "S/a").body("data.n", equalTo(2));
  }

  @Test
  void a_patch_with_many_references_of_an_array() {
    var names = IntStream.range(0, 100).mapToObj(i -> "S/t" + i).toArray(String[]::new);
    var repository = repositoryWith(shape("S", "{'all?':['wref'],'n?':'number'}"));
    applied(
        repository,
        IntStream.range(0, 100).mapToObj(i -> add("S/t" + i, "{}")).toArray(String[]::new));
    applied(repository, add("S/a", "{'all':" + array(names) + "}"));

    applied(repository, patch("S/a", "{'n':1}"));

    thing(repository, "S/a").body("data.all.size()", equalTo(100));
    assertVerified(repository);
  }
}
