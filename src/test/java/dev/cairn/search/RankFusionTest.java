package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.search.RankFusion.Fused;
import dev.cairn.search.RankFusion.Ranks;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Reciprocal rank fusion; {@code docs/search.md}, Modes. */
class RankFusionTest {
  private static final double ROUNDING = 1e-12;

  private static List<ScoredEntity> list(double score, long... ids) {
    return LongStream.of(ids).mapToObj(id -> new ScoredEntity(id, score)).toList();
  }

  private static List<Long> ids(List<Fused> hits) {
    return hits.stream().map(Fused::id).toList();
  }

  private static Ranks ranks(int text, int vector) {
    return new Ranks(rank(text), rank(vector));
  }

  private static OptionalInt rank(int rank) {
    return rank == 0 ? OptionalInt.empty() : OptionalInt.of(rank);
  }

  @Test
  void a_hit_of_both_lists_is_before_one_of_a_single_list() {
    var texts = LongStream.concat(LongStream.of(1, 2), LongStream.range(100, 109)).toArray();
    var hits = RankFusion.of(list(1, texts), list(0.5, 3, 2), 3);
    assertEquals(List.of(2L, 1L, 3L), ids(hits));
    assertEquals(
        List.of(ranks(2, 2), ranks(1, 0), ranks(0, 1)), hits.stream().map(Fused::ranks).toList());
    assertEquals(2.0 / 62, hits.getFirst().score(), ROUNDING);
    assertEquals(1.0 / 61, hits.getLast().score(), ROUNDING);
  }

  @Test
  void few_hits_by_words_are_before_what_is_only_similar() {
    var codes = LongStream.rangeClosed(1, 10).toArray();
    var similar = LongStream.rangeClosed(11, 40).toArray();
    var hits = RankFusion.of(list(1, codes), list(0.3, similar), 20);
    assertEquals(LongStream.rangeClosed(1, 20).boxed().toList(), ids(hits));
    var more = LongStream.rangeClosed(0, 10).toArray();
    assertEquals(
        List.of(0L, 11L, 1L, 12L), ids(RankFusion.of(list(1, more), list(0.3, similar), 4)));
  }

  @Test
  void a_whole_name_is_first() {
    var texts = List.of(new ScoredEntity(1, RankedHits.WHOLE_NAME_SCORE), new ScoredEntity(2, 4));
    assertEquals(List.of(1L, 2L), ids(RankFusion.of(texts, list(0.5, 2, 3), 2)));
  }

  @Test
  void hits_by_vectors_alone_keep_their_scores() {
    var hits = RankFusion.ofVectors(list(0.5, 3, 2, 1), 2);
    assertEquals(List.of(3L, 2L), ids(hits));
    assertEquals(0.5, hits.getFirst().score(), ROUNDING);
    assertEquals(ranks(0, 1), hits.getFirst().ranks());
  }
}
