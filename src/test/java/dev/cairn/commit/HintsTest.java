package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.commit.Commits.active;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.with;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.model.ErrorCode;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Errors: a refusal that the caller can do something about says what, in {@code hint}. */
@HttpTest
@QuarkusTest
class HintsTest {
  private static final String S = shape("S");
  private static final String A = add("S/a", "{}");
  private static final String ID = "00000000-0000-7000-8000-000000000000";

  /** What is refused, with the reason or the code, and what the hint says. */
  private enum Refusal {
    ANOTHER_VERSION("expected_version_mismatch", "merge your change") {
      @Override
      ValidatableResponse cause() {
        var operation = with(revise("S/a", "{'n':1}"), "'expectedVersion':7");
        return refused(repositoryWith(S, A), operation, ErrorCode.CONFLICT);
      }
    },
    RETRACTED_SHAPE("shape_inactive", "`active: true`") {
      @Override
      ValidatableResponse cause() {
        return refused(repositoryWith(S, active("S", false)), A, ErrorCode.CONFLICT);
      }
    },
    ANOTHER_BODY("IDEMPOTENCY_MISMATCH", "new key") {
      @Override
      ValidatableResponse cause() {
        var repository = Api.newRepository();
        keyed(repository, S).statusCode(201);
        return keyed(repository, shape("T"));
      }

      private static ValidatableResponse keyed(String repository, String operation) {
        return admin()
            .header("Idempotency-Key", "k")
            .body("{'operations':[%s]}".formatted(operation).replace('\'', '"'))
            .post(repository + "/commits")
            .then();
      }
    },
    ANOTHER_STATE("PRECONDITION_FAILED", "`GET /commits`") {
      @Override
      ValidatableResponse cause() {
        return admin()
            .header("If-Match", "\"x\"")
            .body("{'operations':[%s]}".formatted(S).replace('\'', '"'))
            .post(Api.newRepository() + "/commits")
            .then();
      }
    },
    COMMIT_TO_AN_ARCHIVED_REPOSITORY("ARCHIVED", "`repo_unarchive`") {
      @Override
      ValidatableResponse cause() {
        return refused(archived(), S, ErrorCode.ARCHIVED);
      }
    },
    CHANGE_OF_AN_ARCHIVED_REPOSITORY("ARCHIVED", "`repo_unarchive`") {
      @Override
      ValidatableResponse cause() {
        return admin().body(Map.of("description", "x")).patch(archived()).then();
      }
    },
    SUBSCRIPTION_IN_AN_ARCHIVED_REPOSITORY("ARCHIVED", "`repo_unarchive`") {
      @Override
      ValidatableResponse cause() {
        return admin()
            .body(
                Map.of(
                    "name",
                    "w",
                    "kind",
                    "webhook",
                    "shapeName",
                    "Shape",
                    "filterJson",
                    Map.of(),
                    "webhookUrl",
                    "http://127.0.0.1:8/"))
            .post(archived() + "/subs")
            .then();
      }
    },
    CHANGE_OF_AN_ARCHIVED_ORGANIZATION("ARCHIVED", "`org_unarchive`") {
      @Override
      ValidatableResponse cause() {
        var org = "/api/orgs/" + Api.newOrg();
        admin().body(Map.of("archived", true)).patch(org).then().statusCode(200);
        return admin().body(Map.of("displayName", "x")).patch(org).then();
      }
    },
    MISSING_PERMISSION("FORBIDDEN", "ask an owner") {
      @Override
      ValidatableResponse cause() {
        var reader = People.pat(Api.adminToken(), "{'permissions':['repo:read']}");
        return as(reader)
            .body("{'operations':[%s]}".formatted(S).replace('\'', '"'))
            .post(Api.newRepository() + "/commits")
            .then();
      }
    },
    MISSING_VERSION("NOT_FOUND", "`thing_history`") {
      @Override
      ValidatableResponse cause() {
        return admin().get(repositoryWith(S, A) + "/things/S/a?version=9").then();
      }
    },
    MISSING_VERSION_OF_A_TARGET("NOT_FOUND", "`thing_history`") {
      @Override
      ValidatableResponse cause() {
        return admin().get(repositoryWith(S, A) + "/about/S/a@v9").then();
      }
    },
    MISSING_WORD("VALIDATION_ERROR", "`add` creates") {
      @Override
      ValidatableResponse cause() {
        return refused(
            Api.newRepository(),
            "{'op':'add','name':'S/a','data':{}}",
            ErrorCode.VALIDATION_ERROR,
            "/operations/0/operation",
            "/operations/0/op");
      }
    },
    WORD_OF_ANOTHER_SERVICE("VALIDATION_ERROR", "`revise` for `update`") {
      @Override
      ValidatableResponse cause() {
        return refused(
            Api.newRepository(),
            "{'operation':'retract'},{'operation':'update','name':'S/a'}",
            ErrorCode.VALIDATION_ERROR,
            "/operations/0/name",
            "/operations/1/operation");
      }
    };

