package dev.cairn.commit;

import static dev.cairn.Api.as;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.shape;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Commits, retract: how many active entities referred to what is retracted. */
@HttpTest
@QuarkusTest
class RetractWarningTest {
  private static String warning(String number, String wref) {
    return "Before this commit, " + number + " referred to `" + wref + "`.";
  }

  @Test
  void an_entity_that_refers_by_about_and_in_data_is_counted_once() {
    var repository = repositoryWith(shape("S"), shape("N"), add("S/a", "{}"), add("S/alone", "{}"));
    applied(repository, assertion("N/about", "'S/a'", "{'to':'S/a'}"), add("S/x", "{'to':'S/a'}"));
    applied(repository, add("S/former", "{'to':'S/a'}"), retract("S/former"));

    Api.submit(
            repository,
            "{'dryRun':true,'operations':[" + retract("S/a") + "," + retract("S/alone") + "]}")
        .statusCode(200)
        .body("operations[0].warnings", contains(warning("2 active entities", "S/a")))
        .body("operations[1]", not(hasKey("warnings")));
    applied(repository, "{'operation':'revise','name':'S/a','active':false,'data':{'n':1}}")
        .body("operations[0].warnings", contains(warning("2 active entities", "S/a")));
    applied(repository, "{'operation':'revise','name':'S/a','active':true}")
        .body("operations[0]", not(hasKey("warnings")));
    applied(repository, retract("S/x"), retract("S/a"))
        .body("operations[1].warnings", contains(warning("2 active entities", "S/a")));
  }

  @Test
  void beyond_a_thousand_it_is_at_least_that_number() {
    var repository = repositoryWith(shape("S"), add("S/a", "{}"));
    applied(
        repository,
        IntStream.range(0, 1_001)
            .mapToObj(i -> add("S/r" + i, "{'to':'S/a'}"))
            .collect(Collectors.joining(",")));
    applied(repository, retract("S/a"))
        .body("operations[0].warnings", contains(warning("at least 1,000 active entities", "S/a")));
  }

  /** Those that are not active are looked at too, and no more than 50 of each if it is many. */
  @Test
  void what_is_counted_is_a_part_if_too_much_would_be_looked_at() {
    var repository = repositoryWith(shape("S"), add("S/a", "{}"), add("S/b", "{}"));
    applied(repository, many(60, i -> add("S/r" + i, "{'to':'S/a'}")));
    applied(repository, many(60, i -> add("S/s" + i, "{'to':'S/b'}")));
    applied(repository, many(60, i -> retract("S/s" + i)));
    applied(repository, add("S/t", "{'to':'S/b'}"), many(2_500, i -> add("S/o" + i, "{}")));
    var few = retract("S/a") + "," + retract("S/b");
    retracting(repository, few)
        .body("operations[0].warnings", contains(warning("60 active entities", "S/a")))
        .body("operations[1].warnings", contains(warning("1 active entity", "S/b")));
    retracting(repository, few + "," + many(2_500, i -> retract("S/o" + i)))
        .body("operations[0].warnings", contains(warning("at least 50 active entities", "S/a")))
        .body("operations[1]", not(hasKey("warnings")));
  }

  private static String many(int count, IntFunction<String> operation) {
    return IntStream.range(0, count).mapToObj(operation).collect(Collectors.joining(","));
  }

  private static ValidatableResponse retracting(String repository, String operations) {
    return Api.submit(repository, "{'dryRun':true,'operations':[" + operations + "]}")
        .statusCode(200);
  }

  @Test
  void a_narrowed_token_gets_no_warning() {
    var repository = Api.newRepository("private");
    applied(repository, shape("S"), shape("N"), add("S/a", "{}"), add("S/b", "{'to':'S/a'}"));
    applied(repository, assertion("N/n", "'S/a'", "{}"));
    var token =
        People.pat(
            Api.adminToken(),
            "{'resource':'%s','permissions':['repo:read','repo:write'],'allowedMatches':['S/*']}"
                .formatted(repository.substring("/api/repos/".length())));
    as(token)
        .body("{\"operations\":[{\"operation\":\"retract\",\"name\":\"S/a\"}]}")
        .post(repository + "/commits")
        .then()
        .statusCode(201)
        .body("operations[0]", not(hasKey("warnings")));
  }
}
