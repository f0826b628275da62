package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.DatabaseException;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code docs/search.md}, Size of words. */
@HttpTest
@QuarkusTest
@InProcess("It fills the index in the database directly.")
class WordIndexRebuildTest {
  private static final String REMAINS = "search_document_words_ccnew";
  private static final UUID REPO = UUID.randomUUID();

  @Inject WordIndexRebuild index;
  @Inject Database database;

  @AfterEach
  void deleteDocuments() {
    database.update("delete from search_document where repo_id = ?", REPO);
    database.update("delete from word_index_rebuild");
    database.update("drop index if exists " + REMAINS);
  }

  private long bytes() {
    return database
        .first("select pg_relation_size('search_document_words')", row -> row.getLong(1))
        .orElseThrow();
  }

  /** Adds documents of 100 random words each. */
  private void addDocuments(int count) {
    database.update(
        """
        insert into search_document (repo_id, entity_id, words, name_words)
        select ?, i, (select array_to_tsvector(array_agg(md5(i || ' ' || j || random())))
                      from generate_series(1, 100) j), 1
        from generate_series(1, ?) i
        """,
        REPO,
        count);
  }

  private void addAndDeleteDocuments() {
    addDocuments(1_000);
    database.update("delete from search_document where repo_id = ?", REPO);
    database.update("vacuum search_document");
  }

  @Test
  void an_index_of_words_that_no_document_has_any_more_is_rebuilt() {
    addAndDeleteDocuments();
    long before = bytes();
    index.rebuild(before, 0);
    assertEquals(before, bytes(), "it is not larger than the limit");
    index.rebuild(before - 1, 0);
    // What other tests have searched for is still there.
    assertTrue(bytes() < before * 3 / 4, "%d of %d bytes are left".formatted(bytes(), before));
    assertEquals(
        bytes(),
        database
            .first("select bytes from word_index_rebuild", row -> row.getLong(1))
            .orElseThrow());
  }

  @Test
  void it_is_rebuilt_again_only_after_a_while_and_when_it_is_twice_as_large() {
    addAndDeleteDocuments();
    var file = file();
    rebuilt(bytes() / 2 + 1, 60, 1);
    index.rebuild(0, 0);
    assertEquals(file, file(), "it is not twice as large");
    rebuilt(bytes() / 2, 9, 1);
    index.rebuild(0, 0);
    assertEquals(file, file(), "a rebuild that takes a minute begins every ten minutes");
    rebuilt(bytes() / 2, 12, 1);
    index.rebuild(0, 0);
    assertNotEquals(file, file());
  }

  @Test
  void one_that_has_failed_is_repeated_after_some_hours() {
    addAndDeleteDocuments();
    var file = file();
    database.update("insert into word_index_rebuild values (now() - interval '5 hours')");
    index.rebuild(0, 0);
    assertEquals(file, file());
    database.update("update word_index_rebuild set began_at = now() - interval '7 hours'");
    index.rebuild(0, 0);
    assertNotEquals(file, file());
  }

  private void rebuilt(long bytes, int minutesAgo, int minutes) {
    database.update("delete from word_index_rebuild");
    database.update(
        """
        insert into word_index_rebuild
        values (now() - make_interval(mins => ?), now() - make_interval(mins => ?), ?)
        """,
        minutesAgo + minutes,
        minutesAgo,
        bytes);
  }

  @Test
  void an_index_of_present_words_stays_as_it_is() {
    addDocuments(1_000);
    var file = file();
    index.rebuild(0, 4);
    assertEquals(file, file());
  }

  private String file() {
    return database
        .first("select pg_relation_filepath('search_document_words')", row -> row.getString(1))
        .orElseThrow();
  }

  @Test
  void what_an_interrupted_rebuild_has_left_is_dropped() {
    addDocuments(2);
    assertThrows(
        DatabaseException.class,
        () ->
            database.update(
                "create unique index concurrently " + REMAINS + " on search_document (repo_id)"));
    assertTrue(hasRemains());
    index.rebuild(Long.MAX_VALUE, 0);
    assertFalse(hasRemains());
  }

  private boolean hasRemains() {
    return database
        .first("select to_regclass(?) is not null", row -> row.getBoolean(1), REMAINS)
        .orElseThrow();
  }
}
