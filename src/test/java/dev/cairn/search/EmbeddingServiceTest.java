package dev.cairn.search;

import static dev.cairn.search.Searches.answer;
import static dev.cairn.search.Searches.page;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Uncommon;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Vectors by an embedding service, {@link FakeEmbeddings}; docs/search.md, Embedding service. */
@HttpTest
@QuarkusTest
@TestProfile(Uncommon.class)
@InProcess("It has settings of its own.")
class EmbeddingServiceTest {

  /** Those that the service has embedded: six, and their shape. */
  private static final long ENTITIES = 7;

  @Inject VectorIndexKind vectors;

  private final Database database = OwnConnections.database();
  private String repository;

  /** Where faults are posted to; {@link FakeEmbeddings} sets it. */
  String faults;

  @BeforeEach
  void content() {
    given().body("").post(faults);
    repository = Api.newRepository();
  }

  private void commit() {
    Api.commit(
            repository,
            """
            {'operation':'add','kind':'shape','name':'Tool','data':{'fields':{'summary':'string'}}},
            {'operation':'add','name':'Tool/postgresql','data':{'summary':'relational database'}},
            {'operation':'add','name':'Tool/mariadb','data':{'summary':'another database'}},
            {'operation':'add','name':'Tool/thunderbird','data':{'summary':'reads and sends mail'}},
            {'operation':'add','name':'Tool/mutt','data':{'summary':'mail for the terminal'}},
            {'operation':'add','name':'Tool/viewer','data':{'summary':'shows images'}},
            {'operation':'add','name':'Tool/feh','data':{'summary':'shows images with few keys'}}
            """)
        .statusCode(201);
  }

  /**
   * Has the next calls fail.
   *
   * @return how many there have been
   */
  private int fail(String... names) {
    var calls = given().body(String.join(",", names)).post(faults).then().statusCode(200);
    return Integer.parseInt(calls.extract().asString());
  }

  private Response search(String query) {
    return Api.admin().get(Searches.path(repository, query) + "&mode=vector");
  }