    final String reason;
    final String remedy;

    Refusal(String reason, String remedy) {
      this.reason = reason;
      this.remedy = remedy;
    }

    abstract ValidatableResponse cause();

    private static String archived() {
      var repository = Api.newRepository();
      admin().body(Map.of("archived", true)).patch(repository).then().statusCode(200);
      return repository;
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_refusal_says_what_to_do(Refusal refusal) {
    var answer = refusal.cause();
    String reason = answer.extract().path("details.reason");
    String code = answer.extract().path("code");
    assertEquals(refusal.reason, reason == null ? code : reason, answer.extract().asString());
    answer.body("hint", containsString(refusal.remedy));
  }

  @Test
  void a_name_that_is_taken_or_reserved_says_what_to_do() {
    var repository = repositoryWith(S, A, add("S/b", "{}"), shape("T"));
    hinted(refused(repository, rename("S/a", "b"), ErrorCode.ALREADY_EXISTS), "another name");
    hinted(refused(repository, rename("S", "T"), ErrorCode.ALREADY_EXISTS), "another name");
    hinted(refused(repository, rename("S", "Shape"), ErrorCode.RESERVED_NAME), "another name");
    hinted(refused(repository, shape("Shape"), ErrorCode.RESERVED_NAME), "another name");
    hinted(refused(repository, active("Shape", false), ErrorCode.RESERVED_NAME), "of your own");
    hinted(
        refused(
            repository, ops(rename("S/a", "c"), rename("$0", "d")), ErrorCode.ILLEGAL_OP_SEQUENCE),
        "once");
    hinted(
        refused(repository, ops(add("S/c", "{}"), add("S/c", "{}")), ErrorCode.ILLEGAL_OP_SEQUENCE),
        "`skipExisting`");
  }

  private static void hinted(ValidatableResponse refusal, String remedy) {
    refusal.body("hint", containsString(remedy));
  }

  @ParameterizedTest
  @CsvSource({
    "/subs/none, `subscription_list`",
    "/credential-sets/none, `credential_set_list`",
    "/actions/runs/" + ID + "/attempts, `action_runs`",
    "/actions/subs/none/commits/0123456789abcdef/attempts, `action_runs`",
    "/commits/0123456789abcdef, `commit_log`",
    "/head?at=0123456789abcdef, `commit_log`",
    "/head?at=99, `commit_log`"
  })
  void what_is_missing_says_where_to_find_what_exists(String path, String remedy) {
    hinted(admin().get(Api.newRepository() + path).then().statusCode(404), remedy);
  }

  @ParameterizedTest
  @CsvSource({
    "/subs/none/pause, `subscription_list`",
    "/subs/none/recover, `subscription_list`",
    "/actions/runs/" + ID + "/retry, `action_runs`"
  })
  void a_change_of_what_is_missing_says_the_same(String path, String remedy) {
    hinted(
        admin().body("{\"since\":0}").post(Api.newRepository() + path).then().statusCode(404),
        remedy);
  }

  @Test
  void a_missing_version_and_a_hidden_entity_are_answered_alike() {
    var repository = repositoryWith(S, A, add("S/b", "{}"));
    var narrowed = as(People.narrowedPat(repository, "repo:read", "S/b"));
    var hidden = narrowed.get(repository + "/things/S/a?version=9").then().statusCode(404);
    assertNotNull(hidden.extract().path("hint"));
    assertEquals(
        admin().get(repository + "/things/S/a?version=9").asString(), hidden.extract().asString());
  }

  @Test
  void an_operation_of_a_partial_commit_has_its_own_hint() {
    Api.submit(
            Api.newRepository(),
            "{'atomic':false,'operations':[{'operation':'create'},{'operation':'delete'}]}")
        .statusCode(200)
        .body("operations[0].error.hint", containsString("`add` for `create`"))
        .body("operations[1].error.hint", containsString("`retract` for `delete`"));
  }

  @Test
  void the_hint_of_several_malformed_operations_says_whose_it_is() {
    Api.submit(
            Api.newRepository(), "{'operations':[{'operation':'retract'},{'operation':'delete'}]}")
        .statusCode(400)
        .body("hint", startsWith("`/operations/1`: "))
        .body("hint", containsString("`retract` for `delete`"));
  }

  @ParameterizedTest
  @CsvSource({
    "/commits/x, ?commitId",
    "/actions/runs/x/attempts, ?runId",
    "/things/1/x, ?wref",
    "/shapes/1, ?name",
    "/credential-sets/-a, ?name",
    "/head?limit=x, ?limit"
  })
  void what_is_wrong_in_a_path_or_a_query_is_named_as_a_parameter(String path, String pointer) {
    var url = Api.newRepository() + path;
    var answer =
        path.startsWith("/credential-sets")
            ? admin().contentType("application/json").body("{}").put(url)
            : admin().get(url);
    answer.then().statusCode(400).body("errors.pointer", contains(pointer));
  }
}
