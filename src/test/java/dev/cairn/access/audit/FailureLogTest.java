package dev.cairn.access.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.LoggedLines;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** docs/audit.md: failed sign-ins in the log of the service. */
class FailureLogTest {
  @Test
  void sixty_failures_a_minute_have_a_line_and_the_next_one_has_none() {
    var log = new FailureLog();
    var lines = LoggedLines.of(FailureLog.class);
    try (lines) {
      log.write(Optional.empty(), "192.0.2.1");
      for (int i = 1; i < FailureLog.MAX_LINES_PER_MINUTE + 1; i++) {
        log.write(Optional.of(UUID.randomUUID()), "192.0.2.2");
      }
    }
    assertEquals(60, lines.messages().size());
    assertEquals(
        "sign_in.failed: an address without an account, from 192.0.2.1",
        lines.messages().getFirst());
    assertEquals("sign_in.failed: a wrong password, from 192.0.2.2", lines.messages().getLast());
  }
}
