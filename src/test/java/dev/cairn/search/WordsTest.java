package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Words of texts and queries; {@code docs/search.md}, Words. */
class WordsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "terminal emulator   | terminal emulator",
        "libstdc++6          | libstdc 6",
        "a-b_c.d/e           | a b c d e",
        "python3.11          | python3 11",
        "don't               | don t",
        "'  ,;  '            | ''",
        "東京 tower           | 東 京 tower",
        "x東y                | x 東 y",
        "𝒜bc                 | 𝒜bc",
        "😀smile😀           | smile",
      })
  void a_word_is_a_run_of_letters_and_digits(String text, String words) {
    assertEquals(
        words.isEmpty() ? List.of() : List.of(words.strip().split(" ")), Words.of(text.strip()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "XmlParser2 | Xml Parser 2",
        "XMLParser  | XML Parser",
        "python3    | python 3",
        "camelCase  | camel Case",
        "PostgreSQL | Postgre SQL",
        "plain      | ''",
        "UPPER      | ''",
        "42         | ''",
        "Éa1        | Éa 1",
      })
  void a_name_is_split_at_case_and_digits_too(String word, String parts) {
    assertEquals(
        parts.isEmpty() ? List.of() : List.of(parts.strip().split(" ")), Words.parts(word));
  }

  @ParameterizedTest
  @CsvSource({
    "Café, cafe",
    "STRASSE, strasse",
    "Straße, strasse",
    "Ångström, angstrom",
    "Łódź, lodz",
    "ﬁne, fine",
    "Ａbc, abc",
    "e\u0301te\u0301, ete"
  })
  void words_are_compared_without_case_and_accents(String word, String plain) {
    assertEquals(plain, Words.plain(Words.lower(word)));
  }

  @Test
  void a_long_word_is_known_by_its_hash_and_never_by_a_part_of_it() {
    var longest = "x".repeat(Words.MAX_LENGTH);
    assertEquals(longest, Words.plain(longest));
    var longer = Words.plain(longest + "x");
    assertTrue(Words.isHash(longer));
    assertTrue(longer.length() < Words.MAX_LENGTH);
    assertTrue(!longer.equals(Words.plain(longest + "y")));
  }

  @Property
  void words_have_no_character_that_a_query_of_the_database_would_interpret(@ForAll String text) {
    for (var word : Words.of(text)) {
      var plain = Words.plain(Words.lower(word));
      assertTrue(
          plain
              .chars()
              .noneMatch(c -> c < 0x80 && !Character.isLetterOrDigit(c) && "#-_".indexOf(c) < 0),
          plain);
    }
  }

  @Property
  void ranges_cut_no_character_in_two(@ForAll String text) {
    for (var range = Words.next(text, 0); range != null; range = Words.next(text, range.end())) {
      assertTrue(range.start() < range.end());
      assertTrue(isBoundary(text, range.start()) && isBoundary(text, range.end()));
    }
  }

  private static boolean isBoundary(String text, int at) {
    return at == text.length()
        || at == 0
        || !Character.isSurrogatePair(text.charAt(at - 1), text.charAt(at));
  }

  @Property
  void the_parts_of_a_word_are_all_of_it(@ForAll String text) {
    for (var word : Words.of(text)) {
      var parts = Words.parts(word);
      assertTrue(
          parts.isEmpty() || String.join("", parts).equals(word),
          () -> Arrays.toString(parts.toArray()));
    }
  }
}
