package dev.cairn.live;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** docs/live.md, The end: {@code max_duration} and {@code idle}. */
class LifetimeTest {
  private static final Duration MAX = Duration.ofSeconds(100);
  private static final Duration IDLE = Duration.ofSeconds(30);

  private long nanos = Long.MAX_VALUE - 5; // clocks may begin anywhere

  private void passes(int seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds) + 1;
  }

  @Test
  void live_updates_end_when_they_have_lasted_for_long_although_there_are_commits() {
    var lifetime = new Lifetime(MAX, IDLE, () -> nanos);
    for (int i = 0; i < 4; i++) {
      passes(24);
      assertEquals(Optional.empty(), lifetime.ending());
      lifetime.committed();
    }
    passes(4);
    assertEquals(Optional.of(Ending.MAX_DURATION), lifetime.ending());
  }

  @Test
  void live_updates_end_without_commits() {
    var lifetime = new Lifetime(MAX, IDLE, () -> nanos);
    passes(20);
    lifetime.committed();
    passes(29);
    assertEquals(Optional.empty(), lifetime.ending());
    passes(1);
    assertEquals(Optional.of(Ending.IDLE), lifetime.ending());
  }

  @Test
  void they_do_not_if_that_is_switched_off() {
    var lifetime = new Lifetime(MAX, Duration.ZERO, () -> nanos);
    passes(99);
    assertEquals(Optional.empty(), lifetime.ending());
    assertEquals(1, lifetime.left().toSeconds());
  }

  @Test
  void the_time_that_is_left_is_until_the_first_of_both() {
    var lifetime = new Lifetime(MAX, IDLE, () -> nanos);
    assertEquals(IDLE.toSeconds(), lifetime.left().toSeconds());
    passes(80);
    lifetime.committed();
    assertEquals(20, lifetime.left().toSeconds());
    passes(40);
    assertEquals(Duration.ofNanos(1), lifetime.left());
  }
}
