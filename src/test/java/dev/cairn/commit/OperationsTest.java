package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.newRepository;
import static dev.cairn.commit.Commits.active;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.history;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.commit.Commits.with;
import static dev.cairn.model.ErrorCode.ARCHIVED;
import static dev.cairn.model.ErrorCode.FORBIDDEN;
import static dev.cairn.model.ErrorCode.ILLEGAL_OP_SEQUENCE;
import static dev.cairn.model.ErrorCode.NOT_FOUND;
import static dev.cairn.model.ErrorCode.RESERVED_NAME;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** Operations: what holds for all of them. */
@HttpTest
@QuarkusTest
class OperationsTest {
  private static final String S = shape("S");
  private static final String A = add("S/a", "{'n':1}");

  @Test
  void a_noop_among_other_operations_makes_no_version() {
    var repository = repositoryWith(S, A);

    applied(repository, revise("S/a", "{'n':1}"), add("S/b", "{}"))
        .body("operations.status", contains("noop", "applied"))
        .body("operationCount", equalTo(2));

    thing(repository, "S/a").body("version", equalTo(1));
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
  void two_renames_of_one_entity_are_an_illegal_sequence() {
    var repository = repositoryWith(S, A);

    refused(
        repository,
        ops(rename("S/a", "b"), rename("S/b", "c")),
        ILLEGAL_OP_SEQUENCE,
        "/operations/1");
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
}
