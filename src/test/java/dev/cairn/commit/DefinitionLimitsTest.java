package dev.cairn.commit;

import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertProblem;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.model.ErrorCode.PAYLOAD_TOO_LARGE;
import static org.hamcrest.Matchers.containsString;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/api.md, Limits: the definitions of all shapes that one commit names. */
@HttpTest
@QuarkusTest
class DefinitionLimitsTest {
  /** How many definitions of {@link #LARGE} bytes have 4 MiB together. */
  private static final int MAX_LARGE_DEFINITIONS = 64;

  private static final int LARGE = 64 * 1024;
  private static final int TOKEN = 20;
  private static final String EMPTY = "{'description':'','fields':{}}";
  private static final int TOKENS_OF_EMPTY = 6;

  private static String each(int count, IntFunction<String> operation) {
    return IntStream.range(0, count).mapToObj(operation).collect(Collectors.joining(","));
  }

  private static ValidatableResponse addToEach(String repository, int shapes, String... more) {
    var operations = each(shapes, i -> add("S" + i + "/x", "{}"));
    var all = more.length == 0 ? operations : operations + "," + String.join(",", more);
    return Api.submit(repository, "{'operations':[" + all + "],'dryRun':true}");
  }

  private static void assertTooLarge(ValidatableResponse answer) {
    assertProblem(answer, PAYLOAD_TOO_LARGE, "/operations");
    answer
        .body("detail", containsString("4,194,304 bytes"))
        .body("hint", containsString("several commits"));
  }

  /** A definition that counts as {@link #LARGE}. */
  private static String large(String name) {
    int text = LARGE - EMPTY.length() - TOKENS_OF_EMPTY * TOKEN;
    return add("Shape/" + name, EMPTY.replace("''", "'" + "y".repeat(text) + "'"));
  }

  @Test
  void the_definitions_that_one_commit_loads_have_at_most_4_mib() {
    var repository = Api.newRepository();
    applied(repository, each(MAX_LARGE_DEFINITIONS + 1, i -> large("S" + i)), shape("T", "{}"));
    addToEach(repository, MAX_LARGE_DEFINITIONS).statusCode(200);
    assertTooLarge(addToEach(repository, MAX_LARGE_DEFINITIONS, add("T/x", "{}")));
    assertTooLarge(addToEach(repository, MAX_LARGE_DEFINITIONS + 1));
  }

  @Test
  void patterns_count_by_their_size_and_not_by_their_text() {
    var repository = Api.newRepository();
    var type = "{'type':'string','pattern':'x{1000}'}";
    var fields = each(5, i -> "'f%d?':%s".formatted(i, type));
    applied(repository, each(30, i -> shape("S" + i, "{" + fields + "}")));
    addToEach(repository, 20).statusCode(200);
    assertTooLarge(addToEach(repository, 30));
  }
}
