package dev.cairn.search;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.Predicates;
import dev.cairn.content.Source;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;
import dev.cairn.query.EntitySelection.Selected;
import dev.cairn.search.RankedHits.Statement;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Finds the entities whose vectors have the smallest angle to that of a query, in two stages: the
 * database finds the signatures of the repository with the smallest Hamming distances, by a scan or
 * by an index ({@link SignatureIndexes}), and the exact cosines decide among these candidates. Only
 * entities that the filter selects and the caller may read become candidates. See {@code
 * docs/search.md}, Vectors.
 */
@ApplicationScoped
class NearestVectors {
  /** Maximum candidates whose cosines are computed. */
  static final int CANDIDATES = 1_000;

  /** Fewer are enough if a filter leaves no more of those that are nearest. */
  private static final int LEAST_CANDIDATES = 200;

  /** How many of the nearest signatures are looked up before the filter. */
  private static final int MAX_BY_SIGNATURE = 5_000;

  /** Texts with nothing in common may be as similar as this. */
  private static final double LEAST_SIMILARITY = 0.1;

  private static final String DISTANCE = "bit_count(v.signature # ?::bit(512))";

  private static final String SCAN =
      """
      select v.entity_id, %s as distance
      from search_vector v where v.repo_id = ? and v.embedder = ?
      order by distance, v.entity_id limit ?"""
          .formatted(DISTANCE);

  /**
   * An index is on one repository, so the statement must name it: a generic plan does not know the
   * value of a parameter.
   */
  private static final String BY_INDEX =
      """
      select v.entity_id, v.signature <~> ?::bit(512) as distance
      from search_vector v where v.repo_id = '%s' and v.embedder = ?
      order by distance limit ?""";

  /**
   * Before {@link #BY_INDEX}, until the end of the transaction: in order, until there are enough or
   * pgvector has looked at as many as it may.
   */
  static final String SETTINGS_OF_INDEX =
      """
      select set_config('hnsw.ef_search', '1000', true),
             set_config('hnsw.iterative_scan', 'strict_order', true),
             set_config('enable_sort', 'off', true)
      """;

  /** After it: other statements may sort. */
  private static final String SORTING = "select set_config('enable_sort', 'on', true)";

  private static final String VECTOR =
      """
      cross join lateral (
        select v.vector from search_vector v
        where v.repo_id = ? and v.embedder = ? and v.entity_id = n.id offset 0) v
      """;

  /** The nearest of all, and of these the entities that are selected. */
  private static final String BY_SIGNATURE =
      """
      with nearest as materialized (%s)
      select c.examined, p.id, p.vector
      from (select count(*) as examined from nearest) c
      left join lateral (
        select n.id, v.vector from (
          select e.id from (
            select entity_id, distance from nearest order by distance, entity_id offset 0) n
          cross join lateral (select e.id from %s e %s and e.id = n.entity_id offset 0) e
          order by n.distance, n.entity_id limit ?) n
        %s) p on true
      """;

  /** The nearest of given entities. */
  private static final String BY_ENTITIES =
      """
      with chosen as materialized (%s),
      nearest as materialized (
        select v.entity_id as id, %s as distance
        from chosen s
        cross join lateral (
          select v.entity_id, v.signature from search_vector v
          where v.repo_id = ? and v.embedder = ? and v.entity_id = s.id offset 0) v
        order by distance, v.entity_id limit ?)
      select c.examined, p.id, p.vector
      from (select count(*) as examined from chosen) c
      left join lateral (select n.id, v.vector from nearest n %s) p on true
      """;

  private static final Comparator<ScoredEntity> NEAREST_FIRST =
      Comparator.comparingDouble(ScoredEntity::score)
          .reversed()
          .thenComparingLong(ScoredEntity::id);

  private final Database database;
  private final SignatureIndexes indexes;

  /**
   * The nearest entities.
   *
   * @param hits the most similar first, with their cosines
   * @param isCutOff whether some entities were not compared
   */
  record Found(List<ScoredEntity> hits, boolean isCutOff) {}

  /** Candidates, and how many signatures or entities were examined. */
  private static final class Candidates {
    private final StoredVector query;
    private final List<ScoredEntity> hits = new ArrayList<>();
    private long examined;

    Candidates(StoredVector query) {
      this.query = query;
    }

