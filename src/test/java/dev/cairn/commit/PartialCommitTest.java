package dev.cairn.commit;

import static dev.cairn.Api.submit;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.collection;
import static dev.cairn.commit.Commits.missing;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.state;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.commit.Commits.with;
import static dev.cairn.model.ErrorCode.ALREADY_EXISTS;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.Test;

@HttpTest
@QuarkusTest
class PartialCommitTest {
  private static final String S = shape("S");

  private static ValidatableResponse partial(String repository, String... operations) {
    return submit(repository, "{'atomic':false,'operations':[" + ops(operations) + "]}");
  }

  private static ValidatableResponse dryRun(String repository, String... operations) {
    return submit(repository, "{'dryRun':true,'operations':[" + ops(operations) + "]}");
  }

  @Test
  void a_commit_is_atomic_every_operation_or_none() {
    var repository = repositoryWith(S, add("S/a", "{}"));

    refused(
            repository,
            ops(
                add("S/b", "{}"),
                add("S/a", "{}"),
                revise("S/a", "{'n':2}"),
                add("S/c", "{'n':'x'}"),
                add("S/d", "{'to':'S/c'}"),
                rename("S/a", "z")),
            ALREADY_EXISTS,
            "/operations/1",
            "/operations/3/data/n",
            "/operations/4/data/to")
        .body("errors[2].detail", containsString("operation 3"));
  }

  @Test
  void without_atomic_what_can_be_applied_is_and_the_rest_says_why_not() {
    var repository = repositoryWith(S, add("S/a", "{}"));

    partial(
            repository,
            add("S/b", "{}"),
            add("S/a", "{}"),
            add("S/c", "{'n':'x'}"),
            "{'operation':'fly'}",
            revise("S/a", "{}"),
            with(revise("S/b", "{'n':1}"), "'expectedVersion':7"))
        .statusCode(201)
        .body("partial", equalTo(true))
        .body("commitId", matchesPattern("[0-9a-f]{16}"))
        .body("repoSeq", equalTo(2))
        .body("operationCount", equalTo(6))
        .body("operations.opIndex", contains(0, 1, 2, 3, 4, 5))
        .body("operations.status", contains("applied", "error", "error", "error", "noop", "error"))
        .body("operations[0].error", nullValue())
        .body("operations[1].error.code", equalTo("ALREADY_EXISTS"))
        .body("operations[1].error.details.currentVersion", equalTo(1))
        .body("operations[1].error.hint", containsString("skipExisting"))
        .body("operations[2].error.hint", nullValue())
        .body("operations[2].error.code", equalTo("SHAPE_MISMATCH"))
        .body("operations[2].error.details.errors.pointer", contains("/operations/2/data/n"))
        .body("operations[3].error.code", equalTo("VALIDATION_ERROR"))
        .body("operations[3].error.details.errors.pointer", contains("/operations/3/operation"))
        .body("operations[5].error.code", equalTo("CONFLICT"))
        .body("operations[5].error.details.reason", equalTo("expected_version_mismatch"))
        .body("operations[5].error.details.expectedVersion", equalTo(7))
        .body("operations[5].error.details.currentVersion", equalTo(1));

    thing(repository, "S/b").body("version", equalTo(1));
    missing(repository, "S/c");
    assertVerified(repository);
  }

  @Test
  void an_operation_with_a_mistake_of_form_says_what_was_requested() {
    partial(
            repositoryWith(S),
            "{'operation':'add','datum':{}}",
            "{'operation':'revise'}",
            "{'operation':'retract'}",
            "{'operation':'rename','name':'S/a'}",
            revise("S/none", "{}"),
            "{'operation':'fly'}",
            "{'operation':1}",
            "{}",
            "1")
        .statusCode(200)
        .body(
            "operations.operation",
            contains("add", "revise", "retract", "rename", "revise", null, null, null, null));
  }

