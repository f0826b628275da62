package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.assertProblem;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The short answer of a commit, {@code return=summary}. */
@HttpTest
@QuarkusTest
class SummaryTest {
  private static final String S = shape("S");

  private static ValidatableResponse send(String repository, String query, String body) {
    return admin().body(body.replace('\'', '"')).post(repository + "/commits" + query).then();
  }

  private static ValidatableResponse summary(String repository, String... operations) {
    var body = "{'atomic':false,'message':'m','operations':[" + ops(operations) + "]}";
    return send(repository, "?return=summary", body);
  }

  @Test
  void a_summary_counts_effects_and_lists_only_what_needs_attention() {
    var repository = repositoryWith(S, add("S/a", "{'n':1}"), add("S/b", "{}"), add("S/c", "{}"));

    summary(
            repository,
            add("S/new", "{}"),
            revise("S/a", "{'n':2}"),
            retract("S/b"),
            rename("S/c", "d"),
            retract("S/b"),
            add("S/x", "{'n':'text'}"),
            add("S/y", "{'undeclared':1}"))
        .statusCode(201)
        .body("commitId", matchesPattern("[0-9a-f]{16}"))
        .body("repoSeq", equalTo(2))
        .body("message", equalTo("m"))
        .body("operationCount", equalTo(7))
        .body("partial", equalTo(true))
        .body("effects", equalTo(Map.of("add", 2, "revise", 2, "rename", 1, "noop", 1, "error", 1)))
        .body("operations.opIndex", contains(5, 6))
        .body("operations[0].error.code", equalTo("SHAPE_MISMATCH"))
        .body("operations[1].warnings", hasSize(1));
  }

  @Test
  void a_summary_without_anything_to_say_is_short() {
    var repository = repositoryWith(S);

    summary(repository, add("S/a", "{}")).statusCode(201).body("operations", hasSize(0));
    send(repository, "?return=summary", "{'dryRun':true,'operations':[" + retract("S/a") + "]}")
        .statusCode(200)
        .body("commitId", nullValue())
        .body("effects.revise", equalTo(1));
  }

  @Test
  void full_is_the_default_and_has_no_effects() {
    var repository = repositoryWith(S);

    for (var query : new String[] {"", "?return=full"}) {
      send(repository, query, "{'operations':[" + revise("Shape/S", "{'fields':{}}") + "]}")
          .body("operations", hasSize(1))
          .body("effects", nullValue());
    }
  }

  @Test
  void any_other_form_is_refused() {
    var repository = repositoryWith(S);
    var before = Commits.state(repository);

    var body = "{'operations':[" + add("S/a", "{}") + "]}";
    assertProblem(send(repository, "?return=short", body), VALIDATION_ERROR, "?return");
    assertProblem(send(repository, "?return=full&return=full", body), VALIDATION_ERROR, "?return");
    assertProblem(send(repository, "?answer=full", body), VALIDATION_ERROR, "?answer");
    org.junit.jupiter.api.Assertions.assertEquals(before, Commits.state(repository));
  }

  @Test
  void a_repeated_request_gets_the_first_answer_in_its_form() {
    var repository = repositoryWith(S);
    var body = "{'operations':[" + add("S/a", "{}") + "]}";

    var first = keyed(repository, "?return=summary", body);
    org.junit.jupiter.api.Assertions.assertEquals(first, keyed(repository, "", body));
  }

  private static String keyed(String repository, String query, String body) {
    return admin()
        .header("Idempotency-Key", "k")
        .body(body.replace('\'', '"'))
        .post(repository + "/commits" + query)
        .then()
        .statusCode(201)
        .extract()
        .asString();
  }
}
