package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.assertProblem;
import static dev.cairn.commit.Commits.missing;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.state;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.model.ErrorCode.ALREADY_EXISTS;
import static dev.cairn.model.ErrorCode.CONFLICT;
import static dev.cairn.model.ErrorCode.FORBIDDEN;
import static dev.cairn.model.ErrorCode.IDEMPOTENCY_MISMATCH;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Stored;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.access.authentication.AccountRows;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@HttpTest
@QuarkusTest
class IdempotencyTest {
  private static final String S = shape("S");
  private static final String HEADER = "Idempotency-Key";

  private final DataSource dataSource = OwnConnections.dataSource();

  private static ValidatableResponse keyed(
      String token, String repository, String key, String body) {
    return as(token)
        .header(HEADER, key)
        .body(body.replace('\'', '"'))
        .post(repository + "/commits")
        .then();
  }

  private static ValidatableResponse keyed(String repository, String key, String body) {
    return keyed(Api.adminToken(), repository, key, body);
  }

  private static String body(String operation) {
    return "{'operations':[" + operation + "]}";
  }

  @Test
  void the_same_key_and_body_give_the_first_answer_again() {
    var repository = repositoryWith(S);
    var first =
        keyed(repository, "k", body(add("S/a", "{'n':1}"))).statusCode(201).extract().asString();
    var after = state(repository);

    assertEquals(
        first,
        keyed(repository, "k", body(add("S/a", "{'n':1}"))).statusCode(201).extract().asString());
    assertEquals(after, state(repository));
  }

  @Test
  void a_long_answer_is_repeated_too() {
    var repository = repositoryWith(S);
    var operations =
        IntStream.range(0, 1_000)
            .mapToObj(i -> add("S/a" + i, "{'n':1}"))
            .collect(Collectors.joining(","));
    var first = keyed(repository, "k", body(operations)).statusCode(201).extract().asString();
    assertTrue(first.length() > 100_000, first.length() + " characters");

    assertEquals(
        first, keyed(repository, "k", body(operations)).statusCode(201).extract().asString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "\u00e4"})
  void a_key_that_is_none_is_refused(String key) {
    var repository = repositoryWith(S);
    var before = state(repository);
    assertProblem(keyed(repository, key, body(add("S/a", "{}"))), VALIDATION_ERROR, "?" + HEADER);
    assertEquals(before, state(repository));
  }

  @Test
  void a_request_has_one_key() {
    var repository = repositoryWith(S);
    var before = state(repository);
    for (var second : new String[] {"k", "l"}) {
      var answer =
          admin()
              .header(HEADER, "k", second)
              .body(body(add("S/a", "{}")).replace('\'', '"'))
              .post(repository + "/commits")
              .then();
      assertProblem(answer, VALIDATION_ERROR, "?" + HEADER);
    }
    assertEquals(before, state(repository));
  }

  @Test
  void bodies_are_compared_as_canonical_json() {
    var repository = repositoryWith(S);
    var first =
        keyed(repository, "k", "{'message':'m','operations':[" + add("S/a", "{'n':1,'m':2}") + "]}")
            .statusCode(201)
            .extract()
            .asString();

    var again =
        keyed(
            repository,
            "k",
            """
            { 'operations' : [ {'data':{'m':2.0,'n':1e0},
              'name':'S\\u002fa', 'operation':'add'} ], 'message':'m' }
            """);

    assertEquals(first, again.statusCode(201).extract().asString());
  }

  @Test
  void the_same_key_with_another_body_is_a_mismatch() {
    var repository = repositoryWith(S);
    keyed(repository, "k", body(add("S/a", "{'n':1}"))).statusCode(201);
    var before = state(repository);

    assertProblem(keyed(repository, "k", body(add("S/a", "{'n':2}"))), IDEMPOTENCY_MISMATCH);
    assertProblem(
        keyed(repository, "k", "{'message':'x','operations':[" + add("S/a", "{'n':1}") + "]}"),
        IDEMPOTENCY_MISMATCH);
    assertProblem(
        keyed(repository, "k", body("{'operation':'add','name':'S/a','dta':{}}")),
        VALIDATION_ERROR);

    assertEquals(before, state(repository));
  }

  @Test
  void an_answer_without_a_commit_is_kept_too() {
    var repository = repositoryWith(S, add("S/a", "{'n':1}"));
    keyed(repository, "k", body(revise("S/a", "{'n':1}"))).statusCode(200);
    Commits.applied(repository, revise("S/a", "{'n':2}"));

    keyed(repository, "k", body(revise("S/a", "{'n':1}")))
        .statusCode(200)
        .body("operations[0].status", equalTo("noop"));
    thing(repository, "S/a").body("data.n", equalTo(2));
  }

  @Test
  void a_refused_request_keeps_no_key() {
    var repository = repositoryWith(S, add("S/a", "{}"));
    assertProblem(keyed(repository, "k", body(add("S/a", "{}"))), ALREADY_EXISTS);

    keyed(repository, "k", body(add("S/b", "{}"))).statusCode(201);
  }

