package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static dev.cairn.commit.Commits.active;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.collection;
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
import static dev.cairn.model.ErrorCode.ILLEGAL_OP_SEQUENCE;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static org.hamcrest.Matchers.anEmptyMap;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import dev.cairn.model.ErrorCode;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations: add. */
@HttpTest
@QuarkusTest
class AddTest {
  private static final String S = shape("S");
  private static final String A = add("S/a", "{'n':1}");

  @Test
  void an_add_makes_version_one_and_the_commit_answers_what_it_made() {
    var repository = newRepository();
    String me = admin().get("/api/whoami").then().extract().path("account.displayName");

    applied(repository, S, A)
        .body("commitId", matchesPattern("[0-9a-f]{16}"))
        .body("repoSeq", equalTo(1))
        .body("author", equalTo(me))
        .body("message", nullValue())
        .body("createdAt", greaterThan(1_600_000_000_000L))
        .body("operationCount", equalTo(2))
        .body("partial", nullValue())
        .body("operations.opIndex", contains(0, 1))
        .body("operations.status", contains("applied", "applied"))
        .body("operations.operation", contains("add", "add"))
        .body("operations.wref", contains("Shape/S", "S/a"))
        .body("operations.name", contains("S", "a"))
        .body("operations.kind", contains("shape", "thing"))
        .body("operations.version", contains(1, 1))
        .body("operations[1].dataHash", equalTo(Commits.sha256("{\"n\":1}")))
        .body("operations[1].warnings", nullValue());

    thing(repository, "S/a")
        .body("version", equalTo(1))
        .body("shapeVersion", equalTo(1))
        .body("active", equalTo(true))
        .body("data.n", equalTo(1));
  }

  @Test
  void an_add_of_an_existing_name_is_refused() {
    var repository = repositoryWith(S, A);
    applied(repository, revise("S/a", "{'n':5}"));

    refused(repository, ops(add("S/b", "{}"), A), ALREADY_EXISTS, "/operations/1")
        .body("details.currentVersion", equalTo(2))
        .body("details.opIndex", equalTo(1));
    refused(repository, S, ALREADY_EXISTS, "/operations/0");
  }

  @Test
  void an_add_of_an_existing_name_with_skip_existing_is_a_noop() {
    var repository = repositoryWith(S, A);
    var before = state(repository);

    commit(repository, with(add("S/a", "{'n':7}"), "'skipExisting':true"))
        .statusCode(200)
        .body("commitId", nullValue())
        .body("operations[0].status", equalTo("noop"))
        .body("operations[0].operation", equalTo("noop"))
        .body("operations[0].version", equalTo(1))
        .body("operations[0].wref", equalTo("S/a"));
    assertEquals(before, state(repository));

    applied(repository, with(add("S/new", "{}"), "'skipExisting':true"))
        .body("operations[0].status", equalTo("applied"));
  }

  @Test
  void on_add_the_expected_version_may_only_be_zero() {
    var repository = repositoryWith(S);

    refused(
        repository,
        with(A, "'expectedVersion':1"),
        VALIDATION_ERROR,
        "/operations/0/expectedVersion");
    applied(repository, with(A, "'expectedVersion':0"));
  }

  @Test
  void two_adds_of_one_entity_are_an_illegal_sequence() {
    var repository = repositoryWith(S);

    refused(repository, ops(A, A), ILLEGAL_OP_SEQUENCE, "/operations/1");
    refused(repository, ops(shape("T"), shape("T")), ILLEGAL_OP_SEQUENCE, "/operations/1");
    applied(repository, A, with(A, "'skipExisting':true"))
        .body("operations.status", contains("applied", "noop"));
  }

  @Test
  void a_kind_that_is_left_out_follows_from_the_other_members() {
    var repository = newRepository();

    applied(
            repository,
            "{'operation':'add','name':'S','data':{'fields':{}}}",
            "{'operation':'add','name':'Shape/T','data':{'fields':{}}}",
            add("S/a", "{}"),
            assertion("T/note", "'S/a'", "{}"),
            "{'operation':'add','name':'Set/x','members':['S/a']}",
            collection("list", "S/a"))
        .body("operations.kind", contains("shape", "shape", "thing", "assertion", "thing", "thing"))
        .body("operations[0].wref", equalTo("Shape/S"))
        .body("operations[1].wref", equalTo("Shape/T"));
    admin().get(repository + "/count?kind=collection").then().body("count", equalTo(2));
  }

