package dev.cairn.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Actions, Retries: the retry schedule and what a target may ask for. */
class RetryScheduleTest {
  private static final List<Duration> DELAYS =
      List.of(Duration.ZERO, Duration.ofSeconds(5), Duration.ofMinutes(1));

  @Property
  void jitter_adds_at_most_a_fifth(
      @ForAll @IntRange(min = 1, max = 20) int attempt,
      @ForAll @DoubleRange(min = 0, max = 1) double random) {
    var delay = DELAYS.get(Math.min(attempt, 2));
    var wait = new RetrySchedule(DELAYS, () -> random).after(attempt, null);
    assertTrue(wait.compareTo(delay) >= 0 && wait.toMillis() <= delay.toMillis() * 6 / 5);
  }

  @Property
  void retry_after_lengthens_to_at_most_twice_the_delay(
      @ForAll @IntRange(min = 1, max = 20) int attempt,
      @ForAll @DoubleRange(min = 0, max = 1) double random,
      @ForAll @LongRange(min = 0, max = 100_000) long seconds) {
    var schedule = new RetrySchedule(DELAYS, () -> random);
    var delay = DELAYS.get(Math.min(attempt, 2));
    var wait = schedule.after(attempt, Duration.ofSeconds(seconds));
    assertTrue(wait.compareTo(schedule.after(attempt, null)) >= 0);
    assertTrue(wait.compareTo(delay.multipliedBy(2)) <= 0);
    if (seconds <= delay.multipliedBy(2).toSeconds()) {
      assertTrue(wait.toSeconds() >= seconds);
    }
  }

  @Test
  void the_last_delay_is_repeated() {
    var schedule = new RetrySchedule(DELAYS, () -> 0);
    assertEquals(Duration.ofSeconds(5), schedule.after(1, null));
    assertEquals(Duration.ofMinutes(1), schedule.after(2, null));
    assertEquals(Duration.ofMinutes(1), schedule.after(9, null));
    assertEquals(Duration.ZERO, schedule.first());
  }
}