  @Test
  void the_vectors_are_those_of_the_service() {
    commit();
    awaitVectors();
    var found = page(repository, "mail terminal", "&mode=vector");
    assertEquals(List.of("Tool/mutt", "Tool/thunderbird"), found.getList("items.wref"));
    assertEquals(List.of("service-600 fake model"), embedders());
    assertEquals(ENTITIES, stored("octet_length(vector) = 1024"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "too many requests",
        "failure",
        "no answer",
        "slow",
        "half",
        "other dimensions",
        "no JSON"
      })
  void a_fault_of_the_service_loses_nothing_and_does_not_touch_text(String fault) {
    fail(fault);
    commit();
    vectors.worker().wake(Api.repoId(repository));
    var text = page(repository, "terminal", "");
    assertEquals(List.of("Tool/mutt"), text.getList("items.wref"));
    assertEquals(Searches.newest(repository), text.getLong("indexedSeq"));
    awaitVectors();
    assertEquals(ENTITIES, stored("true"));
    assertEquals(
        "Tool/mutt", page(repository, "terminal", "&mode=vector").getString("items[0].wref"));
  }

  @Test
  void a_text_that_the_service_refuses_has_no_vector_and_keeps_nothing_else_from_one() {
    commit();
    Api.commit(
            repository,
            """
            {'operation':'add','name':'Tool/bad','data':{'summary':'unembeddable mail'}},
            {'operation':'add','name':'Tool/pine','data':{'summary':'terminal mail'}},
            {'operation':'add','name':'Tool/long','data':{'summary':'%s unembeddable'}}
            """
                .formatted("archive ".repeat(200)))
        .statusCode(201);
    awaitVectors();
    var found = page(repository, "mail", "&mode=vector").getList("items.wref");
    assertTrue(found.contains("Tool/pine"), "found " + found);
    assertTrue(!found.contains("Tool/bad"), "found " + found);
    assertEquals(List.of("Tool/bad"), Searches.wrefs(repository, "unembeddable mail"));
    // What precedes the word is accepted.
    assertEquals(
        List.of("Tool/long"), page(repository, "archive", "&mode=vector").getList("items.wref"));
  }

  @Test
  void a_text_for_which_the_service_fails_again_and_again_has_no_vector() {
    commit();
    awaitVectors();
    Api.commit(
            repository,
            """
            {'operation':'add','name':'Tool/bad','data':{'summary':'fatal mail'}},
            {'operation':'add','name':'Tool/pine','data':{'summary':'terminal mail'}}
            """)
        .statusCode(201);
    var id = Api.repoId(repository);
    vectors.worker().wake(id);
    Searches.awaitIndex(repository, IndexPart.VECTORS, "failures > 0");
    assertEquals(ENTITIES, stored("true"));
    // As if it had failed as often as that.
    database.update(
        """
        update search_index set failures = 5, due_at = now()
        where repo_id = ? and part = 'vectors'
        """,
        id);
    awaitVectors();
    var found = page(repository, "mail", "&mode=vector").getList("items.wref");
    assertTrue(found.contains("Tool/pine"), "found " + found);
    assertTrue(!found.contains("Tool/bad"), "found " + found);
  }

  @Test
  void without_the_service_words_are_still_found() {
    commit();
    awaitVectors();
    fail("failure", "no answer");
    Api.admin()
        .get(Searches.path(repository, "relational") + "&mode=vector")
        .then()
        .statusCode(503)
        .body("detail", is("The embedding service does not answer."));
    answer(Api.adminToken(), repository, "relational", "&mode=hybrid")
        .statusCode(200)
        .body("items.wref", is(List.of("Tool/postgresql")))
        .body(
            "warnings",
            hasItem("The embedding service does not answer: hits are found by words only."));
    answer(Api.adminToken(), repository, "relational", "&mode=vector")
        .statusCode(200)
        .body("items[0].wref", is("Tool/postgresql"));
  }

  @Test
  void the_service_is_not_called_before_the_time_that_it_requires() throws Exception {
    commit();
    awaitVectors();
    int before = fail("too many requests");
    search("first of them").then().statusCode(503);
    search("second of them").then().statusCode(503);
    assertEquals(before + 1, fail());
    Eventually.await("the time is over", () -> search("third of them").statusCode() == 200);
  }

  @Test
  void a_query_is_embedded_once() {
    commit();
    awaitVectors();
    int before = fail();
    search("the same query").then().statusCode(200);
    search("the same query").then().statusCode(200);
    assertEquals(before + 1, fail());
    search("another query").then().statusCode(200);
    assertEquals(before + 2, fail());
    // Not for others, who would learn from the limit that somebody has asked for it.
    Api.anonymous()
        .get(Searches.path(repository, "the same query") + "&mode=vector")
        .then()
        .statusCode(200);
    assertEquals(before + 3, fail());
  }

  @Test
  void the_queries_of_an_account_that_are_embedded_in_an_hour_are_limited() {
    commit();
    awaitVectors();
    search("before the limit")
        .then()
        .statusCode(200)
        .header("RateLimit-Policy", is("\"embedded-queries\";q=600;w=3600"));
    database.update("update rate_limit set tokens = -100 where bucket like 'embedded-queries:%'");
    int before = fail();
    search("beyond the limit").then().statusCode(429).body("code", is("RATE_LIMITED"));
    assertEquals(before, fail());
    search("before the limit").then().statusCode(200);
    database.update("delete from rate_limit where bucket like 'embedded-queries:%'");
    search("beyond the limit").then().statusCode(200);
  }

  @Test
  void two_queries_of_an_account_are_embedded_at_a_time_and_others_wait_for_a_second()
      throws Exception {
    commit();
    awaitVectors();
    int queries = 4;
    fail(Collections.nCopies(queries, "slow").toArray(String[]::new));
    var statuses = new TreeMap<Integer, Integer>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers = new ArrayList<Future<Response>>();
      for (int i = 0; i < queries; i++) {
        var query = "slow query " + i;
        answers.add(executor.submit(() -> search(query)));
      }
      for (var answer : answers) {
        statuses.merge(answer.get().statusCode(), 1, Integer::sum);
      }
    }
    assertEquals(Map.of(200, 2, 503, 2), statuses);
  }