  @Test
  void operations_of_kind_shape_take_the_bare_name() {
    var repository = repositoryWith(S);

    applied(repository, with(revise("S", "{'fields':{}}"), "'kind':'shape'"))
        .body("operations[0].wref", equalTo("Shape/S"));
    applied(repository, revise("S", "{'fields':{'m?':'any'}}"));
    applied(repository, with(rename("S", "T"), "'kind':'shape'"));
    applied(repository, retract("T"));
    thing(repository, "Shape/T").body("active", equalTo(false)).body("version", equalTo(4));
  }

  @Test
  void an_entity_is_added_active() {
    var repository = repositoryWith(S);

    refused(repository, with(A, "'active':false"), VALIDATION_ERROR, "/operations/0/active");
    applied(repository, with(A, "'active':true"));
  }

  @Test
  void a_retracted_shape_takes_nothing_new() {
    var repository = repositoryWith(S, A);
    applied(repository, retract("S"));

    refused(repository, add("S/b", "{}"), CONFLICT)
        .body("details.reason", equalTo("shape_inactive"));
    applied(repository, revise("S/a", "{'n':2}"));
    applied(repository, active("S", true), add("S/b", "{}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "S/",
        "/a",
        "S//a",
        "S/a/",
        "S/a//b",
        "S/./a",
        "S/a/..",
        "S/a b",
        "S/a@v1",
        "S/a*",
        "S/a?",
        "S/{a}",
        "S/a#",
        "S/a%",
        "1S/a",
        "S_/a ",
        "",
        "cairn:org/repo/S/a"
      })
  void a_name_that_breaks_the_rules_is_refused(String name) {
    var repository = repositoryWith(S);

    refused(repository, add(name, "{}"), VALIDATION_ERROR, "/operations/0/name");
  }

  @ParameterizedTest
  @CsvSource({"512,true", "513,false"})
  void a_thing_name_has_at_most_512_code_points(int length, boolean fine) {
    var repository = repositoryWith(S);
    var name = "S/" + "\uD835\uDD38".repeat(length);

    if (fine) {
      applied(repository, add(name, "{}")).body("operations[0].wref", equalTo(name));
    } else {
      refused(repository, add(name, "{}"), VALIDATION_ERROR, "/operations/0/name");
    }
  }

  @ParameterizedTest
  @CsvSource({"128,true", "129,false"})
  void a_shape_name_has_at_most_128_characters(int length, boolean fine) {
    var repository = newRepository();
    var name = "S".repeat(length);

    if (fine) {
      applied(repository, shape(name));
    } else {
      refused(repository, shape(name), VALIDATION_ERROR, "/operations/0/name");
    }
  }

  @Test
  void names_are_normalized_and_may_be_hierarchical() {
    var repository = repositoryWith(S);

    applied(repository, add("S/Cafe\u0301/menu", "{}"))
        .body("operations[0].wref", equalTo("S/Caf\u00e9/menu"))
        .body("operations[0].name", equalTo("Caf\u00e9/menu"));
    refused(repository, add("S/Caf\u00e9/menu", "{}"), ALREADY_EXISTS, "/operations/0");
    applied(repository, add("S/caf\u00e9/menu", "{}"));
  }

  @Test
  void fields_that_the_shape_does_not_declare_are_kept_and_reported() {
    var repository =
        repositoryWith(shape("S", "{'n?':'number','in?':{'x?':'number'},'any?':'any'}"));
    var data = "{'n':1,'extra':{'deep':1},'in':{'x':1,'y':2},'any':{'z':1}}";

    applied(repository, add("S/a", data))
        .body("operations[0].warnings", hasSize(2))
        .body("operations[0].warnings[0]", matchesPattern(".*/in/y.*"))
        .body("operations[0].warnings[1]", matchesPattern(".*/extra.*"));

    thing(repository, "S/a")
        .body("data.extra.deep", equalTo(1))
        .body("data.in.y", equalTo(2))
        .body("data.any", not(anEmptyMap()));
    commit(repository, revise("S/a", data))
        .statusCode(200)
        .body("operations[0].warnings", hasSize(2));
  }

  @ParameterizedTest
  @CsvSource({"a,65536,true", "a,65537,false", "\u00e9,32768,true", "\u00e9,32769,false"})
  void content_holds_at_most_65536_bytes(String character, int length, boolean fine) {
    var repository = newRepository();
    var operation = add("Content/Readme", "{'content':'" + character.repeat(length) + "'}");

    if (fine) {
      applied(repository, operation);
    } else {
      assertEquals(
          "/operations/0/data/content",
          refused(repository, operation, ErrorCode.SHAPE_MISMATCH)
              .extract()
              .path("errors[0].pointer"));
    }
  }
}