  @Test
  void a_dry_run_keeps_no_key() {
    var repository = repositoryWith(S);
    var operation = add("S/a", "{}");
    keyed(repository, "k", "{'dryRun':true,'operations':[" + operation + "]}").statusCode(200);
    missing(repository, "S/a");

    keyed(repository, "k", body(operation)).statusCode(201);
  }

  @Test
  void a_key_belongs_to_its_account_and_repository() {
    var repository = repositoryWith(S);
    var other = repositoryWith(S);
    var email = Api.unique("editor") + "@example.org";
    AccountRows.insert(email, "Editor", "a good password");
    admin()
        .body("{\"role\":\"editor\"}")
        .put("/api/orgs/" + Commits.org(repository) + "/members/" + email)
        .then()
        .statusCode(200);
    var token = Api.token(email, "a good password");
    keyed(repository, "k", body(add("S/a", "{}"))).statusCode(201);

    keyed(other, "k", body(add("S/b", "{}"))).statusCode(201);
    keyed(token, repository, "k", body(add("S/b", "{}")))
        .statusCode(201)
        .body("author", equalTo("Editor"));
    assertProblem(keyed(token, repository, "k", body(add("S/a", "{}"))), IDEMPOTENCY_MISMATCH);
  }

  @Test
  void a_narrowed_token_gets_no_answer_of_a_token_that_may_do_something_else() {
    var repository = repositoryWith(S);
    var a = body(add("S/a", "{}"));
    keyed(repository, "k", a).statusCode(201);
    var narrowed = People.narrowedPat(repository, "repo:write", "S/b");
    assertProblem(keyed(narrowed, repository, "k", a), FORBIDDEN);

    var b = body(add("S/b", "{}"));
    var first = keyed(narrowed, repository, "k", b).statusCode(201).extract().asString();
    var alike = People.narrowedPat(repository, "repo:write", "S/b");
    assertEquals(first, keyed(alike, repository, "k", b).statusCode(201).extract().asString());
    assertProblem(keyed(alike, repository, "k", body(add("S/b", "{'n':1}"))), IDEMPOTENCY_MISMATCH);
    var wider = People.narrowedPat(repository, "repo:write", "S/b", "S/c");
    assertProblem(keyed(wider, repository, "k", b), ALREADY_EXISTS);
    keyed(repository, "k", a).statusCode(201);
  }

  @ParameterizedTest
  @CsvSource({"23 hours 59 minutes,422", "24 hours 1 minute,201"})
  void a_key_is_kept_for_24_hours(String age, int status) throws SQLException {
    var repository = repositoryWith(S);
    var key = UUID.randomUUID().toString();
    keyed(repository, key, body(add("S/a", "{}"))).statusCode(201);
    try (var connection = dataSource.getConnection();
        var statement =
            connection.prepareStatement(
                "update idempotency_key set created_at = created_at - ?::interval where key = ?")) {
      statement.setString(1, age);
      statement.setString(2, key);
      assertEquals(1, statement.executeUpdate());
    }

    keyed(repository, key, body(add("S/b", "{}"))).statusCode(status);
    Stored.assertCounted(repository);
  }

  @Test
  void while_the_first_request_runs_the_key_is_in_use() throws Exception {
    var repository = repositoryWith(S);
    var body = body(add("S/a", "{}"));
    var first = new CompletableFuture<ValidatableResponse>();
    Commits.whileLocked(
        dataSource,
        repository,
        holder -> {
          first.completeAsync(() -> keyed(repository, "k", body), Threads.OWN);
          Waiting.awaitWaiter(holder);
          var refused = keyed(repository, "k", body);
          assertProblem(refused, CONFLICT);
          refused
              .body("details.reason", equalTo("idempotency_key_in_use"))
              .body("hint", containsString("again later"));
        });
    first.get().statusCode(201);
    keyed(repository, "k", body).statusCode(201);
  }

  @ParameterizedTest
  @CsvSource({"1,201", "255,201", "256,400"})
  void a_key_has_1_to_255_characters(int length, int status) {
    var repository = repositoryWith(S);

    keyed(repository, "k".repeat(length), body(add("S/a", "{}"))).statusCode(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "k\u00e9y"})
  void a_key_of_other_characters_is_refused(String key) {
    var repository = repositoryWith(S);

    assertProblem(keyed(repository, key, body(add("S/a", "{}"))), VALIDATION_ERROR, "?" + HEADER);
    missing(repository, "S/a");
  }

  @Test
  void payloads_may_nest_as_deep_with_a_key_as_without() {
    var repository = repositoryWith(S);
    var deep = "{'x':" + "[".repeat(63) + "]".repeat(63) + "}";

    keyed(repository, "k", body(add("S/a", deep))).statusCode(201);
    keyed(repository, "k", body(add("S/a", deep))).statusCode(201);
  }
}
