package dev.cairn.search;

import static dev.cairn.Api.as;
import static dev.cairn.search.Searches.answer;
import static dev.cairn.search.Searches.page;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Search by vectors, and by words and vectors; {@code docs/search.md}, Modes and Vectors. */
@HttpTest
@QuarkusTest
class VectorSearchTest {
  private final Database database = OwnConnections.database();
  private String repository;

  @BeforeEach
  void content() {
    repository = Api.newRepository();
    commit(
        """
        {'operation':'add','kind':'shape','name':'Tool','data':{'fields':{
          'summary':'string','part?':{'type':'wref','shape':'Tool'}}}},
        {'operation':'add','name':'Tool/postgresql','data':{'summary':'relational database server'}},
        {'operation':'add','name':'Tool/mariadb','data':{'summary':'relational database server'}},
        {'operation':'add','name':'Tool/thunderbird','data':{'summary':'reads and sends mail'}},
        {'operation':'add','name':'Tool/mail','data':{'summary':'mail for the terminal'}},
        {'operation':'add','name':'Tool/viewer','data':{'summary':'shows images with gtk'}},
        {'operation':'add','name':'Tool/feh','data':{'summary':'image viewer, shows images'}}
        """);
  }

  private void commit(String operations) {
    Api.commit(repository, operations).statusCode(201);
  }

  private List<String> wrefs(String query, String parameters) {
    return page(repository, query, parameters).getList("items.wref");
  }

  @ParameterizedTest
  @CsvSource({
    "postgrsql, vector, Tool/postgresql",
    "postgrsql, hybrid, Tool/postgresql",
    "thunderbrid, vector, Tool/thunderbird",
    "thunderbrid, hybrid, Tool/thunderbird",
  })
  void misspelt_words_are_found(String query, String mode, String expected) {
    assertEquals(List.of(), wrefs(query, ""));
    assertEquals(expected, wrefs(query, "&mode=" + mode).getFirst());
  }

