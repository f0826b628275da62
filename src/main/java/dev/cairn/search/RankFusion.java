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

  /** With at most this many hits by words, the words are codes or rare names. */
  private static final int MAX_RARE_HITS = 10;

  /** What each of few hits by words gets, so that they are before those that are only similar. */
  private static final double RARE_WORDS = 0.5;

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
            .map(hit -> scored(hit, texts.size() <= MAX_RARE_HITS))
            .sorted(Comparator.comparingDouble(Fused::score).reversed())
            .limit(limit)
            .toList();
  }

  /**
   * The same hit with its score in the union.
   *
   * @param hit with its score by words, or by vectors if it has no words of the query
   */
  private static Fused scored(Fused hit, boolean areWordsRare) {
    double score = hit.ranks().score();
    if (hit.ranks().text().isPresent()) {
      score += hit.score() >= RankedHits.WHOLE_NAME_SCORE ? WHOLE_NAME : 0;
      score += areWordsRare ? RARE_WORDS : 0;
    }
    return new Fused(hit.id(), score, hit.ranks());
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
