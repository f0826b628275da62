package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.commit;
import static dev.cairn.commit.Commits.active;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.history;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.state;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.commit.Commits.with;
import static dev.cairn.model.ErrorCode.ALREADY_EXISTS;
import static dev.cairn.model.ErrorCode.CONFLICT;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations: revise, and retract, which is one. */
@HttpTest
@QuarkusTest
class ReviseTest {
  private static final String S = shape("S");
  private static final String A = add("S/a", "{'n':1}");

  @Test
  void a_revise_replaces_the_whole_payload_and_makes_the_next_version() {
    var repository = repositoryWith(S, add("S/a", "{'n':1,'other':true}"));

    applied(repository, revise("S/a", "{'n':2}"))
        .body("operations[0].operation", equalTo("revise"))
        .body("operations[0].version", equalTo(2));

    thing(repository, "S/a")
        .body("version", equalTo(2))
        .body("data", equalTo(java.util.Map.of("n", 2)));
    thing(repository, "S/a?version=1").body("data.other", equalTo(true));
    history(repository, "S/a").body("items.operation", contains("revise", "add"));
  }

  @Test
  void a_retract_is_a_revise_to_inactive_with_the_data_unchanged() {
    var repository = repositoryWith(S, A);

    applied(repository, retract("S/a"))
        .body("operations[0].operation", equalTo("revise"))
        .body("operations[0].version", equalTo(2));

    thing(repository, "S/a").body("active", equalTo(false)).body("data.n", equalTo(1));
    history(repository, "S/a")
        .body("items.operation", contains("revise", "add"))
        .body("items.active", contains(false, true))
        .body("items.data.n", contains(1, 1));
    admin().get(repository + "/head?shape=S").then().body("items", hasSize(0));
  }

  @Test
  void active_true_brings_an_entity_back_with_its_data() {
    var repository = repositoryWith(S, A);
    applied(repository, retract("S/a"));

    applied(repository, active("S/a", true)).body("operations[0].version", equalTo(3));

    thing(repository, "S/a").body("active", equalTo(true)).body("data.n", equalTo(1));
  }

  @Test
  void a_revise_keeps_the_active_state_unless_it_says_otherwise() {
    var repository = repositoryWith(S, A);
    applied(repository, retract("S/a"));

    applied(repository, revise("S/a", "{'n':2}"));
    thing(repository, "S/a").body("active", equalTo(false)).body("data.n", equalTo(2));

    applied(repository, with(revise("S/a", "{'n':2}"), "'active':true"))
        .body("operations[0].version", equalTo(4));
    thing(repository, "S/a").body("active", equalTo(true)).body("data.n", equalTo(2));
  }

  @Test
  void names_of_inactive_entities_stay_taken() {
    var repository = repositoryWith(S, A);
    applied(repository, retract("S/a"));

    refused(repository, A, ALREADY_EXISTS, "/operations/0");
  }

  @Test
  void a_revise_with_equal_canonical_data_is_a_noop() {
    var repository = repositoryWith(S, add("S/a", "{'n':1,'b':[1,{'x':2,'y':3}]}"));
    var before = state(repository);

    commit(repository, revise("S/a", "{'b':[1.0,{'y':3,'x':2e0}],'n':1.0}"))
        .statusCode(200)
        .body("commitId", nullValue())
        .body("repoSeq", nullValue())
        .body("operations[0].status", equalTo("noop"))
        .body("operations[0].operation", equalTo("noop"))
        .body("operations[0].version", equalTo(1));

    assertEquals(before, state(repository));
  }

  @Test
  void a_retract_of_what_is_inactive_is_a_noop() {
    var repository = repositoryWith(S, A);
    applied(repository, retract("S/a"));

    commit(repository, retract("S/a")).statusCode(200).body("operations.status", contains("noop"));
    commit(repository, active("S/a", false))
        .statusCode(200)
        .body("operations.status", contains("noop"));
  }

  @Test
  void equal_data_with_another_active_state_makes_a_version() {
    var repository = repositoryWith(S, A);

    applied(repository, with(revise("S/a", "{'n':1}"), "'active':false"))
        .body("operations[0].version", equalTo(2));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void an_expected_version_that_does_not_match_is_a_conflict(int expected) {
    var repository = repositoryWith(S, A);
    applied(repository, revise("S/a", "{'n':2}"));
    var member = "'expectedVersion':" + expected;

    for (var operation :
        new String[] {revise("S/a", "{'n':3}"), retract("S/a"), rename("S/a", "b")}) {
      refused(repository, with(operation, member), CONFLICT, "/operations/0")
          .body("details.reason", equalTo("expected_version_mismatch"))
          .body("details.expectedVersion", equalTo(expected))
          .body("details.currentVersion", equalTo(2));
    }
  }

  @Test
  void an_expected_version_that_matches_lets_the_operation_pass() {
    var repository = repositoryWith(S, A);

    applied(repository, with(revise("S/a", "{'n':2}"), "'expectedVersion':1"));
    applied(repository, with(retract("S/a"), "'expectedVersion':2"));
    applied(repository, with(rename("S/a", "b"), "'expectedVersion':3"));
  }

  @Test
  void an_expected_version_counts_what_earlier_operations_of_the_commit_made() {
    var repository = repositoryWith(S, A);

    refused(
        repository,
        ops(revise("S/a", "{'n':2}"), with(revise("S/a", "{'n':3}"), "'expectedVersion':1")),
        CONFLICT,
        "/operations/1");
    applied(
        repository,
        revise("S/a", "{'n':2}"),
        with(revise("S/a", "{'n':3}"), "'expectedVersion':2"));
  }

  @Test
  void the_target_of_an_assertion_never_changes() {
    var repository =
        repositoryWith(S, A, add("S/b", "{}"), assertion("S/note", "'S/a'", "{'n':1}"));

    refused(
        repository,
        with(revise("S/note", "{'n':2}"), "'about':'S/b'"),
        VALIDATION_ERROR,
        "/operations/0/about");
    refused(
        repository,
        with(revise("S/a", "{'n':2}"), "'about':'S/b'"),
        VALIDATION_ERROR,
        "/operations/0/about");
    applied(repository, with(revise("S/note", "{'n':2}"), "'about':'S/a'"));
    thing(repository, "S/note").body("aboutWref", equalTo("S/a@v1"));
  }
}
