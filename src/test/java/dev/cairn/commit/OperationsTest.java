package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static dev.cairn.Api.submit;
import static dev.cairn.commit.Commits.active;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertProblem;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.collection;
import static dev.cairn.commit.Commits.history;
import static dev.cairn.commit.Commits.missing;
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
import static dev.cairn.model.ErrorCode.ARCHIVED;
import static dev.cairn.model.ErrorCode.CONFLICT;
import static dev.cairn.model.ErrorCode.FORBIDDEN;
import static dev.cairn.model.ErrorCode.ILLEGAL_OP_SEQUENCE;
import static dev.cairn.model.ErrorCode.NOT_FOUND;
import static dev.cairn.model.ErrorCode.RESERVED_NAME;
import static dev.cairn.model.ErrorCode.UNAUTHENTICATED;
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

@HttpTest
@QuarkusTest
class OperationsTest {
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
  void a_revise_replaces_the_whole_payload_and_makes_the_next_version() {
    var repository = repositoryWith(S, add("S/a", "{'n':1,'other':true}"));

    applied(repository, revise("S/a", "{'n':2}"))
        .body("operations[0].operation", equalTo("revise"))
        .body("operations[0].version", equalTo(2));

    thing(repository, "S/a")
        .body("version", equalTo(2))
        .body("data", equalTo(java.util.Map.of("n", 2)));
    thing(repository, "S/a?version=1").body("data.other", equalTo(true));
    history(repository, "S/a").body("items.operation", contains("revise", "add"));
  }

  @Test
  void a_retract_is_a_revise_to_inactive_with_the_data_unchanged() {
    var repository = repositoryWith(S, A);

    applied(repository, retract("S/a"))
        .body("operations[0].operation", equalTo("revise"))
        .body("operations[0].version", equalTo(2));

    thing(repository, "S/a").body("active", equalTo(false)).body("data.n", equalTo(1));
    history(repository, "S/a")
        .body("items.operation", contains("revise", "add"))
        .body("items.active", contains(false, true))
        .body("items.data.n", contains(1, 1));
    admin().get(repository + "/head?shape=S").then().body("items", hasSize(0));
  }

  @Test
  void active_true_brings_an_entity_back_with_its_data() {
    var repository = repositoryWith(S, A);
    applied(repository, retract("S/a"));

    applied(repository, active("S/a", true)).body("operations[0].version", equalTo(3));

    thing(repository, "S/a").body("active", equalTo(true)).body("data.n", equalTo(1));
  }

  @Test
  void a_revise_keeps_the_active_state_unless_it_says_otherwise() {
    var repository = repositoryWith(S, A);
    applied(repository, retract("S/a"));

    applied(repository, revise("S/a", "{'n':2}"));
    thing(repository, "S/a").body("active", equalTo(false)).body("data.n", equalTo(2));

    applied(repository, with(revise("S/a", "{'n':2}"), "'active':true"))
        .body("operations[0].version", equalTo(4));
    thing(repository, "S/a").body("active", equalTo(true)).body("data.n", equalTo(2));
  }

