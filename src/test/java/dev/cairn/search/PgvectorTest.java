package dev.cairn.search;

import static dev.cairn.search.Searches.page;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.content.Predicates;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import dev.cairn.platform.database.StatementBatch;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * {@code docs/search.md}, Large repositories: indexes of pgvector, which the embedded PostgreSQL
 * does not have. Runs only on a database that has the extension, is empty otherwise, and belongs to
 * a superuser.
 */
@HttpTest
@QuarkusTest
@TestProfile(PgvectorTest.OnPgvector.class)
@InProcess("It has the indexes created.")
@EnabledIfEnvironmentVariable(
    named = PgvectorTest.URL,
    matches = "jdbc:.+",
    disabledReason = "there is no PostgreSQL with pgvector")
class PgvectorTest {
  static final String URL = "CAIRN_TEST_PGVECTOR";

  private static final int ENTITIES = 300;
  private static final List<String> WORDS =
      List.of("red", "green", "blue", "light", "dark", "warm", "cold", "deep", "pale", "bright");

  @Inject SignatureIndexes indexes;
  @Inject Database database;

  private String repository;
  private UUID id;

  /** The database of the environment, and indexes from a few entities on. */
  public static final class OnPgvector implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      // Asked also where the test is disabled.
      return Map.of(
          "cairn.database.url", Objects.requireNonNullElse(System.getenv(URL), ""),
          "cairn.database.user", "cairn",
          "cairn.database.password", "cairn",
          "cairn.search.vector-index-from", String.valueOf(ENTITIES),
          "cairn.roles", "api,worker");
    }
  }

  @BeforeEach
  void content() {
    repository = Api.newRepository("private");
    id = Api.repoId(repository);
    Prepared.commit(
        repository,
        "{'operation':'add','name':'Shape/Colour','data':{'fields':{'text':'string'}}},"
            + IntStream.range(0, ENTITIES)
                .mapToObj(PgvectorTest::colour)
                .collect(Collectors.joining(",")));
    search("");
  }

  private static String colour(int i) {
    var text = String.join(" ", WORDS.get(i % 10), WORDS.get(i / 10 % 10), WORDS.get(i / 100));
    return "{'operation':'add','name':'Colour/%d','data':{'text':'%s'}}".formatted(i, text);
  }

  private List<String> search(String parameters) {
    return page(repository, "deep cold blue", "&mode=vector&limit=20" + parameters)
        .getList("items.wref");
  }

  private List<String> searchOfNarrowed() {
    var token = People.narrowedPat(repository, "repo:read", "Colour/1*");
    return Searches.answer(token, repository, "deep cold blue", "&mode=vector&limit=20")
        .extract()
        .jsonPath()
        .getList("items.wref");
  }

  private long existing() {
    return OwnConnections.database()
        .first(
            "select count(*) from pg_class where relname = ?",
            row -> row.getLong(1),
            "search_vector_near_" + id.toString().replace("-", ""))
        .orElseThrow();
  }

  private String plan() {
    var where = new Predicates("e.repo_id = ? and e.active", id);
    var statement =
        NearestVectors.byIndex(
            id, where, HashingEmbedder.VERSION, StoredVector.of(Searches.vector("deep")));
    var lines = new ArrayList<String>();
    var explained =
        new StatementBatch()
            .add(NearestVectors.SETTINGS_OF_INDEX)
            .add(
                "explain " + statement.sql(),
                row -> lines.add(row.getString(1)),
                statement.parameters());
    database.snapshot(
        () -> {
          database.send(explained);
          return true;
        });
    return String.join("\n", lines);
  }

  @Test
  void a_large_repository_gets_an_index_that_finds_the_same() {
    var found = List.of(search(""), search("&match=Colour/2*"), searchOfNarrowed());
    assertEquals(20, found.getFirst().size());
    assertFalse(indexes.isFor(id));
    indexes.refresh();
    assertTrue(indexes.isFor(id));
    assertTrue(plan().contains("search_vector_near_"), plan());
    assertEquals(found, List.of(search(""), search("&match=Colour/2*"), searchOfNarrowed()));

    Prepared.commit(
        repository, "{'operation':'add','name':'Colour/new','data':{'text':'deep cold blue'}}");
    assertTrue(search("").subList(0, 2).contains("Colour/new"));
  }

  @Test
  void an_incomplete_index_is_created_again_and_an_unneeded_one_is_dropped() {
    indexes.refresh();
    OwnConnections.database()
        .update(
            "update pg_index set indisvalid = false where indexrelid = ?::regclass",
            "search_vector_near_" + id.toString().replace("-", ""));
    indexes.refresh();
    assertTrue(indexes.isFor(id));

    Api.admin()
        .body(Map.of("settings", Map.of("search", Map.of("vectors", false))))
        .patch(repository)
        .then()
        .statusCode(200);
    Searches.awaitIndex(repository, IndexPart.VECTORS, "form = ''");
    indexes.refresh();
    assertFalse(indexes.isFor(id));
    assertEquals(0, existing());
  }

  @Test
  void one_replica_at_a_time_creates_an_index() throws SQLException {
    try (var other = OwnConnections.plain()) {
      OwnConnections.execute(
          other, "select pg_advisory_lock(hashtextextended('search_vector_near_', 0))");
      indexes.refresh();
      assertFalse(indexes.isFor(id));
      // The server may end a closed connection later.
      OwnConnections.execute(other, "select pg_advisory_unlock_all()");
    }
    indexes.refresh();
    assertTrue(indexes.isFor(id));
  }

  @Test
  void an_index_remains_until_its_repository_has_half_as_many_entities() {
    indexes.refresh();
    retract(0, ENTITIES / 3);
    indexes.refresh();
    assertTrue(indexes.isFor(id));
    retract(ENTITIES / 3, 2 * ENTITIES / 3);
    indexes.refresh();
    assertFalse(indexes.isFor(id));
  }

  private void retract(int from, int to) {
    Prepared.commit(
        repository,
        IntStream.range(from, to)
            .mapToObj("{'operation':'retract','name':'Colour/%d'}"::formatted)
            .collect(Collectors.joining(",")));
  }

  @Test
  void small_repositories_have_none() {
    var small = Api.newRepository();
    Prepared.commit(small, "{'operation':'add','name':'Shape/Colour','data':{'fields':{}}}");
    indexes.refresh();
    assertFalse(indexes.isFor(Api.repoId(small)));
  }
}
