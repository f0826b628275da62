package dev.cairn.cli.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.model.Names;
import dev.cairn.model.Problem;
import dev.cairn.model.StoredJson;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameRuleTest {
  static Stream<String> texts() {
    var fixed =
        Stream.of(
            "",
            "a",
            "a/b",
            "/a",
            "a/",
            "a//b",
            "a/./b",
            "..",
            "..;x/a",
            "...",
            "a b",
            "a\u00a0b",
            "a\tb",
            "a@b",
            "100%",
            "C#",
            "{x}",
            "Ünïcode",
            "日本/東京",
            "😀",
            "\ud800",
            "\u200b",
            "\ue000",
            "x".repeat(512),
            "x".repeat(513),
            "😀".repeat(512),
            "😀".repeat(513),
            "a" + "\u0316".repeat(30),
            "a" + "\u0316".repeat(31));
    return Stream.concat(fixed, IntStream.range(0, 0x3000).mapToObj(c -> "x" + (char) c + "y"));
  }

  /** In one test, because each of thousands would take longer to report than to run. */
  @Test
  void a_text_is_a_name_exactly_if_the_service_takes_it() {
    var different =
        texts().filter(text -> isTaken(text) != isName(text)).map(StoredJson::escape).toList();
    assertEquals(List.of(), different);
  }

  private static boolean isTaken(String text) {
    try {
      Names.thing(text);
      return true;
    } catch (Problem e) {
      return false;
    }
  }

  private static boolean isName(String text) {
    return NameRule.violation(NameRule.normalize(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "a b, a name cannot contain spaces",
    "C#, a name cannot contain `#`",
    "a//b, 'a name cannot begin or end with a slash, or have two in a row'",
    "x/.., no segment of a name can be `.` or `..`"
  })
  void a_violation_says_the_rule(String text, String rule) {
    assertEquals(rule, NameRule.violation(text).orElseThrow());
    assertFalse(rule.endsWith("."));
  }
}
