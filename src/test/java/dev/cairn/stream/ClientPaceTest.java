package dev.cairn.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** docs/streams.md, Limits: which clients are slow. */
class ClientPaceTest {
  private static final int WINDOW = 5;
  private final AtomicLong now = new AtomicLong();
  private final ClientPace pace = new ClientPace(now::get);

  private void pass(long millis) {
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Waits for a line. */
  private void line(long millis, int bytes) {
    pace.beginToWait();
    pass(millis);
    pace.endWait();
    pace.add(bytes);
  }

  private boolean isSlowWhileItWaits() {
    pace.beginToWait();
    boolean isSlow = pace.isSlow();
    pace.endWait();
    return isSlow;
  }

  @Test
  void a_client_that_sends_a_short_line_now_and_then_is_slow_after_five_seconds() {
    line(2_500, 20);
    line(2_499, 20);
    assertFalse(isSlowWhileItWaits());
    line(1, 20);
    assertTrue(isSlowWhileItWaits());
    for (int i = 0; i < 100; i++) {
      line(2_500, 20);
      assertTrue(isSlowWhileItWaits(), i + " lines later");
    }
  }

  @Test
  void a_client_at_the_minimum_rate_is_not_slow_and_one_below_it_is() {
    for (int i = 0; i < 2 * WINDOW; i++) {
      line(1_000, ClientPace.MIN_BYTES_PER_SECOND);
    }
    assertFalse(isSlowWhileItWaits());
    for (int i = 0; i < 2 * WINDOW; i++) {
      line(1_000, ClientPace.MIN_BYTES_PER_SECOND - 1);
    }
    assertTrue(isSlowWhileItWaits());
  }

  @Test
  void after_the_last_line_a_submission_can_be_ended_only_while_its_client_is_waited_for() {
    assertTrue(pace.canEnd());
    pace.endLines();
    assertFalse(pace.canEnd());
    pace.beginToWait();
    assertTrue(pace.canEnd());
    pace.endWait();
    assertFalse(pace.canEnd());
  }

  @Test
  void time_in_which_the_service_works_does_not_count() {
    line(100, 20);
    pass(60_000);
    assertFalse(isSlowWhileItWaits());
    pace.beginToWait();
    pass(6_000);
    pace.endWait();
    assertFalse(pace.isSlow(), "it is not waited for");
    assertTrue(isSlowWhileItWaits());
  }

  @Test
  void a_client_that_was_fast_is_slow_soon_after_it_has_become_so() {
    for (int i = 0; i < 60; i++) {
      line(1_000, 1_000_000);
    }
    for (int i = 0; i < 2 * WINDOW; i++) {
      line(1_000, 20);
    }
    assertTrue(isSlowWhileItWaits());
  }

  @Test
  void a_client_that_was_fast_and_sends_nothing_for_five_seconds_is_slow() {
    pace.add(1_000_000_000);
    pace.beginToWait();
    pass(4_999);
    assertFalse(pace.isSlow());
    pass(1);
    assertTrue(pace.isSlow());
  }

  /** A client that takes so long to read each piece. */
  private ResultLines results(long millis) {
    return new ResultLines(
        new OutputStream() {
          @Override
          public void write(int one) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void write(byte[] piece) {
            pass(millis);
          }
        },
        pace);
  }

  @Test
  void a_client_that_does_not_read_its_results_is_slow() throws IOException {
    var out = results(3_000);
    for (int i = 0; i < 2; i++) {
      out.add(new byte[100]);
      out.send();
    }
    assertTrue(isSlowWhileItWaits());
  }

  @Test
  void after_the_last_line_the_results_that_it_takes_are_its_progress() throws IOException {
    var out = results(3_000);
    out.countBytes();
    for (int i = 0; i < 4; i++) {
      out.add(new byte[10_000]);
      out.send();
    }
    assertFalse(isSlowWhileItWaits());
    assertEquals(10_000 / 3.0, pace.bytesPerSecond(), 1);
  }
}
