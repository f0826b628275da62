package dev.cairn.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.re2j.Pattern;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatternSizeTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "^[a-z]{1,64}$", "a{1000}", "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", "(a|b)*c+?d?",
        "\\p{Greek}{100}", "\\x{1F600}{100}", "[[:alpha:]]{1,200}", "(?i)abc", "\\Qa{1000}\\E",
        "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "[]{}]{3}", "{x", "a{,5}", "(?P<n>a){50}"
      })
  void a_usual_expression_is_small_enough(String expression) {
    assertTrue(PatternSize.of(expression) <= PatternSize.MAX);
    assertEquals(expression, Pattern.compile(expression).pattern());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(a{40}){40}",
        "(?:(?:a{40}))(?i){40}",
        "(a{40})?(?i){40}",
        "(a{40}\\Q(\\E){40}",
        "(a{40}\\Q)\\E){40}",
        "(a{40}[[:word:](]){40}",
        "(a{40}[](]){40}",
        "(a{40}[^](]){40}",
        "(a{40}[\\](]){40}",
        "(a{40}z{){40}",
        "(a{40}\\(){40}",
        "(a{40}\\p{Greek}){40,}",
        "(a{40}){1,40}",
        "(a{0,40}b){40}"
      })
  void a_repetition_cannot_hide(String expression) {
    // RE2/J takes it, so it is not refused for its form
    assertEquals(expression, Pattern.compile(expression).pattern());
    assertTrue(PatternSize.of(expression) > PatternSize.MAX);
  }

  @Test
  void the_largest_expressions_need_no_more_stack_than_a_small_thread_has() throws Exception {
    for (var unit : List.of("a?", "^", "(a)?", "()", "(|)", "(a|b|)", "(a?|b*)*")) {
      int times = (int) (PatternSize.MAX / PatternSize.of(unit));
      runsOnSmallStack(unit.repeat(times));
    }
    runsOnSmallStack(nested("(", "a", ")"));
    runsOnSmallStack(nested("(", "a", ")*"));
    runsOnSmallStack(nested("(?:", "a", ")?"));
  }

  private static String nested(String open, String middle, String close) {
    int times = (int) (PatternSize.MAX / PatternSize.of(open + close)) - 1;
    return open.repeat(times) + middle + close.repeat(times);
  }

  private static void runsOnSmallStack(String expression) throws InterruptedException {
    assertTrue(PatternSize.of(expression) <= PatternSize.MAX, expression);
    var found = new Boolean[1];
    Runnable search = () -> found[0] = Pattern.compile(expression).matcher("xa").find();
    var thread = new Thread(null, search, "small", 512 << 10);
    thread.start();
    thread.join();
    assertEquals(true, found[0], expression);
  }

  @Test
  void the_size_of_hostile_text_is_bounded() {
    assertTrue(PatternSize.of("((a{1000}){1000}){1000}") > PatternSize.MAX);
    assertTrue(PatternSize.of("a" + "{9999999999}".repeat(5000)) > PatternSize.MAX);
    assertTrue(PatternSize.of("(".repeat(100_000)) >= 0);
    assertTrue(PatternSize.of("\\") >= 0);
    assertTrue(PatternSize.of("[") >= 0);
    assertTrue(PatternSize.of("[\\") >= 0);
    assertTrue(PatternSize.of("\\Q") >= 0);
    assertTrue(PatternSize.of("\\p{") >= 0);
    assertTrue(PatternSize.of("(?") >= 0);
    assertTrue(PatternSize.of("a{1") >= 0);
  }

  @Test
  void classes_count_by_their_ranges() {
    assertEquals(0, PatternSize.ofClasses("^[a-z]{1,64}$"));
    assertEquals(80, PatternSize.ofClasses("^[\\p{L}\\P{N}]{1,64}$"));
    assertEquals(0, PatternSize.ofClasses("[" + "ä".repeat(198) + "]"));
    assertEquals(1, PatternSize.ofClasses("[" + "ä".repeat(202) + "]"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[[:", "[:", "\\p{", "\\Q", "{1", "(?i"})
  void a_pattern_of_nothing_but_beginnings_is_measured_in_no_time(String beginning) {
    var pattern = "[" + beginning.repeat(400_000);
    assertTimeoutPreemptively(Duration.ofSeconds(10), () -> PatternSize.of(pattern));
    assertTimeoutPreemptively(
        Duration.ofSeconds(10), () -> PatternSize.of(beginning.repeat(400_000)));
  }
}
