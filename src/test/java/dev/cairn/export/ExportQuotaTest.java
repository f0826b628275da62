package dev.cairn.export;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.Api.commit;
import static dev.cairn.export.Exports.ask;
import static dev.cairn.export.Exports.built;
import static dev.cairn.export.Exports.builtAt;
import static dev.cairn.export.Exports.mint;
import static dev.cairn.export.Exports.refused;
import static dev.cairn.export.Exports.viewers;
import static dev.cairn.export.JobRows.repository;
import static dev.cairn.export.JobRows.thing;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.AtOnce;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/export.md, Jobs: how many exports there are. */
@HttpTest
@QuarkusTest
@InProcess("It steps the worker of exports.")
class ExportQuotaTest {
  @Inject Database database;

  private JobRows jobs;

  @BeforeEach
  void rows() {
    jobs = new JobRows(database);
  }

  @Test
  void the_same_export_is_built_once_and_its_token_is_given_again() {
    var repository = repository();
    var token = mint(repository);
    assertEquals(token, mint(repository), "while it may be built");
    built(repository, token).then().statusCode(200);
    var asked = IntStream.range(0, 20).mapToObj(_ -> mint(repository)).distinct().toList();
    assertEquals(List.of(token), asked);
    assertEquals(1, jobs.count(Api.repoId(repository)));
    assertEquals(1, jobs.column(token, "attempt", Integer.class));
  }

  @Test
  void many_requests_at_once_of_one_account_get_one_export() {
    var repository = repository();
    assertEquals(
        List.of(202, 202, 202, 202, 202, 202),
        AtOnce.statuses(6, _ -> ask(Api.adminToken(), repository).statusCode()));
    assertEquals(1, jobs.count(Api.repoId(repository)));
  }

  @Test
  void another_state_another_account_and_a_rename_make_another_export() {
    var repository = repository();
    var first = mint(repository);
    built(repository, first).then().statusCode(200);
    commit(repository, thing("b", "2")).statusCode(201);
    var before = admin().get(repository + "/export?prefer=async&at=1").path("exportToken");
    assertEquals(first, before, "the same moment under the same names");
    commit(repository, "{'operation':'rename','name':'S/a','newName':'z'}").statusCode(201);
    var renamed = admin().get(repository + "/export?prefer=async&at=1").<String>path("exportToken");
    assertNotEquals(first, renamed);
    built(repository, renamed).then().statusCode(200).body("atRepoSeq", is(1));
    var viewer = People.member(repository.split("/", -1)[3], "viewer");
    var own = ask(viewer.token(), repository).then().statusCode(202).extract();
    assertNotEquals(renamed, own.path("exportToken"));
  }

  @Test
  void an_account_has_one_export_of_a_repository_built_at_a_time() {
    var repository = repository();
    jobs.mintWaiting(repository);
    commit(repository, thing("b", "2")).statusCode(201);
    refused(ask(Api.adminToken(), repository), "exports-building-per-account", 1)
        .header("Retry-After", "30")
        .body("details.used", is(1));
    var viewer = People.member(repository.split("/", -1)[3], "viewer");
    ask(viewer.token(), repository).then().statusCode(202);
    ask(Api.adminToken(), repository()).then().statusCode(202);
  }

  @Test
  void a_repository_keeps_three_exports_and_two_at_once_do_not_make_a_fourth() {
    var repository = repository();
    built(repository, mint(repository)).then().statusCode(200);
    var tokens = viewers(repository, 3);
    ask(tokens.get(2), repository).then().statusCode(202);
    assertEquals(
        List.of(202, 429), AtOnce.statuses(2, i -> ask(tokens.get(i), repository).statusCode()));
    assertEquals(3, jobs.count(Api.repoId(repository)));
    commit(repository, thing("more", "2")).statusCode(201);
    var answer = ask(Api.adminToken(), repository);
    refused(answer, "exports-per-repository", 3).body("details.used", is(3));
    int seconds = Integer.parseInt(answer.getHeader("Retry-After"));
    assertTrue(seconds > 86_000 && seconds <= 86_401, "" + seconds);
    as(tokens.getFirst()).get(repository + "/export").then().statusCode(200);
  }

  @Test
  void an_account_with_all_exports_of_a_repository_gives_way_to_others_and_an_equal_one_does_not() {
    var repository = repository();
    for (int i = 0; i < 2; i++) {
      commit(repository, thing("more-" + i, "2")).statusCode(201);
    }
    var viewers = viewers(repository, 3);
    var first = builtAt(viewers.getFirst(), repository, 1);
    var second = builtAt(viewers.getFirst(), repository, 2);
    builtAt(viewers.getFirst(), repository, 3);
    ask(Api.adminToken(), repository).then().statusCode(202);
    admin().get(repository + "/export?token=" + first).then().statusCode(404);
    ask(viewers.get(1), repository).then().statusCode(202);
    admin().get(repository + "/export?token=" + second).then().statusCode(404);
    refused(ask(viewers.get(2), repository), "exports-per-repository", 3);
    refused(
        as(viewers.getFirst()).get(repository + "/export?prefer=async&at=2"),
        "exports-per-repository",
        3);
  }

  @Test
  void the_exports_of_an_account_that_has_left_give_way_first() {
    var repository = repository();
    var org = repository.split("/", -1)[3];
    var leaver = People.member(org, "viewer");
    var export = builtAt(leaver.token(), repository, 1);
    var stays = viewers(repository, 2);
    for (var viewer : stays) {
      builtAt(viewer, repository, 1);
    }
    refused(ask(Api.adminToken(), repository), "exports-per-repository", 3);
    admin().delete("/api/orgs/" + org + "/members/" + leaver.inPath()).then().statusCode(200);
    ask(Api.adminToken(), repository).then().statusCode(202);
    admin().get(repository + "/export?token=" + export).then().statusCode(404);
  }
}
