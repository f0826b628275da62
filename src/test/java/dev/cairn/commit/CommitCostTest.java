package dev.cairn.commit;

import static dev.cairn.Api.as;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.assertProblem;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.model.ErrorCode.NOT_FOUND;
import static dev.cairn.model.ErrorCode.PAYLOAD_TOO_LARGE;
import static dev.cairn.model.ErrorCode.SHAPE_MISMATCH;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a commit may cost: whatever it holds, the answer is soon there, and small. */
@HttpTest
@QuarkusTest
@Timeout(30)
@Tag("long")
class CommitCostTest {
  private static final int MOST_VALUES = 2_000_000;
  private static final String HUNDRED_FIELDS =
      IntStream.range(0, 100)
          .mapToObj(i -> "'f" + i + "':'number'")
          .collect(Collectors.joining(",", "{", "}"));

  private static String operations(int count, IntFunction<String> operation) {
    return IntStream.range(0, count).mapToObj(operation).collect(Collectors.joining(","));
  }

  private static ValidatableResponse submit(String repository, String operations, String members) {
    var body = "{'operations':[" + operations + "]" + members + "}";
    // No log of what is sent: it would print the bodies of these tests in many times their size.
    var answer =
        given()
            .noFilters()
            .auth()
            .oauth2(Api.adminToken())
            .contentType("application/json")
            .body(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
            .post(repository + "/commits")
            .then();
    int size = answer.extract().asByteArray().length;
    assertTrue(size < 4_000_000, size + " bytes");
    return answer;
  }

  @Test
  void a_commit_has_at_most_two_million_values_and_member_names() {
    var repository = repositoryWith(shape("S"));
    // 9 for each operation with an empty array, and the value of dryRun
    int left = MOST_VALUES - 5 * 9 - 1;
    var full = operations(4, i -> zeros(i, 450_000)) + ",";

    submit(repository, full + zeros(4, left - 4 * 450_000), ",'dryRun':true").statusCode(200);
    var beyond = submit(repository, full + zeros(4, left - 4 * 450_000 + 1), ",'dryRun':true");
    assertProblem(beyond, PAYLOAD_TOO_LARGE);
    beyond.body("detail", containsString("2,000,000"));
  }

  private static String zeros(int index, int count) {
    return add("S/" + index, "{'x':[" + "0,".repeat(count - 1) + "0]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "{}", "{'a':{'a':{'a':0}}}", "[[[[]]]]"})
  void a_body_full_of_tiny_values_is_refused(String value) {
    var repository = repositoryWith(shape("S"));
    int times = 15_000_000 / (value.length() + 1);

    assertProblem(
        submit(repository, add("S/a", "{'x':[" + (value + ",").repeat(times) + "0]}"), ""),
        PAYLOAD_TOO_LARGE);
  }

  @Test
  void ten_thousand_operations_with_a_hundred_violations_each_list_a_hundred() {
    var repository = repositoryWith(shape("S", HUNDRED_FIELDS));

    var answer = submit(repository, operations(10_000, i -> add("S/" + i, "{}")), "");

    assertProblem(answer, SHAPE_MISMATCH);
    answer
        .body("errors", hasSize(101))
        .body("errors[0].pointer", equalTo("/operations/0/data/f0"))
        .body("errors[100].detail", equalTo("and 999,900 more"));
  }

  @Test
  void a_partial_commit_tells_the_first_violation_of_each_operation() {
    var repository = repositoryWith(shape("S", HUNDRED_FIELDS));

    submit(repository, operations(10_000, i -> add("S/" + i, "{}")), ",'atomic':false")
        .statusCode(200)
        .body("operations[0].error.details.errors", hasSize(100))
        .body("operations[9999].error.code", equalTo("SHAPE_MISMATCH"))
        .body("operations[9999].error.details.errors", hasSize(2))
        .body("operations[9999].error.details.errors[1].detail", equalTo("and 99 more"));
  }

  @Test
  void ten_thousand_malformed_operations_list_a_hundred_violations() {
    var repository = repositoryWith(shape("S"));
    var unknown = operations(90, i -> "'u" + i + "':0");

    var answer =
        submit(repository, operations(10_000, _ -> "{'operation':'add'," + unknown + "}"), "");

    assertProblem(answer, VALIDATION_ERROR);
    answer.body("errors", hasSize(101));
  }

  @Test
  void undeclared_fields_are_warned_of_in_full_a_thousand_times() {
    var repository = repositoryWith(shape("S", "{}"));
    var unknown = "{" + operations(100, i -> "'u" + i + "':0") + "}";

    submit(repository, operations(5_000, i -> add("S/" + i, unknown)), ",'dryRun':true")
        .statusCode(200)
        .body("operations[0].warnings", hasSize(100))
        .body("operations[4999].warnings", hasSize(2))
        .body("operations[4999].warnings[1]", containsString("99 more fields"));
  }

  @Test
  void patterns_that_would_take_long_are_refused_as_soon_as_the_steps_are_used_up() {
    var slow = "'pattern':'(?:[^b]*[^c]*[^d]*[^e]*){90}Q'";
    var repository = repositoryWith(shape("S", "{'f':{'type':'string'," + slow + "}}"));
    var text = "a".repeat(60_000);

    applies(repository, "Q".repeat(60_000));
    var answer = submit(repository, operations(20, i -> add("S/" + i, "{'f':'" + text + "'}")), "");

    assertProblem(answer, SHAPE_MISMATCH);
    answer
        .body("errors.detail", org.hamcrest.Matchers.hasItem(containsString("150,000,000 steps")))
        .body("errors.pointer", org.hamcrest.Matchers.hasItem("/operations/19/data/f"));
  }

  private static void applies(String repository, String text) {
    submit(repository, add("S/ok", "{'f':'" + text + "'}"), "").statusCode(201);
  }

  @Test
  void a_shape_revised_a_thousand_times_is_not_held_against_all_data_each_time() {
    var repository = repositoryWith(shape("S", HUNDRED_FIELDS.replace("':", "?':")));
    var revisions =
        operations(
            4_000, i -> revise("Shape/S", "{'fields':{'g" + i + "?':'number','l?':['number']}}"));
    var list = "{'l':[" + "0,".repeat(99) + "0]}";
    var adds = operations(4_000, i -> add("S/" + i, list));

    assertProblem(submit(repository, revisions + "," + adds, ",'dryRun':true"), SHAPE_MISMATCH);
  }

  private static String definitions(int count, String definition) {
    return operations(count, _ -> revise("Shape/S", definition));
  }

  @Test
  void what_a_commit_defines_again_and_again_costs_no_more_than_its_steps() {
    var repository = repositoryWith(shape("S"));
    var undeclared =
        IntStream.range(0, 2_000)
            .mapToObj(i -> "'m" + i + "':0")
            .collect(Collectors.joining(",", "{", "}"));
    var many =
        definitions(9_000, "{'fields':{}}") + "," + operations(100, i -> revise("S/a", undeclared));
    assertProblem(submit(repository, many, ",'dryRun':true"), NOT_FOUND);

    var text = "{'t':'" + "x".repeat(300_000) + "'}";
    var longText =
        definitions(9_000, "{'fields':{'t':'string'}}")
            + ","
            + operations(4, i -> revise("S/a", text));
    assertProblem(submit(repository, longText, ",'dryRun':true"), NOT_FOUND);

    var values =
        IntStream.range(0, 4_500).mapToObj(i -> "'v" + i + "'").collect(Collectors.joining(","));
    var wrong =
        definitions(60, "{'fields':{'t':{'type':'string','enum':[" + values + "]}}}")
            + ","
            + operations(3_000, i -> revise("S/a", "{'t':'?'}"));
    assertProblem(submit(repository, wrong, ",'dryRun':true"), NOT_FOUND);
  }

  @Test
  void texts_that_are_long_to_parse_as_references_cost_as_much() {
    var repository = repositoryWith(shape("S"));
    var marks = ("a" + "\u0301\u0323".repeat(15)).repeat(264);
    for (var text : List.of("A/" + marks, "A/" + marks.substring(0, 1_500), "A/x@eyJaaaaaaaaa.")) {
      var values = ("'" + text + "',").repeat(99) + "'" + text + "'";
      var operations =
          definitions(9_000, "{'fields':{'t?':['wref']}}")
              + ","
              + revise("S/a", "{'t':[" + values + "]}");

      assertProblem(submit(repository, operations, ",'dryRun':true"), NOT_FOUND);
    }
  }

  /** Each is written twice when its entity is revised or retracted. */
  @Test
  void references_of_what_a_commit_changes_are_limited() {
    var repository = repositoryWith(shape("S", "{'t?':['wref']}"), add("S/t", "{}"));
    submit(repository, referring("S/a", 150_000) + "," + referring("S/b", 150_000), "")
        .statusCode(201);
    submit(repository, referring("S/c", 1), "").statusCode(201);

    var most = retract("S/a") + "," + retract("S/b") + "," + revise("S/t", "{}");
    submit(repository, most, ",'dryRun':true").statusCode(200);
    for (var one :
        List.of(retract("S/c"), revise("S/c", "{}"), revise("S/c", "{'t':['S/t@v1']}"))) {
      var answer = submit(repository, most + "," + one, ",'dryRun':true");
      assertProblem(answer, PAYLOAD_TOO_LARGE);
      answer.body("detail", containsString("300,000 references"));
    }
    as(People.narrowedPat(repository, "repo:write", "S/**"))
        .body(
            "{'dryRun':true,'operations':[%s,%s]}"
                .formatted(most, retract("S/c"))
                .replace('\'', '"'))
        .post(repository + "/commits")
        .then()
        .statusCode(200);
  }

  private static String referring(String name, int references) {
    return add(name, "{'t':[" + "'S/t',".repeat(references - 1) + "'S/t']}");
  }

  @Test
  void definitions_that_very_many_operations_may_need_are_limited() {
    var repository = repositoryWith(shape("S"));
    var operations =
        definitions(5_000, "{'fields':{}}") + "," + operations(5_000, i -> revise("S/a", "{}"));

    var answer = submit(repository, operations, ",'dryRun':true");
    assertProblem(answer, PAYLOAD_TOO_LARGE);
    answer.body("detail", containsString("defines shapes so often"));
  }

  @Test
  void targets_that_many_renames_may_mean_are_limited() {
    var repository = repositoryWith(shape("S"));
    var shapes = operations(2_000, i -> rename("Shape/S", "Z" + i));
    var things = operations(4_000, i -> rename("S/x" + i, "n"));
    var targets = operations(2_000, i -> "{'operation':'retract','name':'Z" + i + "/n'}");

    var answer = submit(repository, shapes + "," + things + "," + targets, ",'dryRun':true");
    assertProblem(answer, PAYLOAD_TOO_LARGE);
  }

  private static String rename(String name, String newName) {
    return "{'operation':'rename','name':'" + name + "','newName':'" + newName + "'}";
  }

  @Test
  void renames_of_many_shapes_to_one_name_take_no_more_memory_than_there_is() {
    var repository = repositoryWith(shape("S"));
    var renames = operations(5_000, i -> rename("Shape/A" + i, "T"));
    var targets = operations(5_000, i -> "{'operation':'retract','name':'T/x" + i + "'}");

    assertProblem(submit(repository, renames + "," + targets, ""), PAYLOAD_TOO_LARGE);
  }

  @Test
  void patches_are_not_compared_with_every_rename() {
    var repository = repositoryWith(shape("S"));
    var renames = operations(5_000, i -> rename("A" + i + "/x", "n"));
    var patches = operations(5_000, i -> "{'operation':'revise','name':'B" + i + "/n','patch':{}}");

    assertProblem(submit(repository, renames + "," + patches, ""), NOT_FOUND);
  }
}
