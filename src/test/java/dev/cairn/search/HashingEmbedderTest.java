package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.search.Embedder.Passage;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The built-in embedder and the form in which vectors are stored; {@code docs/search.md}. */
class HashingEmbedderTest {
  private static final double ROUNDING = 1e-6;

  private final HashingEmbedder embedder = new HashingEmbedder();

  private static double cosine(float[] one, float[] other) {
    double product = 0;
    for (int i = 0; i < one.length; i++) {
      product += (double) one[i] * other[i];
    }
    return product;
  }

  private double similarity(String one, String other) {
    return cosine(Searches.vector(one), Searches.vector(other));
  }

  @Test
  void the_vector_of_a_text_is_always_the_same() {
    var vector = Searches.vector("web browser");
    assertArrayEquals(vector, Searches.vector("web browser"));
    // A change of these numbers needs another version of the embedder.
    assertEquals(EXPECTED_HASH, Arrays.hashCode(StoredVector.of(vector).bytes()));
  }

  private static final int EXPECTED_HASH = 1394892996;

  @Test
  void a_vector_has_512_dimensions_and_the_length_1() {
    var vector = Searches.vector("web browser");
    assertEquals(512, vector.length);
    assertEquals(1, cosine(vector, vector), ROUNDING);
  }

  @Test
  void case_accents_and_the_order_of_words_do_not_matter() {
    assertEquals(1, similarity("Café au LAIT", "lait au cafe"), ROUNDING);
  }

  @ParameterizedTest
  @CsvSource({
    "postgrsql, postgresql, mysql",
    "thunderbrid, thunderbird, thermometer",
    "emulater, emulator, calculator"
  })
  void a_misspelt_word_is_nearer_to_the_right_one_than_to_another(
      String misspelt, String right, String other) {
    assertTrue(similarity(misspelt, right) > 0.35, "near " + similarity(misspelt, right));
    assertTrue(similarity(misspelt, right) > similarity(misspelt, other) + 0.1);
  }

  @Test
  void texts_without_common_words_are_far_from_each_other() {
    assertEquals(0, similarity("web browser", "chess engine"), 0.15);
  }

  @Test
  void the_name_counts_twice_as_much_as_a_long_text() {
    var entity =
        embedder.embed(List.of(new Passage("hammer", "drives nails of any size. ".repeat(50))), 0);
    assertEquals(Math.sqrt(0.8), cosine(Searches.vector("hammer"), entity.getFirst()), 0.1);
  }

  @Test
  void a_name_that_is_only_a_code_counts_as_much_as_the_text() {
    var entity = embedder.embed(List.of(new Passage("LI", "Liechtenstein")), 0).getFirst();
    assertEquals(Math.sqrt(0.5), cosine(Searches.vector("Liechtenstein"), entity), 0.1);
  }

  @Test
  void a_text_without_words_has_no_direction() {
    assertTrue(stored("web").hasDirection());
    assertEquals(0, stored("-- !").cosine(stored("web")));
    assertFalse(stored("-- !").hasDirection());
  }

  private StoredVector stored(String text) {
    return StoredVector.of(Searches.vector(text));
  }

  @ParameterizedTest
  @CsvSource({
    "web browser, browser for the web",
    "chess, chess engine",
    "a, b",
    "postgrsql, postgresql"
  })
  void a_stored_vector_keeps_the_angle_and_its_signature_estimates_it(String one, String other) {
    assertEquals(similarity(one, other), stored(one).cosine(stored(other)), 0.02);
    var bits = bits(stored(one)).xor(bits(stored(other)));
    double estimate = Math.cos(Math.PI * bits.bitCount() / StoredVector.SIGNATURE_BITS);
    assertEquals(similarity(one, other), estimate, 0.2);
  }

  private static BigInteger bits(StoredVector vector) {
    return new BigInteger(vector.signature().substring(1), 16);
  }
}
