package dev.cairn.platform.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** {@code docs/monitoring.md}, Logs: how many stack traces of faults are logged. */
class TraceBudgetTest {
  @Test
  void ten_faults_a_minute_are_logged_with_their_traces() {
    var budget = new TraceBudget();
    long now = -Duration.ofMinutes(7).toNanos();
    for (int i = 0; i < 10; i++) {
      assertTrue(budget.take(now + i));
    }
    assertFalse(budget.take(now + 10));
    assertFalse(budget.take(now + 11));
    assertTrue(budget.take(now + Duration.ofMinutes(1).toNanos()));
  }
}
