package dev.cairn.access.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.Api;
import dev.cairn.AtOnce;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operation, Quotas: changes of stored bytes are counted as rows, which a chore folds. */
@HttpTest
@QuarkusTest
@InProcess("It has changes folded.")
class StoredBytesFoldingTest {
  @Inject Database database;
  @Inject StoredBytes storedBytes;
  @Inject StoredBytesFolding folding;

  private UUID repoId;
  private UUID orgId;
  private long before;

  @BeforeEach
  void repository() {
    fold();
    repoId = Api.repoId(Api.newRepository());
    orgId = Api.orgId(repoId);
    before = storedBytes.used(orgId);
  }

  private void fold() {
    boolean more;
    do {
      more = folding.runBatch();
    } while (more);
  }

  private long number(String sql, UUID id) {
    return database.first(sql, row -> row.getLong(1), id).orElseThrow();
  }

  private long rows(UUID id) {
    return number("select count(*) from stored_bytes_change where repo_id = ?", id);
  }

  private long folded() {
    return number("select other_bytes from repository where id = ?", repoId);
  }

  private void insert(UUID id, int rows, long bytes) {
    database.update(
        "insert into stored_bytes_change select ?, ? from generate_series(1, ?)", id, bytes, rows);
  }

  @Test
  void what_is_used_is_the_same_before_and_after_folding() {
    StoredBytes.count(database, Map.of(repoId, 1_000L));
    StoredBytes.count(database, Map.of(repoId, -300L));
    assertEquals(before + 700, storedBytes.used(orgId));
    fold();
    assertEquals(before + 700, storedBytes.used(orgId));
    assertEquals(700, folded());
    assertEquals(0, rows(repoId));
  }

  @Test
  void concurrent_foldings_count_each_change_once() {
    insert(repoId, 25_000, 3);
    insert(Api.repoId(Api.newRepository()), 5_000, 1);
    AtOnce.statuses(
        4,
        _ -> {
          fold();
          return 0;
        });
    fold();
    assertEquals(75_000, folded());
    assertEquals(before + 75_000, storedBytes.used(orgId));
    assertEquals(0, rows(repoId));
  }

  @Test
  void a_repository_that_somebody_holds_is_left_alone_and_holds_up_no_other() throws Exception {
    var held = Api.repoId(Api.newRepository());
    insert(held, 15_000, 1);
    insert(repoId, 2, 5);
    try (var connection = OwnConnections.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      try (var statement =
          connection.prepareStatement("select from repository where id = ? for update")) {
        statement.setObject(1, held);
        statement.execute();
        fold();
      } finally {
        connection.rollback();
      }
    }
    assertEquals(10, folded());
    assertEquals(15_000, rows(held));
    fold();
    assertEquals(0, rows(held));
  }

  @Test
  void changes_of_a_repository_that_is_gone_are_dropped() {
    var gone = UUID.randomUUID();
    insert(gone, 15_000, 1);
    fold();
    assertEquals(0, rows(gone));
    assertFalse(folding.runBatch());
  }
}
