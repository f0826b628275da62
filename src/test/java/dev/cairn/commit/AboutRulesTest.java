package dev.cairn.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.commit.AboutRules.Target;
import dev.cairn.model.AboutRule;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What shapes say about the targets of their entities, and what it costs. */
class AboutRulesTest {
  private static final Target TARGET = Target.of("Sensor", "north");

  private static AboutRule globs(int from, int count) {
    return new AboutRule(
        true,
        List.of(),
        IntStream.range(from, from + count).mapToObj(i -> "X/" + i + "*").toList());
  }

  private static boolean isSatisfied(AboutRules rules, AboutRule rule) {
    return rules.isSatisfied(rule, TARGET, UnaryOperator.identity());
  }

  @Test
  void a_target_satisfies_a_rule_by_its_shape_or_by_a_glob() {
    var rules = new AboutRules(MatchingBudget.ofCommit());
    assertTrue(isSatisfied(rules, null));
    assertTrue(isSatisfied(rules, new AboutRule(true, List.of("Sensor"), List.of())));
    assertTrue(isSatisfied(rules, new AboutRule(true, List.of(), List.of("*/nor*"))));
    assertFalse(isSatisfied(rules, new AboutRule(true, List.of("Other"), List.of("X/*"))));
    assertFalse(isSatisfied(rules, new AboutRule(false, List.of(), List.of())));
  }

  @Test
  void compiling_globs_again_and_again_uses_up_the_budget() {
    var rules = new AboutRules(new MatchingBudget(1_000_000, 1));
    // As many as are kept are compiled once.
    for (int i = 0; i < 1_000; i++) {
      assertFalse(isSatisfied(rules, globs(0, 10)));
    }
    var refusal =
        assertThrows(
            Problem.class,
            () -> {
              for (int i = 0; i < 1_000; i++) {
                isSatisfied(rules, globs(300 * i, 300));
              }
            });
    assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, refusal.code());
  }

  @Test
  void a_rule_in_words_is_short() {
    var words = AboutRules.inWords(globs(0, 100), UnaryOperator.identity());
    assertTrue(words.startsWith("about `X/0*` or `X/1*` or "), words);
    assertTrue(words.endsWith("`X/9*`, or 90 more"), words);
  }
}
