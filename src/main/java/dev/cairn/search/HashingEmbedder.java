package dev.cairn.search;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The built-in embedder, which needs no model: signed feature hashing. The features of a text are
 * its words and their character trigrams, so that a misspelt word is near the right one. The hash
 * of each feature gives a dimension and a sign; features that share a dimension cancel out on
 * average. The title counts more than the whole body, unless it is only a code.
 */
final class HashingEmbedder implements Embedder {
  /** To be changed with anything that changes the vectors. */
  static final String VERSION = "hash-2";

  private static final int DIMENSIONS = 512;

  private static final int MAX_PASSAGES = 500;

  private static final int TRIGRAM = 3;

  /** The weight of the title; the body has a weight of 1. */
  private static final double TITLE = 2;

  /** The weight of a whole word; its trigrams together have a weight of 1. */
  private static final double WORD = 0.7;

  /**
   * The weight of a word of at most {@link #MAX_SHORT_LENGTH} characters, which is rarely the
   * subject, and of a title of such words.
   */
  private static final double SHORT_WORD = 0.5;

  private static final int MAX_SHORT_LENGTH = 3;

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  @Override
  public String version() {
    return VERSION;
  }

  @Override
  public int maxPassages() {
    return MAX_PASSAGES;
  }

  @Override
  public List<float[]> embed(List<Passage> passages, int failures) {
    return passages.stream().map(HashingEmbedder::vector).toList();
  }

  @Override
  public float[] embedQuery(String query) {
    return vector(new Passage("", query));
  }

  @Override
  public boolean isRemote() {
    return false;
  }

  private static float[] vector(Passage passage) {
    var titleWords = words(passage.title());
    var title = features(titleWords);
    var body = features(words(passage.body()));
    double weight = TITLE * weight(titleWords.keySet());
    var sum = new double[DIMENSIONS];
    for (int i = 0; i < sum.length; i++) {
      sum[i] = weight * title[i] + body[i];
    }
    normalise(sum);
    var vector = new float[sum.length];
    for (int i = 0; i < sum.length; i++) {
      vector[i] = (float) sum[i];
    }
    return vector;
  }

  private static double[] features(Map<String, Integer> words) {
    var vector = new double[DIMENSIONS];
    words.forEach(
        (word, count) -> add(vector, "^" + word + "$", Math.sqrt(count) * weight(List.of(word))));
    normalise(vector);
    return vector;
  }

  private static double weight(Collection<String> words) {
    return words.stream().allMatch(word -> word.length() <= MAX_SHORT_LENGTH) ? SHORT_WORD : 1;
  }

  /** How often each word occurs; the parts of words such as {@code XmlParser2} are words too. */
  private static Map<String, Integer> words(String text) {
    var counts = new HashMap<String, Integer>();
    for (var range = Words.next(text, 0);
        range != null && range.end() <= MAX_CHARACTERS;
        range = Words.next(text, range.end())) {
      var word = range.of(text);
      count(counts, word);
      Words.parts(word).forEach(part -> count(counts, part));
    }
    return counts;
  }

  private static void count(Map<String, Integer> counts, String word) {
    var plain = Words.plain(Words.lower(word));
    if (!plain.isEmpty()) {
      counts.merge(plain, 1, Integer::sum);
    }
  }

  /**
   * @param marked a word between marks, so that its first and last characters count as such
   */
  private static void add(double[] vector, String marked, double weight) {
    add(vector, marked, 0, marked.length(), weight * WORD);
    int trigrams = marked.length() - TRIGRAM + 1;
    for (int i = 0; i < trigrams; i++) {
      add(vector, marked, i, i + TRIGRAM, weight / Math.sqrt(trigrams));
    }
  }

  private static void add(double[] vector, String text, int from, int to, double weight) {
    long hash = FNV_OFFSET ^ (to - from == TRIGRAM ? 1 : 0);
    for (int i = from; i < to; i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    long mixed = SplitMix.mix(hash);
    vector[(int) Long.remainderUnsigned(mixed, vector.length)] += mixed < 0 ? -weight : weight;
  }

  private static void normalise(double[] vector) {
    double sum = 0;
    for (double x : vector) {
      sum += x * x;
    }
    if (sum > 0) {
      double length = Math.sqrt(sum);
      for (int i = 0; i < vector.length; i++) {
        vector[i] /= length;
      }
    }
  }
}
