package dev.cairn.commit;

import static dev.cairn.Api.anonymous;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertProblem;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.state;
import static dev.cairn.model.ErrorCode.PAYLOAD_TOO_LARGE;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Collections;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Limits: what long names may make of short data; {@code docs/api.md}, Limits. */
@HttpTest
@QuarkusTest
class LongNamesTest {
  private static final String LIST = shape("L", "{'refs':['wref']}");

  /** As many bytes as a name may have: 512 characters of four. */
  private static final String LONGEST = "\ud800\udf48".repeat(512);

  /** A stored reference to that name: {@code S/}, the name, {@code @v1}, quotes, marks, comma. */
  private static final int LONGEST_STORED = 2 + 2048 + 3 + 5;

  /** How many references to that name data of 4 MiB can hold. */
  private static final int MAX_REFERENCES = 4 * 1024 * 1024 / LONGEST_STORED;

  /** How many results with that name a commit can refer to. */
  private static final int MAX_RESULTS = 16 * 1024 * 1024 / (2 + 1024);

  private static String list(String name, int references, String wref) {
    return add("L/" + name, "{'refs':[" + refs(references, wref) + "]}");
  }

  private static String refs(int references, String wref) {
    return String.join(",", Collections.nCopies(references, "'" + wref + "'"));
  }

  private static ValidatableResponse refusable(String repository, String... operations) {
    return Api.commit(repository, String.join(",", operations));
  }

  private static String rename(String to) {
    return "{'operation':'rename','name':'S/a','newName':'" + to + "'}";
  }

  @Test
  void a_rename_that_makes_data_too_long_is_refused_and_changes_nothing() {
    var repository =
        repositoryWith(shape("S"), LIST, add("S/a", "{}"), list("big", MAX_REFERENCES + 1, "S/a"));
    var before = state(repository);
    assertProblem(refusable(repository, rename(LONGEST)), PAYLOAD_TOO_LARGE);
    assertEquals(before, state(repository));
    anonymous().get(repository + "/things/S/a").then().statusCode(200);
  }

  @Test
  void one_that_just_fits_is_made_and_every_read_still_answers() {
    var repository =
        repositoryWith(shape("S"), LIST, add("S/a", "{}"), list("big", MAX_REFERENCES - 1, "S/a"));
    applied(repository, rename(LONGEST));
    anonymous()
        .get(repository + "/head?shape=L")
        .then()
        .statusCode(200)
        .body("items.size()", is(1));
    anonymous().get(repository + "/history?shape=L").then().statusCode(200);
  }

  @Test
  void what_is_renamed_in_the_same_commit_counts_by_its_new_name() {
    var repository = repositoryWith(shape("S"), LIST);
    var before = state(repository);
    assertProblem(
        refusable(
            repository, add("S/a", "{}"), list("big", MAX_REFERENCES + 1, "S/a"), rename(LONGEST)),
        PAYLOAD_TOO_LARGE);
    assertEquals(before, state(repository));
  }

  @Test
  void a_short_reference_to_a_long_name_counts_by_the_name() {
    var repository = repositoryWith(shape("S"), LIST);
    var before = state(repository);
    assertProblem(
        refusable(repository, add("S/" + LONGEST, "{}"), list("big", 100_000, "$0")),
        PAYLOAD_TOO_LARGE);
    assertEquals(before, state(repository));
  }

  @Test
  void long_names_in_many_entities_are_written_in_parts() {
    var repository = repositoryWith(shape("S"), LIST);
    applied(
        repository,
        Stream.of(
                Stream.of(add("S/" + LONGEST, "{}")),
                IntStream.range(0, 10).mapToObj(i -> list("l" + i, 250, "$0")),
                Stream.of(revise("L/l0", "{'refs':['$0','$0']}"), retract("L/l1")))
            .flatMap(operations -> operations)
            .toArray(String[]::new));
    applied(
        repository,
        IntStream.range(2, 10)
            .mapToObj(i -> revise("L/l" + i, "{'refs':[" + refs(255, "S/" + LONGEST) + "]}"))
            .toArray(String[]::new));
    assertVerified(repository);
    var things = anonymous().get(repository + "/things/L/l0").then().statusCode(200);
    things.body("data.refs.size()", is(2), "version", is(2));
    anonymous().get(repository + "/things/L/l9").then().body("data.refs.size()", is(255));
  }

  @Test
  void the_answer_to_short_references_to_a_long_name_has_a_limit() {
    var repository = repositoryWith(shape("S"));
    var before = state(repository);
    assertProblem(refusable(repository, revisions(700)), PAYLOAD_TOO_LARGE);
    assertEquals(before, state(repository));
    applied(repository, revisions(250));
    assertVerified(repository);
  }

  /** With a few kB these would take hundreds of megabytes. */
  @Test
  void what_results_stand_for_has_a_limit_for_a_commit_as_a_whole() {
    var repository = repositoryWith(shape("S"), LIST);
    var before = state(repository);
    assertProblem(
        refusable(
            repository,
            add("S/" + LONGEST, "{}"),
            "{'operation':'add','type':'list','members':[" + refs(100_000, "$0") + "]}"),
        PAYLOAD_TOO_LARGE);
    for (int each : new int[] {250, 1}) {
      int lists = MAX_RESULTS / each;
      assertProblem(refusable(repository, lists(lists + 1, each)), PAYLOAD_TOO_LARGE);
      assertEquals(before, state(repository));
    }
    applied(repository, lists(MAX_RESULTS / 250 - 1, 250));
    assertVerified(repository);
  }

  /** A name, and lists of references to it. */
  private static String[] lists(int count, int references) {
    return Stream.concat(
            Stream.of(add("S/" + LONGEST, "{}")),
            IntStream.range(0, count).mapToObj(i -> list("l" + i, references, "$0")))
        .toArray(String[]::new);
  }

  @Test
  void former_names_of_shapes_have_a_number_also_where_shapes_alone_are_renamed() {
    var repository = repositoryWith(shape("S"));
    var renames =
        Stream.concat(
            IntStream.range(0, 1_000).mapToObj(i -> renameOfShape("Shape/X" + i, "N")),
            IntStream.range(0, 1_000).mapToObj(i -> renameOfShape("Shape/N", "M" + i)));
    assertProblem(refusable(repository, renames.toArray(String[]::new)), PAYLOAD_TOO_LARGE);
  }

  private static String renameOfShape(String name, String newName) {
    return "{'operation':'rename','name':'%s','newName':'%s'}".formatted(name, newName);
  }

  @Test
  void a_hundred_definitions_of_one_commit_do_not_multiply_the_references() {
    var repository = repositoryWith(shape("S"), LIST, add("S/a", "{}"));
    var operations =
        IntStream.range(0, 100)
            .mapToObj(
                i ->
                    "{'operation':'revise','name':'Shape/L','data':{'fields':{'refs':['wref'],'f%d?':'number'}}}"
                        .formatted(i));
    applied(
        repository,
        Stream.concat(operations, Stream.of(list("many", 1_000, "S/a"))).toArray(String[]::new));
    anonymous().get(repository + "/things/L/many").then().body("data.refs.size()", is(1_000));
  }

  /** Each is answered by more than 4,000 bytes. */
  private static String[] revisions(int count) {
    return Stream.concat(
            Stream.of(add("S/" + LONGEST, "{}")),
            Collections.nCopies(count, "{'operation':'revise','name':'$0','data':{}}").stream())
        .toArray(String[]::new);
  }
}
