package dev.cairn.model;

import static dev.cairn.model.Samples.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.glob.Glob;
import java.text.Normalizer;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** {@code docs/model.md}, Names. */
class NfcTest {
  private static final List<UnaryOperator<String>> NORMALIZING =
      List.of(Names::thing, text -> Glob.parse(text).toString(), Nfc::of);

  @Test
  void a_character_has_at_most_30_combining_marks() {
    var marks = "\u0316\u0301".repeat(15);
    for (var normalizing : NORMALIZING) {
      assertTrue(normalizing.apply("a" + marks + "b" + marks).contains("\u0316"));
      var problem = refused(() -> normalizing.apply("a" + marks + "\u0301"));
      assertEquals("The text has more than 30 combining marks in a row.", problem.detail());
    }
  }

  @Test
  void a_text_has_at_most_8192_characters() {
    assertEquals(8_192, Nfc.of("a".repeat(8_192)).length());
    var problem = refused(() -> Nfc.of("a".repeat(8_193)));
    assertEquals("The text has more than 8,192 characters.", problem.detail());
  }

  @Test
  void marks_out_of_order_take_no_time() {
    // Sorted, they would take longer than this test may.
    var marks = "\u0301".repeat(500_000) + "\u0316".repeat(500_000);
    // Letters that are composed with the letter before.
    var vowels = "\ud81b\udd67".repeat(500_000);
    for (var normalizing : NORMALIZING) {
      Assertions.assertTimeoutPreemptively(
          Duration.ofSeconds(20), () -> refused(() -> normalizing.apply("a" + marks)));
      Assertions.assertTimeoutPreemptively(
          Duration.ofSeconds(20), () -> refused(() -> normalizing.apply(vowels)));
    }
  }

  @Test
  void other_text_is_normalized_as_the_library_does() {
    for (var text :
        List.of("e\u0301", "\u1100\u1161\u11a8", "\u212b", "q\u0307\u0323", "\ud834\udd5e")) {
      assertEquals(Normalizer.normalize(text, Normalizer.Form.NFC), Nfc.of(text));
    }
  }
}
