package dev.cairn.search;

import static dev.cairn.search.Searches.answer;
import static dev.cairn.search.Searches.wrefs;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The index follows the commits and the settings; {@code docs/search.md}, The index. */
@HttpTest
@QuarkusTest
class IndexTest {
  private final Database database = OwnConnections.database();
  private String repository;

  @BeforeEach
  void content() {
    repository = Api.newRepository();
    commit(
        """
        {'operation':'add','kind':'shape','name':'Tool','data':{'fields':{
          'summary':'string','part?':{'type':'wref','shape':'Tool'}}}},
        {'operation':'add','name':'Tool/hammer','data':{'summary':'drives nails'}},
        {'operation':'add','name':'Tool/box','data':{'summary':'holds things','part':'Tool/hammer'}}
        """);
  }

  private void commit(String operations) {
    Api.commit(repository, operations).statusCode(201);
  }

  private Set<String> found(String query) {
    return Set.copyOf(wrefs(repository, query));
  }

  @Test
  void a_revise_replaces_the_words() {
    commit("{'operation':'revise','name':'Tool/hammer','data':{'summary':'drives screws'}}");
    assertEquals(Set.of(), found("nails"));
    assertEquals(Set.of("Tool/hammer"), found("screws"));
  }

  @Test
  void a_retracted_entity_is_not_found_even_before_the_index_has_the_commit() {
    assertEquals(Set.of("Tool/hammer"), found("nails"));
    commit("{'operation':'retract','name':'Tool/hammer'}");
    Api.admin().get(repository + "/search?q=nails").then().body("items", empty());
    assertEquals(Set.of(), found("nails"));
    commit("{'operation':'revise','name':'Tool/hammer','active':true}");
    assertEquals(Set.of("Tool/hammer"), found("nails"));
  }

  @Test
  void a_rename_changes_the_words_of_the_name_and_of_what_refers_to_it() {
    assertEquals(Set.of("Tool/hammer", "Tool/box"), found("hammer"));
    commit("{'operation':'rename','name':'Tool/hammer','newName':'mallet'}");
    assertEquals(Set.of(), found("hammer"));
    assertEquals(Set.of("Tool/mallet", "Tool/box"), found("mallet"));
  }

  @Test
  void the_rename_of_a_shape_changes_the_words_of_all_its_entities() {
    commit("{'operation':'rename','name':'Shape/Tool','newName':'Device'}");
    assertEquals(Set.of("Device/hammer", "Device/box", "Shape/Device"), found("device"));
    assertEquals(Set.of(), found("tool"));
  }

  @Test
  void many_commits_and_more_entities_than_a_slice_are_indexed() {
    int many = 2 * WordWriter.MAX_ENTITIES + 1;
    commit(
        IntStream.range(0, many)
            .mapToObj(
                "{'operation':'add','name':'Tool/m%d','data':{'summary':'of many'}}"::formatted)
            .collect(Collectors.joining(",")));
    commit(
        IntStream.range(0, 3)
            .mapToObj(
                i -> "{'operation':'rename','name':'Tool/m%d','newName':'n%d'}".formatted(i, i))
            .collect(Collectors.joining(",")));
    assertEquals(many, wrefs(Api.adminToken(), repository, "many", "&limit=500").size());
    assertEquals(Set.of("Tool/n1"), found("n1"));
  }

  @Test
  void another_language_indexes_all_content_again() {
    assertEquals(Set.of(), found("driving nail"));
    language("english");
    assertEquals(Set.of("Tool/hammer"), found("driving nail"));
    assertEquals(Set.of("Tool/hammer"), found("the nails"));
    assertEquals(Set.of("Tool/hammer", "Tool/box"), found("hammers"));
    Api.admin().get(repository).then().body("settings.search.language", is("english"));
    var snippet =
        Searches.page(repository, "driving nail", "").getString("items[0].snippets[0].text");
    assertEquals("drives nails", snippet);
    language(null);
    assertEquals(Set.of(), found("driving nail"));
    assertEquals(Set.of("Tool/hammer"), found("drives nails"));
  }