  @Test
  void an_operation_that_refers_to_a_failed_one_fails_with_dependency_failed() {
    var repository = repositoryWith(S);

    partial(
            repository,
            add("S/a", "{'n':'x'}"),
            add("S/b", "{'to':'S/a'}"),
            add("S/c", "{'to':'$0'}"),
            assertion("S/d", "'S/a'", "{}"),
            collection("set", "S/a"),
            revise("S/a", "{}"),
            assertion("S/e", "'$4'", "{}"),
            add("S/f", "{}"),
            add("S/g", "{'to':'$7'}"),
            assertion("S/h", "{'set':['$1']}", "{}"))
        .statusCode(201)
        .body(
            "operations.error.code",
            contains(
                "SHAPE_MISMATCH",
                "DEPENDENCY_FAILED",
                "DEPENDENCY_FAILED",
                "DEPENDENCY_FAILED",
                "DEPENDENCY_FAILED",
                "DEPENDENCY_FAILED",
                "DEPENDENCY_FAILED",
                "DEPENDENCY_FAILED"))
        .body("operations[7].status", equalTo("applied"))
        .body("operations[8].status", equalTo("applied"));
    assertEquals(3, Commits.count(repository));
  }

  @Test
  void things_of_a_shape_that_failed_depend_on_it() {
    var repository = repositoryWith(S);

    partial(
            repository,
            shape("T", "{'x':'nonsense'}"),
            add("T/a", "{}"),
            shape("S"),
            add("S/a", "{}"))
        .body("operations[0].error.code", equalTo("VALIDATION_ERROR"))
        .body("operations[1].error.code", equalTo("DEPENDENCY_FAILED"))
        .body("operations[2].error.code", equalTo("ALREADY_EXISTS"))
        .body("operations[3].status", equalTo("applied"));
  }

  @Test
  void an_operation_whose_form_is_wrong_fails_those_that_need_what_it_names() {
    var repository = repositoryWith(S);

    partial(repository, with(add("S/a", "{}"), "'typo':1"), add("S/b", "{'to':'S/a'}"))
        .body("operations.error.code", contains("VALIDATION_ERROR", "DEPENDENCY_FAILED"));
  }

  @Test
  void a_name_that_failed_may_be_added_by_a_later_operation() {
    var repository = repositoryWith(S);

    partial(repository, add("S/a", "{'n':'x'}"), add("S/a", "{'n':1}"), add("S/b", "{'to':'S/a'}"))
        .statusCode(201)
        .body("operations.status", contains("error", "applied", "applied"));
  }

  @Test
  void with_nothing_applied_there_is_no_commit() {
    var repository = repositoryWith(S, add("S/a", "{}"));
    var before = state(repository);

    partial(repository, add("S/a", "{}"), revise("S/a", "{}"))
        .statusCode(200)
        .body("partial", equalTo(true))
        .body("commitId", nullValue())
        .body("repoSeq", nullValue())
        .body("operations.status", contains("error", "noop"));

    assertEquals(before, state(repository));
  }

  @Test
  void without_errors_the_answer_is_not_partial() {
    partial(repositoryWith(S), add("S/a", "{}")).statusCode(201).body("partial", nullValue());
  }

  @Test
  void a_dry_run_answers_the_same_and_writes_nothing() {
    var repository = repositoryWith(S, add("S/old", "{}"));
    var operations =
        ops(
            add("S/a", "{'x':1}"),
            revise("S/old", "{'n':1}"),
            rename("S/old", "new"),
            assertion("S/note", "{'pair':['S/a','S/new']}", "{}"),
            collection("set", "S/a"));
    var before = state(repository);

    var dry =
        dryRun(repository, operations)
            .statusCode(200)
            .body("commitId", nullValue())
            .body("repoSeq", nullValue())
            .body("createdAt", nullValue())
            .extract();

    assertEquals(before, state(repository));
    var real = applied(repository, operations).extract();
    assertEquals(real.<Object>path("operations"), dry.<Object>path("operations"));
    assertEquals(real.<Integer>path("operationCount"), dry.<Integer>path("operationCount"));
  }

  @Test
  void a_dry_run_is_refused_as_the_commit_would_be() {
    var repository = repositoryWith(S, add("S/a", "{}"));

    Commits.refusedBody(
        repository,
        "{'dryRun':true,'operations':[" + add("S/a", "{}") + "]}",
        ALREADY_EXISTS,
        "/operations/0");
    var before = state(repository);
    submit(
            repository,
            "{'dryRun':true,'atomic':false,'operations':["
                + ops(add("S/a", "{}"), add("S/b", "{}"))
                + "]}")
        .statusCode(200)
        .body("partial", equalTo(true))
        .body("operations.status", contains("error", "applied"));
    assertEquals(before, state(repository));
  }
}
