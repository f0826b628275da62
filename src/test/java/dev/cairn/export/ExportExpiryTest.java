package dev.cairn.export;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.commit;
import static dev.cairn.export.Exports.ask;
import static dev.cairn.export.Exports.builtAt;
import static dev.cairn.export.Exports.builtFor;
import static dev.cairn.export.Exports.viewers;
import static dev.cairn.export.JobRows.repository;
import static dev.cairn.export.JobRows.thing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.platform.database.Database;
import dev.cairn.work.Chores;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/operation.md, Chores: exports that expire early. */
@HttpTest
@QuarkusTest
@InProcess("It runs the chores.")
class ExportExpiryTest {
  private static final long FIVE_GIB = 5L * 1024 * 1024 * 1024;

  @Inject Database database;
  @Inject Chores chores;

  private JobRows jobs;

  @BeforeEach
  void rows() {
    jobs = new JobRows(database);
  }

  @Test
  void exports_that_give_way_and_those_of_a_deleted_repository_are_deleted_within_the_hour() {
    var repository = repository();
    var repoId = Api.repoId(repository);
    var viewer = People.member(repository.split("/", -1)[3], "viewer");
    jobs.set(builtFor(viewer, repository), "stored_bytes = " + FIVE_GIB);
    choreRunsInAnHour();
    ask(Api.adminToken(), repository).then().statusCode(202);
    chores.run(Instant.now().plusSeconds(10));
    assertEquals(1, jobs.count(repoId));
    choreRunsInAnHour();
    admin().delete(repository).then().statusCode(200);
    chores.run(Instant.now().plusSeconds(10));
    assertEquals(0, jobs.count(repoId));
  }

  @Test
  void an_export_that_gives_way_to_one_more_of_the_repository_is_deleted_within_the_hour() {
    var repository = repository();
    for (int i = 0; i < 2; i++) {
      commit(repository, thing("more-" + i, "2")).statusCode(201);
    }
    var viewer = viewers(repository, 1).getFirst();
    for (int seq = 1; seq <= 3; seq++) {
      builtAt(viewer, repository, seq);
    }
    choreRunsInAnHour();
    ask(Api.adminToken(), repository).then().statusCode(202);
    assertTrue(isChoreDue(), "the request has made it due");
    chores.run(Instant.now().plusSeconds(10));
    assertEquals(3, jobs.count(Api.repoId(repository)));
  }

  private boolean isChoreDue() {
    return database
        .first("select due_at <= now() from chore where name = 'exports'", row -> row.getBoolean(1))
        .orElseThrow();
  }

  private void choreRunsInAnHour() {
    database.update(
        """
        insert into chore (name, due_at) values ('exports', now() + interval '1 hour')
        on conflict (name) do update set due_at = excluded.due_at
        """);
  }
}
