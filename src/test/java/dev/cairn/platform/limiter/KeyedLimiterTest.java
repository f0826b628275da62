package dev.cairn.platform.limiter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.Eventually;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** KeyedLimiter: how much work waits for one key, and what all keys share. */
class KeyedLimiterTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private static Problem busy() {
    return Problem.of(ErrorCode.UNAVAILABLE, "Too much at this moment.");
  }

  @Test
  void as_much_waits_for_a_key_as_may_and_one_more_is_refused_at_once() throws Exception {
    var turns = new KeyedLimiter<String>(1, 3);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var end = turns.begin("a", 1, LONG, KeyedLimiterTest::busy);
      for (int i = 0; i < 2; i++) {
        threads.execute(() -> turns.call("a", LONG, () -> "done", KeyedLimiterTest::busy));
      }
      awaitWaiting(turns, 2);
      assertThrows(
          Problem.class, () -> turns.call("a", LONG, () -> "done", KeyedLimiterTest::busy));
      assertEquals("done", turns.call("b", LONG, () -> "done", KeyedLimiterTest::busy));
      end.run();
    }
    assertEquals(0, turns.keys());
    assertEquals("done", turns.call("a", LONG, () -> "done", KeyedLimiterTest::busy));
  }

  private static Runnable begin(KeyedLimiter<String> turns, String key) {
    return turns.begin(key, 1, Duration.ZERO, KeyedLimiterTest::busy);
  }

  /** How many turns a key gets at once. */
  private static int turnsOf(KeyedLimiter<String> turns, String key, List<Runnable> ends) {
    for (int count = 0; ; count++) {
      try {
        ends.add(begin(turns, key));
      } catch (Problem e) {
        return count;
      }
    }
  }

  @Test
  void a_key_gets_no_more_than_then_stays_free_for_the_others() {
    var turns = new KeyedLimiter<String>(5, Integer.MAX_VALUE, 10);
    var ends = new ArrayList<Runnable>();
    assertEquals(5, turnsOf(turns, "a", ends));
    assertEquals(3, turnsOf(turns, "b", ends));
    assertEquals(1, turnsOf(turns, "c", ends));
    assertEquals(1, turnsOf(turns, "d", ends));
    assertEquals(0, turnsOf(turns, "e", ends));
    ends.forEach(Runnable::run);
    assertEquals(0, turns.keys());
    assertEquals(5, turnsOf(turns, "e", ends));
  }

  @Test
  void the_next_turn_goes_to_a_key_that_has_none_however_long_others_waited() throws Exception {
    var turns = new KeyedLimiter<String>(4, Integer.MAX_VALUE, 4);
    var ends = new ArrayList<Runnable>();
    assertEquals(2, turnsOf(turns, "a", ends));
    assertEquals(1, turnsOf(turns, "b", ends));
    assertEquals(1, turnsOf(turns, "c", ends));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var late = threads.submit(() -> turns.call("a", LONG, () -> "a", KeyedLimiterTest::busy));
      awaitWaiting(turns, 1);
      var first = threads.submit(() -> turns.call("d", LONG, () -> "d", KeyedLimiterTest::busy));
      awaitWaiting(turns, 2);
      ends.removeLast().run();
      assertEquals("d", first.get());
      assertEquals(1, turns.waiting());
      ends.forEach(Runnable::run);
      assertEquals("a", late.get());
    }
    assertEquals(0, turns.waiting());
    assertEquals(0, turns.keys());
  }

  private static void awaitWaiting(KeyedLimiter<String> turns, int count) {
    Eventually.await(() -> count + " wait: " + turns.waiting(), () -> turns.waiting() >= count);
  }
}
