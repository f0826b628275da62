package dev.cairn.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Actions, Retries: the ladder and what a target may ask for. */
class LadderTest {
  private static final List<Duration> STEPS =
      List.of(Duration.ZERO, Duration.ofSeconds(5), Duration.ofMinutes(1));

  @Property
  void jitter_only_adds_and_a_fifth_at_the_most(
      @ForAll @IntRange(min = 1, max = 20) int attempt,
      @ForAll @DoubleRange(min = 0, max = 1) double random) {
    var step = STEPS.get(Math.min(attempt, 2));
    var wait = new Ladder(STEPS, () -> random).after(attempt, null);
    assertTrue(wait.compareTo(step) >= 0 && wait.toMillis() <= step.toMillis() * 6 / 5);
  }

  @Property
  void retry_after_lengthens_to_twice_the_step_at_the_most(
      @ForAll @IntRange(min = 1, max = 20) int attempt,
      @ForAll @DoubleRange(min = 0, max = 1) double random,
      @ForAll @LongRange(min = 0, max = 100_000) long seconds) {
    var ladder = new Ladder(STEPS, () -> random);
    var step = STEPS.get(Math.min(attempt, 2));
    var wait = ladder.after(attempt, Duration.ofSeconds(seconds));
    assertTrue(wait.compareTo(ladder.after(attempt, null)) >= 0);
    assertTrue(wait.compareTo(step.multipliedBy(2)) <= 0);
    if (seconds <= step.multipliedBy(2).toSeconds()) {
      assertTrue(wait.toSeconds() >= seconds);
    }
  }

  @Test
  void the_last_step_is_repeated() {
    var ladder = new Ladder(STEPS, () -> 0);
    assertEquals(Duration.ofSeconds(5), ladder.after(1, null));
    assertEquals(Duration.ofMinutes(1), ladder.after(2, null));
    assertEquals(Duration.ofMinutes(1), ladder.after(9, null));
    assertEquals(Duration.ZERO, ladder.first());
  }

  @Test
  void retry_after_is_seconds_or_a_date_ahead() {
    var now = Instant.parse("2026-11-22T08:00:00Z");
    assertEquals(Optional.of(Duration.ofMinutes(2)), RetryAfter.parse(" 120 ", now));
    assertEquals(
        Optional.of(Duration.ofSeconds(30)),
        RetryAfter.parse("Sun, 22 Nov 2026 08:00:30 GMT", now));
    assertEquals(Optional.empty(), RetryAfter.parse("Sun, 22 Nov 2026 07:00:30 GMT", now));
    for (var nonsense : List.of("", "-1", "1.5", "soon", "9999999999", "٣")) {
      assertEquals(Optional.empty(), RetryAfter.parse(nonsense, now));
    }
  }
}
