package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The syntax of queries; {@code docs/search.md}, Queries. */
class SearchQueryTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '~',
      value = {
        "web browser                ~ web & browser*",
        "\"web browser\"            ~ web+browser",
        "\"web browser\" fast       ~ web+browser & fast*",
        "image viewer -gtk          ~ image & viewer & !gtk",
        "emacs or vim               ~ emacs / vim*",
        "emacs OR vim editor        ~ emacs / vim & editor*",
        "-\"a phrase\" word         ~ !a+phrase & word*",
        "postgresql-client          ~ postgresql & client*",
        "-gtk-3 image               ~ !gtk+3 & image*",
        "\"not closed               ~ not+closed",
        "or word or                 ~ word*",
        "a                          ~ a",
        "one\"two three\"           ~ one & two+three",
      })
  void a_query_is_alternatives_of_terms(String text, String parsed) {
    assertEquals(parsed.strip(), shown(SearchQuery.parse(text.strip())));
  }

  private static String shown(SearchQuery query) {
    return query.alternatives().stream()
        .map(
            alternative ->
                alternative.terms().stream()
                    .map(
                        term ->
                            (term.isExcluded() ? "!" : "")
                                + String.join("+", term.words())
                                + (term.isPrefix() ? "*" : ""))
                    .collect(Collectors.joining(" & ")))
        .collect(Collectors.joining(" / "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", "-gtk", "\"\"", "+++", "-", "or", "word or -other"})
  void a_query_without_a_word_to_look_for_is_refused(String text) {
    refused(text);
  }

  private static void refused(String text) {
    var problem = assertThrows(Problem.class, () -> SearchQuery.parse(text));
    assertEquals(ErrorCode.VALIDATION_ERROR, problem.code());
    assertEquals("?q", problem.errors().getFirst().pointer());
  }

  @Test
  void a_query_has_at_most_1000_characters_and_32_words() {
    SearchQuery.parse("x".repeat(SearchQuery.MAX_LENGTH));
    SearchQuery.parse("😀".repeat(SearchQuery.MAX_LENGTH - 1) + "x");
    refused("x".repeat(SearchQuery.MAX_LENGTH + 1));
    SearchQuery.parse(words(SearchQuery.MAX_WORDS));
    refused(words(SearchQuery.MAX_WORDS + 1));
    refused("\"" + words(SearchQuery.MAX_WORDS + 1) + "\"");
  }

  private static String words(int count) {
    return IntStream.range(0, count).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
  }

  @Property
  void any_text_is_a_query_or_is_refused(@ForAll @StringLength(max = 40) String text) {
    try {
      assertTrue(
          SearchQuery.parse(text).alternatives().stream().noneMatch(a -> a.wanted().isEmpty()));
    } catch (Problem e) {
      assertEquals(ErrorCode.VALIDATION_ERROR, e.code());
    }
  }

  @Test
  void only_a_query_of_wanted_words_may_be_a_whole_name() {
    assertEquals("postgresqlclient", SearchQuery.parse("postgresql-client").asName().orElseThrow());
    assertTrue(SearchQuery.parse("a -b").asName().isEmpty());
    assertTrue(SearchQuery.parse("a or b").asName().isEmpty());
    assertEquals(List.of("a"), SearchQuery.parse("a -b").wanted().getFirst().words());
  }
}
