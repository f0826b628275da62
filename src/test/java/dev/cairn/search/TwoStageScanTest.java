package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.search.Embedder.Passage;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The scan of signatures leaves the nearest vectors among its candidates: recall at 10 against
 * exact cosines.
 */
class TwoStageScanTest {
  private static final Path PACKAGES = Path.of("src/test/resources/search/debian.ndjson");

  private static final int ENTITIES = 20_000;
  private static final int QUERIES = 25;
  private static final int FIRST = 10;
  private static final double LEAST_RECALL = 0.95;

  private final Random random = new Random(1);
  private final HashingEmbedder embedder = new HashingEmbedder();
  private final List<String> words = new ArrayList<>();

  private record Entity(StoredVector vector, BigInteger signature) {
    static Entity of(float[] vector) {
      var stored = StoredVector.of(vector);
      return new Entity(stored, new BigInteger(stored.signature().substring(1), 16));
    }

    int distance(Entity other) {
      return signature.xor(other.signature).bitCount();
    }
  }

  /** The first entities in the order of a key, which is computed once for each. */
  private static List<Entity> first(int count, List<Entity> all, ToDoubleFunction<Entity> key) {
    return all.stream()
        .map(entity -> Map.entry(key.applyAsDouble(entity), entity))
        .sorted(Map.Entry.comparingByKey())
        .limit(count)
        .map(Map.Entry::getValue)
        .toList();
  }

  private String text(int count) {
    return IntStream.range(0, count)
        .mapToObj(_ -> words.get(random.nextInt(words.size())))
        .collect(Collectors.joining(" "));
  }

  @Test
  void the_recall_at_10_of_the_two_stage_scan_is_at_least_95_percent() throws IOException {
    var json = new ObjectMapper();
    for (var line : Files.readAllLines(PACKAGES)) {
      words.addAll(Words.of(json.readTree(line).get("summary").textValue()));
    }
    var entities =
        IntStream.range(0, ENTITIES)
            .mapToObj(_ -> new Passage(text(2), text(4 + random.nextInt(6))))
            .map(passage -> Entity.of(embedder.embed(List.of(passage), 0).getFirst()))
            .toList();
    int found = 0;
    for (int i = 0; i < QUERIES; i++) {
      var query = Entity.of(Searches.vector(text(1 + random.nextInt(3))));
      ToDoubleFunction<Entity> farness = e -> -e.vector().cosine(query.vector());
      var exact = first(FIRST, entities, farness);
      var candidates = first(NearestVectors.CANDIDATES, entities, e -> e.distance(query));
      var twoStage = first(FIRST, candidates, farness);
      var both = new HashSet<>(exact);
      both.retainAll(new HashSet<>(twoStage));
      found += both.size();
    }
    double recall = (double) found / (QUERIES * FIRST);
    assertTrue(recall >= LEAST_RECALL, "recall " + recall);
  }
}