  @Test
  void names_of_inactive_entities_stay_taken() {
    var repository = repositoryWith(S, A);
    applied(repository, retract("S/a"));

    refused(repository, A, ALREADY_EXISTS, "/operations/0");
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
  void a_revise_with_equal_canonical_data_is_a_noop() {
    var repository = repositoryWith(S, add("S/a", "{'n':1,'b':[1,{'x':2,'y':3}]}"));
    var before = state(repository);

    commit(repository, revise("S/a", "{'b':[1.0,{'y':3,'x':2e0}],'n':1.0}"))
        .statusCode(200)
        .body("commitId", nullValue())
        .body("repoSeq", nullValue())
        .body("operations[0].status", equalTo("noop"))
        .body("operations[0].operation", equalTo("noop"))
        .body("operations[0].version", equalTo(1));

    assertEquals(before, state(repository));
  }

  @Test
  void a_noop_among_other_operations_makes_no_version() {
    var repository = repositoryWith(S, A);

    applied(repository, revise("S/a", "{'n':1}"), add("S/b", "{}"))
        .body("operations.status", contains("noop", "applied"))
        .body("operationCount", equalTo(2));

    thing(repository, "S/a").body("version", equalTo(1));
  }

  @Test
  void a_retract_of_what_is_inactive_is_a_noop() {
    var repository = repositoryWith(S, A);
    applied(repository, retract("S/a"));

    commit(repository, retract("S/a")).statusCode(200).body("operations.status", contains("noop"));
    commit(repository, active("S/a", false))
        .statusCode(200)
        .body("operations.status", contains("noop"));
  }

  @Test
  void equal_data_with_another_active_state_makes_a_version() {
    var repository = repositoryWith(S, A);

    applied(repository, with(revise("S/a", "{'n':1}"), "'active':false"))
        .body("operations[0].version", equalTo(2));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void an_expected_version_that_does_not_match_is_a_conflict(int expected) {
    var repository = repositoryWith(S, A);
    applied(repository, revise("S/a", "{'n':2}"));
    var member = "'expectedVersion':" + expected;

    for (var operation :
        new String[] {revise("S/a", "{'n':3}"), retract("S/a"), rename("S/a", "b")}) {
      refused(repository, with(operation, member), CONFLICT, "/operations/0")
          .body("details.reason", equalTo("expected_version_mismatch"))
          .body("details.expectedVersion", equalTo(expected))
          .body("details.currentVersion", equalTo(2));
    }
  }

  @Test
  void an_expected_version_that_matches_lets_the_operation_pass() {
    var repository = repositoryWith(S, A);

    applied(repository, with(revise("S/a", "{'n':2}"), "'expectedVersion':1"));
    applied(repository, with(retract("S/a"), "'expectedVersion':2"));
    applied(repository, with(rename("S/a", "b"), "'expectedVersion':3"));
  }

  @Test
  void an_expected_version_counts_what_earlier_operations_of_the_commit_made() {
    var repository = repositoryWith(S, A);

    refused(
        repository,
        ops(revise("S/a", "{'n':2}"), with(revise("S/a", "{'n':3}"), "'expectedVersion':1")),
        CONFLICT,
        "/operations/1");
    applied(
        repository,
        revise("S/a", "{'n':2}"),
        with(revise("S/a", "{'n':3}"), "'expectedVersion':2"));
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
  void two_operations_on_one_entity_apply_in_order_each_making_its_version() {
    var repository = newRepository();

    applied(
            repository,
            S,
            A,
            revise("S/a", "{'n':2}"),
            retract("S/a"),
            revise("S/a", "{'n':3}"),
            active("S/a", true))
        .body("operations.version", contains(1, 1, 2, 3, 4, 5));

    history(repository, "S/a")
        .body("items.version", contains(5, 4, 3, 2, 1))
        .body("items.data.n", contains(3, 3, 2, 2, 1))
        .body("items.active", contains(true, false, false, true, true));
    Commits.assertVerified(repository);
  }

  @Test
  void several_operations_on_a_stored_entity_apply_in_order() {
    var repository = repositoryWith(S, A);

    applied(repository, retract("S/a"), revise("S/a", "{'n':2}"), active("S/a", true));

    history(repository, "S/a")
        .body("items.version", contains(4, 3, 2, 1))
        .body("items.data.n", contains(2, 2, 1, 1))
        .body("items.active", contains(true, false, false, true));
    Commits.assertVerified(repository);
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
  void two_renames_of_one_entity_are_an_illegal_sequence() {
    var repository = repositoryWith(S, A);

    refused(
        repository,
        ops(rename("S/a", "b"), rename("S/b", "c")),
        ILLEGAL_OP_SEQUENCE,
        "/operations/1");
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
  void a_kind_that_the_entity_is_not_of_is_refused() {
    var repository = repositoryWith(S, A, assertion("S/note", "'S/a'", "{}"));

    refused(
        repository,
        with(revise("S/a", "{}"), "'kind':'assertion'"),
        VALIDATION_ERROR,
        "/operations/0/kind");
    refused(
        repository,
        with(retract("S/note"), "'kind':'thing'"),
        VALIDATION_ERROR,
        "/operations/0/kind");
    refused(
        repository,
        with(retract("S/a"), "'kind':'collection'"),
        VALIDATION_ERROR,
        "/operations/0/kind");
    refused(repository, with(A, "'kind':'shape'"), VALIDATION_ERROR, "/operations/0/name");
    refused(
        repository,
        with(retract("S/a"), "'kind':'monster'"),
        VALIDATION_ERROR,
        "/operations/0/kind");
  }

  @Test
  void the_target_of_an_assertion_never_changes() {
    var repository =
        repositoryWith(S, A, add("S/b", "{}"), assertion("S/note", "'S/a'", "{'n':1}"));

    refused(
        repository,
        with(revise("S/note", "{'n':2}"), "'about':'S/b'"),
        VALIDATION_ERROR,
        "/operations/0/about");
    refused(
        repository,
        with(revise("S/a", "{'n':2}"), "'about':'S/b'"),
        VALIDATION_ERROR,
        "/operations/0/about");
    applied(repository, with(revise("S/note", "{'n':2}"), "'about':'S/a'"));
    thing(repository, "S/note").body("aboutWref", equalTo("S/a@v1"));
  }

  @Test
  void an_entity_is_added_active() {
    var repository = repositoryWith(S);

    refused(repository, with(A, "'active':false"), VALIDATION_ERROR, "/operations/0/active");
    applied(repository, with(A, "'active':true"));
  }

  @Test
  void built_in_shapes_cannot_be_changed() {
    var repository = newRepository();

    for (var name :
        new String[] {"Shape", "Pair", "Content", "ComponentInstall", "ComponentConfig"}) {
      refused(repository, shape(name), RESERVED_NAME);
      refused(repository, with(shape(name), "'skipExisting':true"), RESERVED_NAME);
      refused(repository, revise(name, "{'fields':{}}"), RESERVED_NAME);
      refused(repository, retract("Shape/" + name), RESERVED_NAME);
      refused(repository, rename(name, "Mine"), RESERVED_NAME);
    }
    refused(repository, ops(S, rename("S", "Pair")), RESERVED_NAME);
  }

  @Test
  void component_install_is_written_by_the_service_alone() {
    var repository = repositoryWith(S, A);

    refused(repository, add("ComponentInstall/x", "{}"), FORBIDDEN);
    refused(repository, assertion("ComponentInstall/x", "'S/a'", "{}"), FORBIDDEN);
    refused(repository, revise("ComponentInstall/x", "{}"), FORBIDDEN);
    refused(repository, retract("ComponentInstall/x"), FORBIDDEN);
    refused(repository, rename("ComponentInstall/x", "y"), FORBIDDEN);
  }

  @Test
  void an_archived_repository_answers_valid_writes_with_archived() {
    var repository = repositoryWith(S);
    admin().body("{\"archived\":true}").patch(repository).then().statusCode(200);

    refused(repository, A, ARCHIVED);
    refused(repository, "{'operation':'fly'}", VALIDATION_ERROR, "/operations/0/operation");

    admin().body("{\"archived\":false}").patch(repository).then().statusCode(200);
    applied(repository, A);
  }

  @Test
  void what_is_changed_must_exist() {
    var repository = repositoryWith(S);

    refused(repository, revise("S/a", "{}"), NOT_FOUND, "/operations/0/name");
    refused(repository, retract("S/a"), NOT_FOUND, "/operations/0/name");
    refused(repository, rename("S/a", "b"), NOT_FOUND, "/operations/0/name");
    refused(repository, add("None/a", "{}"), NOT_FOUND, "/operations/0/name");
    refused(repository, assertion("S/note", "'S/a'", "{}"), NOT_FOUND, "/operations/0/about");
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
        "{'operations':[OP],'atomic':'yes'}                 | /atomic",
        "{'operations':[OP],'dryRun':1}                     | /dryRun",
        "{'operations':[OP],'message':1}                    | /message",
        "{'operations':[OP],'author':''}                    | /author",
        "{'operations':[OP],'operations':[OP]}              | /operations"
      })
  void a_body_of_another_form_is_refused_with_the_place(String body, String pointer) {
    var repository = repositoryWith(S);

    Commits.refusedBody(repository, body.replace("OP", A), VALIDATION_ERROR, pointer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[]", "{\"operations\":[", "null", "{\"operations\":[]} x", "nonsense"})
  void a_body_that_is_no_json_object_is_refused(String body) {
    var repository = repositoryWith(S);

    assertProblem(admin().body(body).post(repository + "/commits").then(), VALIDATION_ERROR);
  }

  @Test
  void unknown_query_parameters_are_refused_by_name() {
    var repository = newRepository();

    assertProblem(
        admin().body("{}").post(repository + "/commits?atomic=false").then(),
        VALIDATION_ERROR,
        "atomic");
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