  @Test
  void each_hit_has_its_score_and_its_rank_in_each_mode() {
    var vector = page(repository, "mail", "&mode=vector");
    assertEquals(List.of(1, 2), vector.getList("items.ranks.vector").subList(0, 2));
    assertTrue(vector.getDouble("items[0].score") > vector.getDouble("items[1].score"));
    assertNull(vector.get("items[0].ranks.text"));
    var hybrid = page(repository, "mail", "&mode=hybrid");
    assertEquals(
        List.of("Tool/mail", "Tool/thunderbird"), hybrid.getList("items.wref").subList(0, 2));
    assertEquals(List.of(1, 2), hybrid.getList("items.ranks.text").subList(0, 2));
    assertEquals(List.of(1, 2), hybrid.getList("items.ranks.vector").subList(0, 2));
    assertEquals(1.5 + 2.0 / 61, hybrid.getDouble("items[0].score"), 0.00001);
    assertEquals(0.5 + 2.0 / 62, hybrid.getDouble("items[1].score"), 0.00001);
    assertEquals("/summary", hybrid.getString("items[1].snippets[0].pointer"));
    assertNull(page(repository, "mail", "").get("items[0].ranks"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"vector", "hybrid"})
  void words_that_the_query_excludes_are_not_found(String mode) {
    assertTrue(wrefs("shows images", "&mode=" + mode).contains("Tool/viewer"));
    var found = wrefs("shows images -gtk", "&mode=" + mode);
    assertEquals("Tool/feh", found.getFirst());
    assertFalse(found.contains("Tool/viewer"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"vector", "hybrid"})
  void the_filters_of_queries_apply(String mode) {
    commit("{'operation':'retract','name':'Tool/mariadb'}");
    var parameters = "&mode=" + mode;
    assertFalse(wrefs("database server", parameters).contains("Tool/mariadb"));
    assertTrue(
        wrefs("database server", parameters + "&includeInactive=true").contains("Tool/mariadb"));
    assertEquals(List.of("Tool/postgresql"), wrefs("database server", parameters + "&match=*/p*"));
    assertEquals(List.of(), wrefs("database server", parameters + "&kind=assertion"));
    assertEquals(List.of(), wrefs("database server", parameters + "&shape=Nothing"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"about=Tool/mail", "resolveCollections=true", "cursor=x", "facets=shape"})
  void what_goes_only_with_text_is_refused(String parameter) {
    for (var mode : List.of("vector", "hybrid")) {
      Api.admin()
          .get(repository + "/search?q=mail&mode=" + mode + "&" + parameter)
          .then()
          .statusCode(400)
          .body("code", is("VALIDATION_ERROR"))
          .body("errors[0].pointer", is("?" + parameter.split("=", -1)[0]))
          .body("errors[0].detail", containsString("goes with mode=text"));
    }
  }

  @Test
  void a_revise_and_a_rename_replace_the_vector() {
    commit("{'operation':'revise','name':'Tool/mail','data':{'summary':'plays chess'}}");
    assertEquals("Tool/mail", wrefs("ches", "&mode=vector").getFirst());
    commit("{'operation':'rename','name':'Tool/mail','newName':'stockfish'}");
    assertEquals("Tool/stockfish", wrefs("stokfish", "&mode=vector").getFirst());
    assertFalse(wrefs("mail", "&mode=vector").contains("Tool/stockfish"));
  }

  @Test
  void a_token_finds_only_what_it_may_read() {
    var token = People.narrowedPat(repository, "repo:read", "Tool/m*");
    answer(token, repository, "database server", "&mode=hybrid")
        .body("items[0].wref", is("Tool/mariadb"))
        .body("items.wref", not(hasItem("Tool/postgresql")))
        .body("items[0].ranks", is(Map.of("text", 1, "vector", 1)));
  }

  @Test
  void a_repository_switches_vectors_off_and_on() {
    assertFalse(wrefs("mail", "&mode=vector").isEmpty());
    vectors(false);
    for (var mode : List.of("vector", "hybrid")) {
      Api.admin()
          .get(repository + "/search?q=mail&mode=" + mode)
          .then()
          .statusCode(400)
          .body("errors[0].pointer", is("?mode"))
          .body("errors[0].detail", containsString("switch vectors off"));
    }
    assertEquals(0, stored());
    commit("{'operation':'add','name':'Tool/saw','data':{'summary':'cuts'}}");
    assertEquals(List.of("Tool/saw"), wrefs("cuts", ""));
    assertEquals(0, stored());
    vectors(true);
    assertEquals("Tool/saw", wrefs("cuts", "&mode=vector").getFirst());
    assertEquals(8, stored());
  }

  @Test
  void entities_like_another_are_found_without_itself() {
    page(repository, "mail", "&mode=vector");
    Api.admin()
        .get(repository + "/search?like=Tool/postgresql&kind=thing")
        .then()
        .statusCode(200)
        .body("items[0].wref", is("Tool/mariadb"))
        .body("items[0].ranks.vector", is(1))
        .body("items[0].snippets", empty())
        .body("items.wref", not(hasItem("Tool/postgresql")))
        .body("warnings", nullValue());
    var token = People.narrowedPat(repository, "repo:read", "Tool/p*", "Tool/t*");
    as(token)
        .get(repository + "/search?like=Tool/postgresql")
        .then()
        .statusCode(200)
        .body("items.wref", not(hasItem("Tool/mariadb")));
    as(token).get(repository + "/search?like=Tool/mariadb").then().statusCode(404);
  }

  @ParameterizedTest
  @CsvSource({
    "like=Tool/none, 404, ''",
    "like=Tool/mail@v1, 400, ?like",
    "q=mail&like=Tool/mail, 400, ?q",
    "mode=vector, 400, ?q",
    "like=Tool/mail&mode=text, 400, ?mode",
    "like=Tool/mail&mode=hybrid, 400, ?mode",
    "like=Tool/mail&facets=shape, 400, ?facets",
  })
  void what_like_does_not_take_is_refused(String parameters, int status, String pointer) {
    var answer = Api.admin().get(repository + "/search?" + parameters).then().statusCode(status);
    if (!pointer.isEmpty()) {
      answer.body("errors[0].pointer", is(pointer));
    }
  }

  @Test
  void an_entity_without_a_vector_has_no_similar_ones_yet() {
    page(repository, "mail", "&mode=vector");
    commit("{'operation':'add','name':'Tool/saw','data':{'summary':'cuts'}}");
    Api.admin()
        .get(repository + "/search?like=Tool/saw")
        .then()
        .statusCode(200)
        .body("items", empty())
        .body("warnings", hasItem("The vectors are being built: hits may be missing."));
  }

  private void vectors(boolean areWanted) {
    Api.admin()
        .body("{\"settings\":{\"search\":{\"vectors\":%s}}}".formatted(areWanted))
        .patch(repository)
        .then()
        .statusCode(200);
    Searches.awaitIndex(
        repository, IndexPart.VECTORS, "former is null and (form <> '') = (setting <> '')");
  }

  @Test
  void vectors_of_another_embedder_are_replaced_in_the_background() {
    page(repository, "mail", "&mode=vector");
    var id = Api.repoId(repository);
    // As if the program had been replaced by one with another embedder.
    database.update("update search_vector set embedder = 'former' where repo_id = ?", id);
    database.update(
        """
        update search_index set form = 'former', due_at = now() + interval '1 hour'
        where repo_id = ? and part = 'vectors'
        """,
        id);
    answer(Api.adminToken(), repository, "mail", "&mode=hybrid")
        .body("items.wref", hasItem("Tool/mail"))
        .body("items[0].ranks.vector", nullValue())
        .body("warnings", hasItem("The vectors are being built: hits may be missing."));
    database.update("update search_index set due_at = now() where repo_id = ?", id);
    commit("{'operation':'retract','name':'Tool/feh'}");
    page(repository, "mail", "&mode=vector");
    Searches.awaitIndex(repository, IndexPart.VECTORS, "former is null and form <> 'former'");
    answer(Api.adminToken(), repository, "mail", "&mode=vector")
        .body("items.wref", not(empty()))
        .body("warnings", nullValue());
    assertEquals(7, stored());
  }

  @Test
  void the_former_vectors_are_searched_until_all_are_replaced() {
    page(repository, "mail", "&mode=vector");
    var id = Api.repoId(repository);
    // As if a worker had begun to write the vectors of another embedder, and had gone.
    database.update(
        """
        update search_index
        set former = form, form = 'next', rewritten_id = 0, due_at = now() + interval '1 hour'
        where repo_id = ? and part = 'vectors'
        """,
        id);
    answer(Api.adminToken(), repository, "mail", "&mode=vector")
        .body("items[0].wref", is("Tool/mail"))
        .body("warnings", nullValue());
  }

  private long stored() {
    UUID id = Api.repoId(repository);
    return database
        .first("select count(*) from search_vector where repo_id = ?", row -> row.getLong(1), id)
        .orElseThrow();
  }
}
