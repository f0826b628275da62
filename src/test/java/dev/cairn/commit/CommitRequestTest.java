package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.newRepository;
import static dev.cairn.Api.submit;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertProblem;
import static dev.cairn.commit.Commits.history;
import static dev.cairn.commit.Commits.missing;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.state;
import static dev.cairn.model.ErrorCode.UNAUTHENTICATED;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The request, and who may send it. */
@HttpTest
@QuarkusTest
class CommitRequestTest {
  private static final String S = shape("S");
  private static final String A = add("S/a", "{'n':1}");

  @Test
  void a_commit_keeps_the_message_and_the_author_that_it_names() {
    var repository = newRepository();

    submit(repository, "{'message':'why','author':'Ann','operations':[" + S + "]}")
        .statusCode(201)
        .body("message", equalTo("why"))
        .body("author", equalTo("Ann"));

    history(repository, "Shape/S")
        .body("items.author", contains("Ann"))
        .body("items.message", contains("why"));
  }

  @Test
  void each_commit_is_one_step_of_the_sequence() {
    var repository = newRepository();

    applied(repository, S, A).body("repoSeq", equalTo(1));
    applied(repository, add("S/b", "{}"), add("S/c", "{}")).body("repoSeq", equalTo(2));
  }

  @Test
  void every_malformed_operation_is_reported_with_all_that_is_wrong() {
    var repository = repositoryWith(S);

    refused(
        repository,
        ops(
            "{'operation':'add','name':'S/a','data':{},'dat':1}",
            add("S/b", "{}"),
            "{'operation':'revise','name':'S/a'}",
            "{'operation':'add','name':'S/c','data':[],'skipExisting':1}",
            "7",
            "{'operation':'rename','name':'S/a'}",
            "{'name':'S/a'}"),
        VALIDATION_ERROR,
        "/operations/0/dat",
        "/operations/2",
        "/operations/3/data",
        "/operations/3/skipExisting",
        "/operations/4",
        "/operations/5/newName",
        "/operations/6/operation");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'operations':[]}                                  | /operations",
        "{}                                                 | /operations",
        "{'operations':{}}                                  | /operations",
        "{'operations':[OP],'atomc':true}                   | /atomc",
        "{'atomc':[{}],'operations':[OP],'dry':{'run':1}}   | /atomc /dry",
        "{'atomc':true,'operations':[]}                     | /atomc",
        "{'operations':[OP],'atomic':'yes'}                 | /atomic",
        "{'operations':[OP],'dryRun':1}                     | /dryRun",
        "{'operations':[OP],'message':1}                    | /message",
        "{'operations':[OP],'author':''}                    | /author",
        "{'operations':[OP],'operations':[OP]}              | /operations"
      })
  void a_body_of_another_form_is_refused_with_the_places(String body, String pointers) {
    var repository = repositoryWith(S);

    Commits.refusedBody(
        repository, body.replace("OP", A), VALIDATION_ERROR, pointers.split(" ", -1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[]", "{\"operations\":[", "null", "{\"operations\":[]} x", "nonsense"})
  void a_body_that_is_no_json_object_is_refused(String body) {
    var repository = repositoryWith(S);

    assertProblem(admin().body(body).post(repository + "/commits").then(), VALIDATION_ERROR);
  }

  @Test
  void of_very_many_unknown_members_a_hundred_are_listed() {
    var members =
        IntStream.range(0, 5_000).mapToObj(i -> "'u" + i + "':0").collect(Collectors.joining(","));

    Commits.refusedBody(
            newRepository(), "{" + members + ",'operations':[" + S + "]}", VALIDATION_ERROR)
        .body("errors.findAll { it.pointer != '' }.size()", equalTo(100))
        .body("hint", containsString("dryRun"));
  }

  @Test
  void unknown_query_parameters_are_refused_by_name() {
    var repository = newRepository();

    assertProblem(
        admin().body("{}").post(repository + "/commits?dry=true&atomic=false").then(),
        VALIDATION_ERROR,
        "?atomic",
        "?dry");
  }

  @Test
  void without_credentials_nothing_is_written() {
    var repository = repositoryWith(S);
    var before = state(repository);

    assertProblem(
        anonymous()
            .body("{\"operations\":[" + A.replace('\'', '"') + "]}")
            .post(repository + "/commits")
            .then(),
        UNAUTHENTICATED);

    assertEquals(before, state(repository));
    missing(repository, "S/a");
  }
}
