package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventuallyTest {
  private static final Duration SHORT = Duration.ofMillis(20);

  @Test
  void a_condition_is_looked_at_until_it_is_true() {
    var looks = new AtomicInteger();
    Eventually.await("the third look", () -> looks.incrementAndGet() == 3);
    assertEquals(3, looks.get());
  }

  @Test
  void the_answer_that_was_waited_for_is_returned() {
    var looks = new AtomicInteger();
    assertEquals(4, Eventually.poll("4", looks::incrementAndGet, count -> count > 3));
  }

  @Test
  void the_failure_says_what_was_awaited_and_for_how_long() {
    var failure =
        assertThrows(
            AssertionError.class, () -> Eventually.await(SHORT, "a run ends", () -> false));
    assertEquals("not within 20 ms: a run ends", failure.getMessage());
  }

  @Test
  void what_the_condition_throws_ends_the_wait() {
    var cause = new IOException("closed");
    var failure =
        assertThrows(
            AssertionError.class,
            () ->
                Eventually.await(
                    "a run ends",
                    () -> {
                      throw cause;
                    }));
    assertEquals("while waiting for: a run ends", failure.getMessage());
    assertSame(cause, failure.getCause());
  }
}
