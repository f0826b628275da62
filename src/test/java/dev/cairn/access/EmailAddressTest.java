package dev.cairn.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an e-mail address is, and which two are the same. */
class EmailAddressTest {
  @Test
  void the_letters_a_to_z_count_in_either_case() {
    assertEquals(Optional.of("ann.o@example.org"), EmailAddress.read("Ann.O@EXAMPLE.org"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"zoë@example.org", "名前@例え.jp", "ß@straße.example", "a+b'c=d@x"})
  void other_letters_stay_as_they_are(String address) {
    assertEquals(Optional.of(address), EmailAddress.read(address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u212Aate@example.org", // the Kelvin sign, which folds to k
        "ann@\u212Aiosk.example",
        "\u0130da@example.org", // I with a dot above
        "\u212Bsa@example.org", // the Angstrom sign, which NFC makes another letter
        "Zo\u00CB@example.org",
        "zoe\u0308@example.org",
        "a\u037Eb@example.org", // the Greek question mark, which NFC makes a semicolon
        "stra\u1E9Ee@example.org"
      })
  void what_folding_or_normalizing_would_make_another_address_is_none(String text) {
    assertEquals(Optional.empty(), EmailAddress.read(text));
    assertTrue(EmailAddress.folded(text).codePoints().anyMatch(c -> c > 0x7F), "it was folded");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\u0000b@example.org",
        "a\u0085b@example.org",
        "a\\b@example.org",
        "x/../y@example.org",
        "..;z@example.org",
        "x%2f..%2Fy@example.org",
        "a@example.org/..",
        "a\u200Bb@example.org",
        "a\u202Eb@example.org",
        "a\u00ADb@example.org",
        "a\u00A0b@example.org",
        "a\u2028b@example.org",
        "a\uE000b@example.org",
        "a\u0378b@example.org"
      })
  void what_cannot_be_seen_or_named_by_a_path_is_no_part_of_an_address(String text) {
    assertEquals(Optional.empty(), EmailAddress.read(text));
  }

  @Test
  void an_address_has_64_characters_before_the_at_and_189_after_it() {
    assertTrue(EmailAddress.read("x".repeat(64) + "@" + "y".repeat(189)).isPresent());
    assertTrue(EmailAddress.read("x".repeat(65) + "@y").isEmpty());
    assertTrue(EmailAddress.read("x@" + "y".repeat(190)).isEmpty());
  }

  @Property
  void two_texts_are_one_address_where_the_case_of_ascii_letters_alone_differs(
      @ForAll @CharRange(from = '!', to = '\uFFFD') @StringLength(min = 1, max = 4) String text) {
    EmailAddress.read(text + "@x")
        .ifPresent(
            address ->
                assertEquals(inAscii(text + "@x"), address, "another one than it was written"));
  }

  /** Lower case character by character, of those that are in ASCII. */
  private static String inAscii(String text) {
    var lower = text;
    for (char c = 'A'; c <= 'Z'; c++) {
      lower = lower.replace(c, Character.toLowerCase(c));
    }
    return lower;
  }
}
