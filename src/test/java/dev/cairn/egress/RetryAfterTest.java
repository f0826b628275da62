package dev.cairn.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Actions, Retries: how the header {@code Retry-After} is read. */
class RetryAfterTest {
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
