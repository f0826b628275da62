package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.commit.Commits.assertProblem;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.model.ErrorCode;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits: what {@code If-Match} allows. */
@HttpTest
@QuarkusTest
class IfMatchTest {
  private static final String SHAPE =
      "{\"operations\":[{\"operation\":\"add\",\"kind\":\"shape\",\"name\":\"%s\","
          + "\"data\":{\"fields\":{}}}]}";

  private static String tag(String repository) {
    return admin().head(repository + "/commits").header("ETag");
  }

  private static ValidatableResponse commit(
      RequestSpecification caller, String repository, String shape, String... ifMatch) {
    for (var header : ifMatch) {
      caller.header("If-Match", header);
    }
    return caller.body(SHAPE.formatted(shape)).post(repository + "/commits").then();
  }

  @Test
  void a_commit_upon_the_state_that_it_names_is_made() {
    var repository = Api.newRepository();
    commit(admin(), repository, "A", tag(repository)).statusCode(201);
    commit(admin(), repository, "B", "\"x\", " + tag(repository)).statusCode(201);
    commit(admin(), repository, "C", "\"x\"", tag(repository)).statusCode(201);
    commit(admin(), repository, "D", "*").statusCode(201);
  }

  @Test
  void a_commit_upon_another_state_is_refused() {
    var repository = Api.newRepository();
    var stale = tag(repository);
    commit(admin(), repository, "A").statusCode(201);
    var before = Commits.state(repository);
    assertProblem(commit(admin(), repository, "B", stale), ErrorCode.PRECONDITION_FAILED);
    assertEquals(before, Commits.state(repository));
    commit(admin(), repository, "B", tag(repository)).statusCode(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"W/:tag", "x", "\":tag", "\"\""})
  void what_names_no_state_strongly_allows_nothing(String header) {
    var repository = Api.newRepository();
    var named = header.replace(":tag", tag(repository));
    assertProblem(commit(admin(), repository, "A", named), ErrorCode.PRECONDITION_FAILED);
    admin().get(repository).then().body("repoSeq", is(0));
  }

  @Test
  void the_tag_of_another_read_is_another_state() {
    var repository = Api.newRepository();
    var other = admin().get(repository + "/head").header("ETag");
    assertProblem(commit(admin(), repository, "A", other), ErrorCode.PRECONDITION_FAILED);
  }

  @Test
  void form_and_permission_are_checked_first() {
    var repository = Api.newRepository();
    var reader = People.pat(Api.adminToken(), "{'permissions':['repo:read']}");
    assertProblem(commit(as(reader), repository, "A", "\"x\""), ErrorCode.FORBIDDEN);
    assertProblem(commit(admin(), repository, "A b", "\"x\""), ErrorCode.VALIDATION_ERROR);
  }

  @Test
  void what_was_committed_under_a_key_is_answered_again() {
    var repository = Api.newRepository();
    var tag = tag(repository);
    var first =
        commit(admin().header("Idempotency-Key", "k"), repository, "A", tag).statusCode(201);
    var again =
        commit(admin().header("Idempotency-Key", "k"), repository, "A", tag).statusCode(201);
    assertEquals(first.extract().asString(), again.extract().asString());
    admin().get(repository).then().body("repoSeq", is(1));
  }
}
