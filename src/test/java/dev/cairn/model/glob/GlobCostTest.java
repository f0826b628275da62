package dev.cairn.model.glob;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code docs/model.md}, Globs: what matching costs. */
class GlobCostTest {
  @Test
  void a_wild_pattern_takes_no_exponential_time() {
    var stars = Glob.parse("S/" + "*a".repeat(15) + "b?");
    var places = Glob.parse("S/*a" + "?".repeat(14) + "b?");
    var depths = Glob.parse("S/" + "**/a/".repeat(15) + "b?");
    Assertions.assertTimeout(
        Duration.ofSeconds(5),
        () -> {
          assertFalse(stars.matches("S/" + "a".repeat(510)));
          assertFalse(places.matches("S/" + "a".repeat(510)));
          assertFalse(depths.matches("S/" + "a/".repeat(255) + "a"));
        });
  }

  @Test
  void the_steps_of_matching_are_bounded_by_a_budget() {
    var glob = Glob.parse("S/a*c");
    assertTrue(glob.matches("S/abc", new MatchingBudget(18, 0)));
    var refused =
        assertThrows(Problem.class, () -> glob.matches("S/abc", new MatchingBudget(17, 0)));
    assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, refused.code());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "*a,          14, *z?, 1_100",
        "*/a/**/,      4, z?,  6_000",
        "\"{*a,a*}\",  3, z?, 25_000",
      })
  void wildcards_do_not_multiply_the_steps(String part, int times, String end, String steps) {
    var glob = Glob.parse("S/" + part.repeat(times) + end);
    var budget = new MatchingBudget(Long.parseLong(steps.replace("_", "")), 0);
    assertFalse(glob.matches("S/z" + (part.contains("/") ? "/a" : "aa").repeat(240), budget));
  }

  @Test
  void alternatives_do_not_multiply_the_steps() {
    var glob = Glob.parse("S/*{" + "a,".repeat(13) + "a}" + "a".repeat(200) + "b?");
    assertFalse(glob.matches("S/" + "a".repeat(512), new MatchingBudget(300_000, 0)));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "\"S/*{aaab,aaac,aaad,aaae}z\", S/",
        "S/*a*a*a*a*z,                 S/",
        "\"S/b{a*a*a*,a*a*}?\",         S/",
        "**/a*a*a*/z,                  \"\"",
        "*a*a*a*a/z/**/z,              \"\"",
      })
  void a_name_that_begins_or_ends_differently_takes_a_few_steps(String glob, String begin) {
    assertFalse(Glob.parse(glob).matches(begin + "a".repeat(500), new MatchingBudget(3, 0)));
  }

  @Test
  void a_long_beginning_takes_steps() {
    var glob = Glob.parse("S/" + "a".repeat(400) + "b*");
    var name = "S/" + "a".repeat(500);
    assertFalse(glob.matches(name, new MatchingBudget(27, 0)));
    assertThrows(Problem.class, () -> glob.matches(name, new MatchingBudget(26, 0)));
  }

  @Test
  void a_wildcard_at_the_end_takes_a_step_for_each_character() {
    var glob = Glob.parse("S/a*");
    var budget = new MatchingBudget(500, 0);
    assertThrows(Problem.class, () -> glob.matches("S/a" + "b".repeat(500) + "/c", budget));
  }

  @Test
  void steps_that_are_used_up_stay_used_up() {
    var budget = new MatchingBudget(1_000, 0);
    budget.takeSteps(500);
    assertThrows(Problem.class, () -> budget.takeSteps(501));
    assertThrows(Problem.class, () -> Glob.parse("S/a*").matches("S/ab", budget));
  }
}