    boolean take(ResultSet row) throws SQLException {
      examined = row.getLong("examined");
      long id = row.getLong("id");
      return !row.wasNull()
          && hits.add(new ScoredEntity(id, new StoredVector(row.getBytes("vector")).cosine(query)));
    }

    List<ScoredEntity> similar() {
      return hits.stream()
          .filter(hit -> hit.score() >= LEAST_SIMILARITY)
          .sorted(NEAREST_FIRST)
          .toList();
    }
  }

  /**
   * A search for the nearest entities, which may need a second statement.
   *
   * @param first what must be sent before {@link #found}
   */
  record Search(StatementBatch first, Supplier<Found> result) {
    static Search ofNothing() {
      return new Search(new StatementBatch(), () -> new Found(List.of(), false));
    }

    Found found() {
      return result.get();
    }
  }

  NearestVectors(Database database, SignatureIndexes indexes) {
    this.database = database;
    this.indexes = indexes;
  }

  /**
   * A search for the selected entities that are nearest to a query.
   *
   * @param embedder the version of the embedder of the vectors
   * @param limit how many are needed
   */
  Search search(
      RepositoryAccess access,
      Selected selected,
      Predicates where,
      String embedder,
      StoredVector query,
      int limit) {
    if (!query.hasDirection()) {
      return Search.ofNothing();
    }
    var ids = selected.ids(access, where, RankedHits.MAX_BY_ENTITIES + 1);
    var byEntities = byEntities(access.repoId(), ids, embedder, query);
    var first = new StatementBatch();
    // How many hidden vectors are nearer must change nothing.
    if (!access.narrowing().isUnrestricted()) {
      var nearest = candidates(first, query, byEntities);
      return new Search(first, () -> found(nearest));
    }
    boolean isIndexed = indexes.isFor(access.repoId());
    if (isIndexed) {
      first.add(SETTINGS_OF_INDEX);
    }
    var statement =
        isIndexed
            ? byIndex(access.repoId(), where, embedder, query)
            : byScan(access.repoId(), where, embedder, query);
    var nearest = candidates(first, query, statement);
    if (isIndexed) {
      first.add(SORTING);
    }
    return new Search(
        first,
        () -> {
          // A scan that has found fewer has seen all; an index may have stopped before.
          if ((nearest.examined <= MAX_BY_SIGNATURE && !isIndexed)
              || nearest.hits.size() >= Math.max(LEAST_CANDIDATES, limit)) {
            return new Found(nearest.similar(), false);
          }
          var second = new StatementBatch();
          var chosen = candidates(second, query, byEntities);
          database.send(second);
          return found(chosen);
        });
  }

  private static Found found(Candidates byEntities) {
    return new Found(byEntities.similar(), byEntities.examined > RankedHits.MAX_BY_ENTITIES);
  }

  private static Candidates candidates(
      StatementBatch batch, StoredVector query, Statement statement) {
    var candidates = new Candidates(query);
    batch.add(statement.sql(), candidates::take, statement.parameters());
    return candidates;
  }

  /** The statement for the selected entities among those with the nearest signatures. */
  static Statement byScan(UUID repoId, Predicates where, String embedder, StoredVector query) {
    var before = List.<Object>of(query.signature(), repoId, embedder, MAX_BY_SIGNATURE + 1);
    return bySignature(SCAN, before, repoId, where, embedder);
  }

  /** The same by the {@linkplain SignatureIndexes index} of the repository. */
  static Statement byIndex(UUID repoId, Predicates where, String embedder, StoredVector query) {
    var before = List.<Object>of(query.signature(), embedder, MAX_BY_SIGNATURE + 1);
    return bySignature(BY_INDEX.formatted(repoId), before, repoId, where, embedder);
  }

  private static Statement bySignature(
      String nearest, List<Object> before, UUID repoId, Predicates where, String embedder) {
    return new Statement(
        BY_SIGNATURE.formatted(nearest, Source.HEAD.sql(), where.sql(), VECTOR),
        where.parameters(before, CANDIDATES, repoId, embedder));
  }

  /**
   * The statement for those with the nearest signatures among given entities.
   *
   * @param ids a query for their ids
   */
  static Statement byEntities(UUID repoId, Source ids, String embedder, StoredVector query) {
    return new Statement(
        BY_ENTITIES.formatted(ids.sql(), DISTANCE, VECTOR),
        ids.with(query.signature(), repoId, embedder, CANDIDATES, repoId, embedder));
  }
}