  @Test
  void vectors_of_the_built_in_embedder_are_searched_until_the_service_has_embedded_all() {
    commit();
    awaitVectors();
    var id = Api.repoId(repository);
    // As if the service had been configured just now.
    database.update(
        """
        update search_vector v set embedder = 'hash-2', signature = n.signature::bit(512), vector = n.vector
        from entity e, (values (?, ?)) as n (signature, vector)
        where v.repo_id = ? and e.repo_id = v.repo_id and e.id = v.entity_id and e.name = 'feh'
        """,
        StoredVector.of(Searches.vector("postgresql")).signature(),
        StoredVector.of(Searches.vector("postgresql")).bytes(),
        id);
    database.update(
        """
        update search_index set form = 'hash-2', due_at = now() + interval '1 hour'
        where repo_id = ? and part = 'vectors'
        """,
        id);
    answer(Api.adminToken(), repository, "postgrsql", "&mode=vector")
        .body("items.wref", is(List.of("Tool/feh")));
    database.update(
        "update search_index set due_at = now() where repo_id = ? and part = 'vectors'", id);
    awaitVectors();
    assertEquals(List.of("service-600 fake model"), embedders());
    assertEquals(ENTITIES, stored("true"));
  }

  @Test
  void a_former_model_that_the_service_has_no_more_keeps_nothing_from_the_new_one() {
    commit();
    awaitVectors();
    var id = Api.repoId(repository);
    // As if another model had been configured until now.
    database.update("update search_vector set embedder = 'service-600 gone' where repo_id = ?", id);
    database.update(
        """
        update search_index set form = 'service-600 gone', due_at = now() + interval '1 hour'
        where repo_id = ? and part = 'vectors'
        """,
        id);
    fail("failure");
    Api.admin().get(Searches.path(repository, "gone") + "&mode=vector").then().statusCode(503);
    Api.commit(
            repository, "{'operation':'add','name':'Tool/pine','data':{'summary':'terminal mail'}}")
        .statusCode(201);
    database.update(
        "update search_index set due_at = now() where repo_id = ? and part = 'vectors'", id);
    awaitVectors();
    assertEquals(List.of("service-600 fake model"), embedders());
    assertEquals(ENTITIES + 1, stored("true"));
  }

  @Test
  void switched_off_vectors_are_deleted_without_the_service_and_no_query_is_embedded() {
    commit();
    awaitVectors();
    fail("failure", "failure", "failure");
    Api.admin()
        .body("{\"settings\":{\"search\":{\"vectors\":false}}}")
        .patch(repository)
        .then()
        .statusCode(200);
    var id = Api.repoId(repository);
    Eventually.await(
        () -> "no vector is left: " + stored("true"),
        () -> {
          vectors.worker().wake(id);
          return stored("true") == 0;
        });
    Api.admin()
        .get(Searches.path(repository, "mail") + "&mode=vector")
        .then()
        .statusCode(400)
        .body("errors[0].pointer", is("?mode"));
  }

  private void awaitVectors() {
    var id = Api.repoId(repository);
    Eventually.await(
        "the vectors are complete",
        () -> {
          vectors.worker().wake(id);
          return database
              .first(
                  """
                  select from search_index
                  where repo_id = ? and part = 'vectors' and indexed_seq = newest_seq
                    and former is null and form like 'service-%'
                  """,
                  _ -> true, id)
              .isPresent();
        });
  }

  private List<String> embedders() {
    return database.list(
        "select distinct embedder from search_vector where repo_id = ?",
        row -> row.getString(1),
        Api.repoId(repository));
  }

  private long stored(String condition) {
    UUID id = Api.repoId(repository);
    return database
        .first(
            "select count(*) from search_vector where repo_id = ? and " + condition,
            row -> row.getLong(1),
            id)
        .orElseThrow();
  }
}
