package dev.cairn.commit;

import static dev.cairn.Api.newRepository;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.collection;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.model.ErrorCode.NOT_FOUND;
import static dev.cairn.model.ErrorCode.SHAPE_MISMATCH;
import static dev.cairn.model.ErrorCode.UNRESOLVED_REFERENCE;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@HttpTest
@QuarkusTest
class ReferencesTest {
  private static final String S = shape("S");

  @Test
  void references_are_pinned_to_the_version_current_at_the_write() {
    var repository = repositoryWith(S, add("S/a", "{}"));
    applied(
        repository,
        revise("S/a", "{'n':2}"),
        add("S/b", "{'to':'S/a'}"),
        assertion("S/note", "'S/a'", "{}"));
    applied(repository, revise("S/a", "{'n':3}"));

    thing(repository, "S/b").body("data.to", equalTo("S/a@v2"));
    thing(repository, "S/note").body("aboutWref", equalTo("S/a@v2"));
    applied(repository, add("S/c", "{'to':'S/a@HEAD'}"), add("S/d", "{'to':'S/a@v1'}"));
    thing(repository, "S/c").body("data.to", equalTo("S/a@v3"));
    thing(repository, "S/d").body("data.to", equalTo("S/a@v1"));
  }

  @Test
  void all_that_is_wrong_with_the_data_is_reported_together_with_missing_targets() {
    var repository =
        repositoryWith(shape("S", "{'to?':'wref','more?':['wref'],'n?':'number','m?':'number'}"));

    refused(
        repository,
        add("S/x", "{'n':'x','to':'S/none','more':['S/other'],'m':'y'}"),
        SHAPE_MISMATCH,
        "/operations/0/data/n",
        "/operations/0/data/m",
        "/operations/0/data/to",
        "/operations/0/data/more/0");
    refused(
        repository,
        add("S/x", "{'to':'S/none','more':['S/other']}"),
        UNRESOLVED_REFERENCE,
        "/operations/0/data/to",
        "/operations/0/data/more/0");
  }

  @Test
  void errors_of_form_are_reported_together_with_all_others() {
    var repository = repositoryWith(shape("S", "{'to?':'wref','n?':'number'}"), add("S/a", "{}"));
    var operations =
        ops(
            add("S/b", "{'n':'x','to':'S/none'}"),
            "{'operation':'add','name':'S/c','data':{},'color':1}",
            add("S/d", "{'to':'S/c'}"),
            add("S/a", "{}"),
            "{'operation':'update','name':'S/a','data':{}}",
            "{'operation':'create','name':'S/e','data':{}}",
            add("S/f", "{'to':'S/e'}"));

    refused(
            repository,
            operations,
            VALIDATION_ERROR,
            "/operations/1/color",
            "/operations/4/operation",
            "/operations/5/operation",
            "/operations/0/data/n",
            "/operations/0/data/to",
            "/operations/2/data/to",
            "/operations/3",
            "/operations/6/data/to")
        .body("errors.findAll { it.detail.contains('which failed') }.size()", equalTo(2))
        .body("details.opIndex", equalTo(1))
        .body("details.missing", equalTo("S/none"))
        .body("hint", startsWith("`/operations/4`: "));
    thing(repository, "S/a").body("version", equalTo(1));
  }

  @Test
  void about_may_be_pinned_to_an_older_version() {
    var repository = repositoryWith(S, add("S/a", "{}"));
    applied(repository, revise("S/a", "{'n':2}"));

    applied(repository, assertion("S/note", "'S/a@v1'", "{}"));

    thing(repository, "S/note").body("aboutWref", equalTo("S/a@v1"));
  }

  @Test
  void a_revise_that_only_pins_again_is_a_noop() {
    var repository = repositoryWith(S, add("S/a", "{}"), add("S/b", "{'to':'S/a'}"));
    applied(repository, revise("S/a", "{'n':2}"));

    dev.cairn.Api.commit(repository, revise("S/b", "{'to':'S/a'}"))
        .statusCode(200)
        .body("operations[0].status", equalTo("noop"));
    thing(repository, "S/b").body("data.to", equalTo("S/a@v1"));
  }

  @Test
  void strings_of_any_fields_and_undeclared_fields_are_no_references() {
    var repository = repositoryWith(shape("S", "{'any?':'any','array?':'array'}"));

    applied(repository, add("S/a", "{'any':'S/x','array':['S/y'],'other':'S/z'}"));

    thing(repository, "S/a").body("data.any", equalTo("S/x")).body("data.other", equalTo("S/z"));
  }

  @Test
  void later_operations_may_name_what_earlier_ones_create() {
    var repository = newRepository();

    applied(
        repository,
        S,
        add("S/a", "{}"),
        add("S/b", "{'to':'S/a'}"),
        assertion("S/note", "'S/b'", "{'to':'S/a'}"),
        assertion("S/meta", "'S/note'", "{}"),
        revise("S/a", "{'n':2}"),
        add("S/c", "{'to':'S/a'}"));

    thing(repository, "S/b").body("data.to", equalTo("S/a@v1"));
    thing(repository, "S/c").body("data.to", equalTo("S/a@v2"));
    thing(repository, "S/meta").body("aboutWref", equalTo("S/note@v1"));
  }

