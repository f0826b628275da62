package dev.cairn.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import org.jboss.logging.MDC;
import org.junit.jupiter.api.Test;

class LogIdsTest {
  @Test
  void lines_have_the_ids_of_what_is_done_and_of_what_surrounds_it() {
    try (var _ = LogIds.of(Map.of("runId", "r", "attempt", 1))) {
      try (var _ = LogIds.of(Map.of("traceId", "t", "attempt", 2))) {
        assertEquals(Map.of("runId", "r", "attempt", "2", "traceId", "t"), MDC.getMap());
      }
      assertEquals("1", MDC.get("attempt"));
      assertNull(MDC.get("traceId"));
    }
    assertEquals(Map.of(), MDC.getMap());
  }

  @Test
  void they_are_gone_where_it_fails() {
    try (var _ = LogIds.of(Map.of("runId", "r"))) {
      throw new IllegalStateException();
    } catch (IllegalStateException e) {
      assertNull(MDC.get("runId"));
    }
  }
}
