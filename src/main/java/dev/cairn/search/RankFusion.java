package dev.cairn.search;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Reciprocal rank fusion of the hits by words and by vectors; see {@code docs/search.md}, Modes.
 */
final class RankFusion {
  private static final int K = 60;

  /** What a hit whose whole name is the query gets, so that it is first. */
  private static final double WHOLE_NAME = 1;

  private final Map<Long, Fused> byId = new LinkedHashMap<>();

  /**
   * The ranks of a hit, from 1.
   *
   * @param text its rank by words
   * @param vector its rank by vectors
   */
  record Ranks(OptionalInt text, OptionalInt vector) {
    static final Ranks NONE = new Ranks(OptionalInt.empty(), OptionalInt.empty());

    private double score() {
      return reciprocal(text) + reciprocal(vector);
    }

    private static double reciprocal(OptionalInt rank) {
      return rank.isPresent() ? 1.0 / (K + rank.getAsInt()) : 0;
    }
  }

  /** A hit of one or both lists. */
  record Fused(long id, double score, Ranks ranks) {}

  private RankFusion() {}

  /** The hits by vectors alone, with their own scores. */
  static List<Fused> ofVectors(List<ScoredEntity> vectors, int limit) {
    return new RankFusion().add(List.of(), vectors).byId.values().stream().limit(limit).toList();
  }

  /** The union of two lists, each with the best hit first; of equal ones those by words first. */
  static List<Fused> of(List<ScoredEntity> texts, List<ScoredEntity> vectors, int limit) {
    return new RankFusion()
        .add(texts, vectors).byId.values().stream()
            .map(RankFusion::scored)
            .sorted(Comparator.comparingDouble(Fused::score).reversed())
            .limit(limit)
            .toList();
  }

  /** By now the score of a hit by words is that of the text search. */
  private static Fused scored(Fused hit) {
    boolean isWholeName =
        hit.ranks().text().isPresent() && hit.score() >= RankedHits.WHOLE_NAME_SCORE;
    return new Fused(hit.id(), hit.ranks().score() + (isWholeName ? WHOLE_NAME : 0), hit.ranks());
  }

  private RankFusion add(List<ScoredEntity> texts, List<ScoredEntity> vectors) {
    int rank = 1;
    for (var hit : texts) {
      byId.put(
          hit.id(),
          new Fused(hit.id(), hit.score(), new Ranks(OptionalInt.of(rank++), OptionalInt.empty())));
    }
    rank = 1;
    for (var hit : vectors) {
      var before = byId.get(hit.id());
      byId.put(
          hit.id(),
          new Fused(
              hit.id(),
              before == null ? hit.score() : before.score(),
              new Ranks(
                  before == null ? OptionalInt.empty() : before.ranks().text(),
                  OptionalInt.of(rank++))));
    }
    return this;
  }
}