  private void language(String language) {
    Api.admin()
        .body(
            "{\"settings\":{\"search\":{\"language\":%s}}}"
                .formatted(language == null ? null : '"' + language + '"'))
        .patch(repository)
        .then()
        .statusCode(200);
    Searches.awaitIndex(repository, IndexPart.WORDS, "former is null and setting = form");
  }

  private UUID id() {
    return Api.repoId(repository);
  }

  @Test
  void an_unknown_language_is_refused() {
    Api.admin()
        .body("{\"settings\":{\"search\":{\"language\":\"klingon\"}}}")
        .patch(repository)
        .then()
        .statusCode(400)
        .body("errors[0].pointer", is("/settings/search/language"));
  }

  @Test
  void while_the_language_changes_documents_in_both_languages_are_found() {
    found("nails");
    var id = id();
    // As if a worker had begun to write the documents in another language, and had gone.
    database.update(
        """
        update search_index
        set setting = 'english', form = 'english', former = 'simple', rewritten_id = 0,
            due_at = now() + interval '1 hour'
        where repo_id = ? and part = 'words'
        """,
        id);
    answer(Api.adminToken(), repository, "nails", "")
        .body("items.wref", is(List.of("Tool/hammer")))
        .body(
            "warnings[0]",
            is("The language of the search is being changed from simple to english."));
    database.update("update search_index set due_at = now() where repo_id = ?", id);
    commit("{'operation':'add','name':'Tool/saw','data':{'summary':'cuts'}}");
    assertEquals(Set.of("Tool/saw"), found("cuts"));
    Searches.awaitIndex(repository, IndexPart.WORDS, "former is null");
    assertEquals(Set.of("Tool/hammer"), found("nail"));
  }

  @Test
  void a_missing_index_is_built_again() {
    assertEquals(Set.of("Tool/hammer"), found("nails"));
    commit("{'operation':'rename','name':'Tool/hammer','newName':'mallet'}");
    found("mallet");
    var id = id();
    database.update("delete from search_index where repo_id = ?", id);
    database.update("delete from search_document where repo_id = ?", id);
    Api.admin()
        .get(repository + "/search?q=nails")
        .then()
        .statusCode(200)
        .body("items", empty())
        .body("indexedSeq", is(0))
        .body("warnings[0]", is("There is no search index yet: it is being built."));
    assertEquals(Set.of("Tool/mallet"), found("nails"));
    assertEquals(Set.of("Tool/mallet", "Tool/box"), found("mallet"));
  }

  @Test
  void a_deleted_repository_leaves_nothing() {
    found("nails");
    var id = id();
    Api.admin().delete(repository).then().statusCode(200);
    for (var table :
        List.of("search_index", "search_document", "search_vector", "search_renamed")) {
      assertEquals(
          0L,
          database
              .first(
                  "select count(*) from " + table + " where repo_id = ?", row -> row.getLong(1), id)
              .orElseThrow());
    }
  }

  @Test
  void a_search_that_waits_too_long_goes_on_with_the_index_as_it_is() {
    found("nails");
    database.update(
        "update search_index set due_at = now() + interval '1 hour', attempt = attempt + 1 where repo_id = ?",
        id());
    commit("{'operation':'add','name':'Tool/saw','data':{'summary':'cuts'}}");
    long begin = System.nanoTime();
    Api.admin()
        .get(Searches.path(repository, "cuts") + "&wait=" + Searches.newest(repository))
        .then()
        .statusCode(200)
        .body("items", empty())
        .body("indexedSeq", is(1))
        .body("repoSeq", greaterThan(1));
    assertTrue(System.nanoTime() - begin >= IndexWait.MAX_WAIT.toNanos() / 2);
    database.update("update search_index set due_at = now() where repo_id = ?", id());
    assertEquals(Set.of("Tool/saw"), found("cuts"));
  }
}
