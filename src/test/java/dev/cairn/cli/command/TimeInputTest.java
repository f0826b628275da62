package dev.cairn.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeInputTest {
  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
  private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

  @ParameterizedTest
  @CsvSource({
    "30s,2026-11-29T11:59:30Z",
    "90m,2026-11-29T10:30:00Z",
    "2h,2026-11-29T10:00:00Z",
    "30d,2026-10-30T12:00:00Z",
    "1w,2026-11-22T12:00:00Z",
    "2026-11-01,2026-10-31T23:00:00Z",
    "2026-11-01T08:15:00Z,2026-11-01T08:15:00Z",
    "2026-11-01T08:15:00+02:00,2026-11-01T06:15:00Z",
    "1795298405265,2026-11-21T22:00:05.265Z"
  })
  void a_time_is_a_distance_a_date_a_time_or_milliseconds(String text, String expected) {
    assertEquals(
        Instant.parse(expected).toEpochMilli(), TimeInput.past("--since", text, NOW, ZONE));
  }

  @Test
  void a_distance_can_lead_into_the_future() {
    assertEquals(
        Instant.parse("2026-12-29T12:00:00Z").toEpochMilli(),
        TimeInput.future("--expires", "30d", NOW, ZONE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "2", "h", "-2h", "2 h", "2x", "1234567d", "2026-13-01", "2026-11-01T08:15"})
  void anything_else_names_the_option_and_what_is_expected(String text) {
    var failure =
        assertThrows(CommandFailure.class, () -> TimeInput.past("--since", text, NOW, ZONE));
    assertEquals(ExitCode.USAGE, failure.exitCode());
    assertEquals(
        "--since: '%s' is not a time: expected one such as 2h, 30d, 2026-11-29 or 2026-11-29T08:15:00Z."
            .formatted(text),
        failure.getMessage());
  }
}
