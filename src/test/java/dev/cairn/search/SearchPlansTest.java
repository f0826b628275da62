package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Plans;
import dev.cairn.content.Predicates;
import dev.cairn.content.Source;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A search reads the documents that match, and of the rest only its page. */
@HttpTest
@QuarkusTest
@InProcess("It asks the database, and nothing of the service but its schema.")
class SearchPlansTest {
  private static final int LIMIT = 50;

  /** How many things have a word that the others do not have. */
  private static final int MATCHING = 200;

  private static final String DOCUMENTS =
      """
      insert into search_document (repo_id, entity_id, words, name_words)
      select repo_id, id, (case when id %% %2$d = 0 then '%3$s:2' else '%4$s:2' end)::tsvector, 1
      from entity where repo_id = '%1$s' and id > 100
      """;

  private static final String VECTORS =
      """
      insert into search_vector (repo_id, embedder, entity_id, signature, vector)
      select repo_id, 'hash-2', id, ('x' || repeat(md5(id::text), 4))::bit(512),
             decode(repeat(md5(id::text), 32), 'hex')
      from entity where repo_id = '%s' and id > 100
      """;

  private static final StoredVector VECTOR = StoredVector.of(Searches.vector("rare"));

  private final UUID other = UUID.randomUUID();

  private static Lexemes lexemes(UUID repoId) {
    return new Lexemes(repoId, Stems.SIMPLE);
  }

  private static String documents(UUID repoId) {
    var lexemes = lexemes(repoId);
    return DOCUMENTS.formatted(
        repoId,
        Plans.THINGS / MATCHING,
        lexemes.quoted(Lexemes.Meaning.WORD, "rare").replace("'", ""),
        lexemes.quoted(Lexemes.Meaning.WORD, "common").replace("'", ""));
  }

  private static TextQuery query(UUID repoId, String text) {
    var query = SearchQuery.parse('"' + text + '"');
    return TextQuery.of(
        repoId,
        query,
        List.of(Stems.SIMPLE),
        _ -> query.words().stream().collect(Collectors.toMap(word -> word, List::of)));
  }

  private static Predicates active(UUID repoId) {
    return new Predicates("e.repo_id = ? and e.id >= ? and e.active", repoId, 100L);
  }

  @Test
  void a_search_by_words_reads_the_documents_that_match_and_the_entities_of_its_page()
      throws SQLException, IOException {
    try (var plans = new Plans(OwnConnections.dataSource())) {
      plans.execute(documents(plans.repoId));
      plans.execute("analyze search_document");
      var query = query(plans.repoId, "rare");
      var page =
          RankedHits.byWords(
                  plans.repoId, active(plans.repoId), query, query.stages(Optional.empty()), 1)
              .page(Optional.empty(), LIMIT);
      plans.assertRows(16 * MATCHING, page.sql(), page.parameters());
    }
  }

  @Test
  void a_search_among_entities_looks_each_document_up_by_its_key()
      throws SQLException, IOException {
    try (var plans = new Plans(OwnConnections.dataSource())) {
      plans.execute(documents(plans.repoId));
      var ids =
          new Source("select (100 + i)::bigint as id from generate_series(1, ?) i", List.of(LIMIT));
      var page =
          RankedHits.byEntities(
                  plans.repoId, ids, active(plans.repoId), query(plans.repoId, "common"), 1)
              .page(Optional.empty(), LIMIT);
      plans.assertRows(24 * LIMIT, page.sql(), page.parameters());
    }
  }

  @Test
  void a_search_by_vectors_scans_the_signatures_once_and_looks_its_candidates_up()
      throws SQLException, IOException {
    try (var plans = new Plans(OwnConnections.dataSource())) {
      plans.execute(VECTORS.formatted(plans.repoId));
      plans.execute("analyze search_vector");
      var nearest =
          NearestVectors.byScan(
              plans.repoId, active(plans.repoId), HashingEmbedder.VERSION, VECTOR);
      plans.assertRows(12 * Plans.THINGS, nearest.sql(), nearest.parameters());
    }
  }

  @Test
  void a_search_by_vectors_among_entities_looks_each_signature_up_by_its_key()
      throws SQLException, IOException {
    try (var plans = new Plans(OwnConnections.dataSource())) {
      plans.execute(VECTORS.formatted(plans.repoId));
      plans.execute("analyze search_vector");
      var ids =
          new Source("select (100 + i)::bigint as id from generate_series(1, ?) i", List.of(LIMIT));
      var nearest = NearestVectors.byEntities(plans.repoId, ids, HashingEmbedder.VERSION, VECTOR);
      plans.assertRows(24 * LIMIT, nearest.sql(), nearest.parameters());
    }
  }

  @Test
  void the_words_of_two_repositories_or_languages_differ() {
    var one = lexemes(other).quoted(Lexemes.Meaning.WORD, "word");
    assertEquals(one, lexemes(other).quoted(Lexemes.Meaning.WORD, "word"));
    var all =
        Map.of(
            one,
            1,
            lexemes(UUID.randomUUID()).quoted(Lexemes.Meaning.WORD, "word"),
            2,
            new Lexemes(other, "english").quoted(Lexemes.Meaning.WORD, "word"),
            3,
            lexemes(other).quoted(Lexemes.Meaning.NAME, "word"),
            4);
    assertEquals(4, all.size());
  }
}
