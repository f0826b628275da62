package dev.cairn.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Turns: how much work waits for one key. */
class TurnsTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private static Problem busy() {
    return Problem.of(ErrorCode.UNAVAILABLE, "Too much at this moment.");
  }

  @Test
  void as_much_waits_for_a_key_as_may_and_one_more_is_refused_at_once() throws Exception {
    var turns = new Turns<String>(1, 3);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var end = turns.begin("a", 1, LONG, TurnsTest::busy);
      for (int i = 0; i < 2; i++) {
        threads.execute(() -> turns.inTurn("a", LONG, () -> "done", TurnsTest::busy));
      }
      while (turns.waiting() < 2) {
        Thread.sleep(1);
      }
      assertThrows(Problem.class, () -> turns.inTurn("a", LONG, () -> "done", TurnsTest::busy));
      assertEquals("done", turns.inTurn("b", LONG, () -> "done", TurnsTest::busy));
      end.run();
    }
    assertEquals(0, turns.keys());
    assertEquals("done", turns.inTurn("a", LONG, () -> "done", TurnsTest::busy));
  }
}