  @Test
  void a_dollar_index_stands_for_the_result_of_an_earlier_operation() {
    var repository = newRepository();

    applied(
            repository,
            S,
            add("S/a", "{}"),
            collection("set", "$1"),
            assertion("S/note", "'$2'", "{'to':'$1'}"),
            revise("$1", "{'n':2}"),
            assertion("S/more", "'$4'", "{'to':'$1'}"),
            rename("$1", "z"),
            retract("$3"))
        .body("operations[4].wref", equalTo("S/a"))
        .body("operations[6].wref", equalTo("S/z"))
        .body("operations[7].wref", equalTo("S/note"));

    thing(repository, "S/note").body("data.to", equalTo("S/z@v1"));
    thing(repository, "S/more")
        .body("aboutWref", equalTo("S/z@v2"))
        .body("data.to", equalTo("S/z@v1"));
    Commits.assertVerified(repository);
  }

  @Test
  void a_dollar_index_of_a_noop_stands_for_what_is_there() {
    var repository = repositoryWith(S, add("S/a", "{}"));

    applied(
            repository,
            Commits.with(add("S/a", "{}"), "'skipExisting':true"),
            add("S/b", "{'to':'$0'}"))
        .body("operations.status", contains("noop", "applied"));

    thing(repository, "S/b").body("data.to", equalTo("S/a@v1"));
  }

  @Test
  void what_comes_later_in_the_commit_cannot_be_named() {
    var repository = repositoryWith(S);

    refused(
        repository,
        ops(add("S/b", "{'to':'S/a'}"), add("S/a", "{}")),
        UNRESOLVED_REFERENCE,
        "/operations/0/data/to");
    refused(repository, add("S/b", "{'to':'$0'}"), UNRESOLVED_REFERENCE, "/operations/0/data/to");
    refused(
        repository,
        ops(add("S/b", "{'to':'$1'}"), add("S/a", "{}")),
        UNRESOLVED_REFERENCE,
        "/operations/0/data/to");
    refused(
        repository, assertion("S/note", "'$7'", "{}"), UNRESOLVED_REFERENCE, "/operations/0/about");
    refused(repository, revise("$0", "{}"), UNRESOLVED_REFERENCE, "/operations/0/name");
  }

  @Test
  void a_wref_value_that_leads_nowhere_is_unresolved() {
    var repository = repositoryWith(S, add("S/a", "{}"));

    refused(
        repository, add("S/b", "{'to':'S/none'}"), UNRESOLVED_REFERENCE, "/operations/0/data/to");
    refused(
        repository, add("S/b", "{'to':'None/a'}"), UNRESOLVED_REFERENCE, "/operations/0/data/to");
    refused(
        repository, add("S/b", "{'to':'S/a@v2'}"), UNRESOLVED_REFERENCE, "/operations/0/data/to");
    refused(repository, add("S/b", "{'to':'S/a@ALL'}"), SHAPE_MISMATCH, "/operations/0/data/to");
  }

  @Test
  void a_missing_about_target_is_not_found() {
    var repository = repositoryWith(S, add("S/a", "{}"));

    refused(repository, assertion("S/n", "'S/none'", "{}"), NOT_FOUND, "/operations/0/about");
    refused(repository, assertion("S/n", "'S/a@v2'", "{}"), NOT_FOUND, "/operations/0/about");
    refused(
        repository, assertion("S/n", "'S/a@ALL'", "{}"), VALIDATION_ERROR, "/operations/0/about");
    refused(repository, assertion("S/n", "'a'", "{}"), VALIDATION_ERROR, "/operations/0/about");
  }

  @Test
  void inactive_entities_may_be_referred_to_and_be_the_target_of_about() {
    var repository = repositoryWith(S, add("S/a", "{}"));
    applied(repository, retract("S/a"));

    applied(
        repository,
        add("S/b", "{'to':'S/a'}"),
        assertion("S/note", "'S/a'", "{}"),
        collection("set", "S/a"));

    thing(repository, "S/b").body("data.to", equalTo("S/a@v2"));
    thing(repository, "S/note").body("aboutWref", equalTo("S/a@v2"));
  }

  @Test
  void a_shape_may_be_referred_to_and_be_the_target_of_about() {
    var repository = repositoryWith(S);

    applied(repository, add("S/a", "{'to':'Shape/S'}"), assertion("S/note", "'Shape/Pair'", "{}"));

    thing(repository, "S/a").body("data.to", equalTo("Shape/S@v1"));
    thing(repository, "S/note").body("aboutWref", equalTo("Shape/Pair@v1"));
  }

  @Test
  void the_target_of_a_constrained_wref_must_be_of_that_shape() {
    var repository =
        repositoryWith(
            S,
            add("S/a", "{}"),
            shape("T", "{'s?':{'type':'wref','shape':'S'},'l?':[{'type':'wref','shape':'S'}]}"));

    applied(repository, add("T/a", "{'s':'S/a','l':['S/a','S/a@v1']}"));
    refused(
        repository,
        add("T/b", "{'s':'T/a','l':['S/a','T/a','Shape/S']}"),
        SHAPE_MISMATCH,
        "/operations/0/data/s",
        "/operations/0/data/l/1",
        "/operations/0/data/l/2");
  }

  @Test
  void a_thing_refers_to_an_older_version_of_itself() {
    var repository = repositoryWith(S, add("S/a", "{}"));

    applied(repository, revise("S/a", "{'to':'S/a'}"));
    applied(repository, rename("S/a", "b"));

    thing(repository, "S/b").body("data.to", equalTo("S/b@v1"));
  }
}
