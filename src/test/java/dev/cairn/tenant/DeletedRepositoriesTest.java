package dev.cairn.tenant;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.RowsOfRepositories;
import io.quarkus.arc.All;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Operation, Chores: the content of a deleted repository is deleted in batches. */
@HttpTest
@QuarkusTest
@InProcess("It runs the chore step by step.")
class DeletedRepositoriesTest {
  private static final int THINGS = 2_500;

  @Inject DeletedRepositories chore;
  @Inject Database database;
  @Inject StoredBytes storedBytes;
  @Inject @All List<RowsOfRepositories> rows;

  private long count(String table, UUID repoId) {
    return database
        .first(
            "select count(*) from " + table + " where repo_id = ?", row -> row.getLong(1), repoId)
        .orElseThrow();
  }

  @Test
  void a_large_repository_is_gone_at_once_and_its_rows_later() {
    while (chore.runBatch()) {}
    var repository = Api.newRepository("public");
    var repoId = Api.repoId(repository);
    var orgId = Api.orgId(repoId);
    Prepared.commit(
        repository,
        "{'operation':'add','name':'Shape/S','data':{'fields':{}}},"
            + IntStream.range(0, THINGS)
                .mapToObj("{'operation':'add','name':'S/%d','data':{}}"::formatted)
                .collect(Collectors.joining(",")));
    long used = storedBytes.used(orgId);
    admin().delete(repository).then().statusCode(200);
    assertTrue(count("entity", repoId) >= THINGS - 1_000);
    assertTrue(count("entity_version", repoId) >= THINGS - 1_000);
    assertTrue(storedBytes.used(orgId) > used - 100_000, "what is left no longer counts");
    admin().get(repository + "/count").then().statusCode(404);
    admin().get(repository + "/things/S/2400").then().statusCode(404);
    var name = repository.split("/", -1)[4];
    admin()
        .body(Map.of("name", name))
        .post("/api/orgs/" + repository.split("/", -1)[3] + "/repos")
        .then()
        .statusCode(201);
    admin().get(repository + "/count").then().statusCode(200).body("count", is(0));
    while (chore.runBatch()) {}
    for (var each : rows) {
      for (var table : each.rowsOfRepositories()) {
        assertEquals(0, count(table.table(), repoId), table.table());
      }
    }
    assertTrue(storedBytes.used(orgId) < used - THINGS * 1_000L, "it still counts");
  }

  @Test
  void of_large_rows_a_batch_has_few() {
    while (chore.runBatch()) {}
    var repository = Api.newRepository("private");
    var repoId = Api.repoId(repository);
    database.update(
        """
        insert into matched_operation (repo_id, seq, op_index, body)
        select ?, i, 0, convert_to(repeat('x', 1 << 20), 'UTF8') from generate_series(1, 40) i
        """,
        repoId);
    admin().delete(repository).then().statusCode(200);
    assertEquals(24, count("matched_operation", repoId));
    assertTrue(chore.runBatch());
    assertEquals(8, count("matched_operation", repoId));
    while (chore.runBatch()) {}
    assertEquals(0, count("matched_operation", repoId));
  }

  @Test
  void repositories_take_turns_and_one_that_fails_waits() {
    while (chore.runBatch()) {}
    var first = deletedWithRows();
    var second = deletedWithRows();
    database.update(
        """
        create or replace function refuse_deletion() returns trigger language plpgsql
        as $$ begin raise exception 'a fault of the test'; end $$
        """);
    database.update(
        """
        create trigger refuse_deletion before delete on matched_operation for each row
        when (old.repo_id = '%s') execute function refuse_deletion()
        """
            .formatted(first));
    try {
      while (chore.runBatch()) {}
      assertEquals(1_500, count("matched_operation", first));
      assertEquals(0, count("matched_operation", second));
    } finally {
      database.update("drop trigger refuse_deletion on matched_operation");
    }
    database.update("update deleted_repository set due_at = now() where repo_id = ?", first);
    while (chore.runBatch()) {}
    assertEquals(0, count("matched_operation", first));
  }

  @Test
  void tenants_take_turns() {
    while (chore.runBatch()) {}
    var mine = List.of(deletedWithRows(), deletedWithRows());
    var other = deletedWithRows();
    database.update(
        "update deleted_repository set org_id = ? where repo_id = ?",
        Api.orgId(Api.repoId(People.repositoryOfStranger())),
        other);
    // One of mine has waited for longest, but another one of mine had the last turn.
    database.update(
        """
        update deleted_repository set due_at = now() - case repo_id
          when ? then interval '1 min' when ? then interval '3 min' else interval '2 min' end
        where repo_id = any (?)
        """,
        mine.get(0),
        mine.get(1),
        new UUID[] {mine.get(0), mine.get(1), other});
    assertTrue(chore.runBatch());
    assertEquals(500, count("matched_operation", other));
    while (chore.runBatch()) {}
  }

  /** A deleted repository with 1,500 rows of a table. */
  private UUID deletedWithRows() {
    var repository = Api.newRepository("private");
    var repoId = Api.repoId(repository);
    database.update(
        """
        insert into matched_operation (repo_id, seq, op_index, body)
        select ?, i, 0, '' from generate_series(1, 2500) i
        """,
        repoId);
    admin().delete(repository).then().statusCode(200);
    return repoId;
  }
}
