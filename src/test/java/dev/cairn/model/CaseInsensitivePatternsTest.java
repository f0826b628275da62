package dev.cairn.model;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.google.re2j.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/model.md}, Shapes: the flag {@code i} of patterns. */
class CaseInsensitivePatternsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[а-я]",
        "\u1c80",
        "(?s)[а-я]",
        "(?P<i>[а-я])",
        "(?i)[a-z]",
        "(?i)straße|ǆ",
        "(?i)[äöü]",
        "(?i)\\p{Cyrillic}",
        "(?i)[^a-z]-",
        "(?i)\\x41-\\x{5a}",
        "(?i)\\x{1c89}",
        "(?i)a-\\pL",
        "(?i)Saint-Étienne"
      })
  void a_pattern_is_compiled(String expression) {
    assertNull(CaseInsensitivePatterns.rejection(expression));
    Pattern.compile(expression);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(?i)\u1c80",
        "(?i)[\u1c88]",
        "(?i)\\x{1c85}",
        "(?i)\\x{001C80}",
        "(?i)\\Q\u1c83\\E",
        "(?i)[а-я]",
        "(?i)[!-я]",
        "[а-я](?i)",
        "(?si:[а-я])",
        "(?s-i:[а-я])",
        "(?i)[B-\\\ufdfa]",
        "(?i)[B-\ufdfa]",
        "(?i)\\\u1c80",
        "(?i)[!-\\x{10ffff}]",
        "(?i)[a-\\xff]",
        "(?i)[\\x80-\\xff]",
        "(?i)[!-\ud83d\ude00]"
      })
  void what_folds_for_long_or_for_ever_is_not(String expression) {
    assertNotNull(CaseInsensitivePatterns.rejection(expression));
  }

  @Test
  @Timeout(60)
  void every_character_that_is_not_refused_can_be_folded() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      if (Character.toLowerCase(c) != c || Character.toUpperCase(c) != c) {
        var expression = "(?i)" + Character.toString(c);
        if (CaseInsensitivePatterns.rejection(expression) == null) {
          Pattern.compile(expression);
          Pattern.compile("(?i)[" + Character.toString(c) + "]");
        }
      }
    }
  }
}
