package dev.cairn.content.write;

import static dev.cairn.Api.admin;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Prepared;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commits: what they write is counted before the transaction commits. */
@HttpTest
@QuarkusTest
@InProcess("It writes rows by the classes of the service.")
class GrowthTest {
  private static final String UPDATE =
      "update entity set name = name || ? where repo_id = ? and ctid = any (?::tid[])";

  @Inject Database database;

  private String repository;
  private UUID id;

  @BeforeEach
  void content() {
    repository = Api.newRepository();
    id = Api.repoId(repository);
    Prepared.commit(
        repository,
        "{'operation':'add','name':'Shape/Note','data':{'fields':{}}},"
            + "{'operation':'add','name':'Note/a','data':{}},"
            + "{'operation':'add','name':'Note/b','data':{}}");
  }

  /**
   * The rows of all things by their place in the table, as a commit finds them before it writes.
   */
  private String[] places() {
    return database
        .list(
            "select ctid::text from entity where repo_id = ? and shape_name = 'Note'",
            row -> row.getString(1),
            id)
        .toArray(String[]::new);
  }

  @Test
  void a_change_that_writes_the_planned_rows_is_sent_and_its_bytes_are_counted() {
    var growth = new Growth(database);
    database.transaction(
        () -> {
          growth.addRows(2, UPDATE, "5", "", id, places());
          growth.send();
          return true;
        });
    assertEquals(10, growth.bytes());
  }

  @Test
  void a_commit_that_writes_fewer_rows_than_planned_fails_as_a_whole() {
    var places = places();
    // As if the head of the repository were not locked: an update moves a row that was found.
    database.update("update entity set name = name where repo_id = ? and name = 'a'", id);
    var growth = new Growth(database);
    var failure =
        assertThrows(
            IllegalStateException.class,
            () ->
                database.transaction(
                    () -> {
                      growth.addRows(2, UPDATE, "5", "x", id, places);
                      growth.send();
                      return true;
                    }));
    assertEquals("a commit wrote 1 rows instead of 2", failure.getMessage());
    admin().get(repository + "/things/Note/b").then().statusCode(200);
    admin().get(repository + "/things/Note/bx").then().statusCode(404);
  }
}
