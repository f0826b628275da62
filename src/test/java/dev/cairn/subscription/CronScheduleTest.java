package dev.cairn.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronScheduleTest {
  /** Several ticks in a row, as UTC. */
  private static List<String> ticks(String cronspec, String zone, String after, int count) {
    var schedule = CronSchedule.of(cronspec, zone);
    return Stream.iterate(
            schedule.next(Instant.parse(after)).orElseThrow(),
            tick -> schedule.next(tick).orElseThrow())
        .limit(count)
        .map(Instant::toString)
        .toList();
  }

  private static String refusedAt(String cronspec, String zone) {
    var problem = assertThrows(Problem.class, () -> CronSchedule.of(cronspec, zone));
    assertEquals(ErrorCode.VALIDATION_ERROR, problem.code());
    return problem.errors().getFirst().pointer();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 * * * *           | 2026-01-01T00:00:00Z | 2026-01-01T01:00:00Z",
        "0 * * * *           | 2026-01-01T00:59:59.999Z | 2026-01-01T01:00:00Z",
        "*/5 * * * *         | 2026-01-01T00:03:00Z | 2026-01-01T00:05:00Z",
        "7-59/10 3 * * *     | 2026-01-01T03:10:00Z | 2026-01-01T03:17:00Z",
        "40/10 3 * * *       | 2026-01-01T03:50:00Z | 2026-01-02T03:40:00Z",
        "0 0 1 JAN *         | 2026-01-01T00:00:00Z | 2027-01-01T00:00:00Z",
        "0 12 * * MON        | 2026-01-01T00:00:00Z | 2026-01-05T12:00:00Z",
        "0 12 * * 7          | 2026-01-01T00:00:00Z | 2026-01-04T12:00:00Z",
        "0 12 * * 0          | 2026-01-01T00:00:00Z | 2026-01-04T12:00:00Z",
        "0 12 * * sun        | 2026-01-01T00:00:00Z | 2026-01-04T12:00:00Z",
        "0 12 * * 5-7        | 2026-01-03T12:00:00Z | 2026-01-04T12:00:00Z",
        "0 12 * * FRI-SUN    | 2026-01-04T12:00:00Z | 2026-01-09T12:00:00Z",
        "0 0 29 2 *          | 2026-01-01T00:00:00Z | 2028-02-29T00:00:00Z",
        "0 0 29 2 *          | 2096-03-01T00:00:00Z | 2104-02-29T00:00:00Z",
        "0 0 31 * *          | 2026-03-31T00:00:00Z | 2026-05-31T00:00:00Z",
        "0 0 1,15 * 3        | 2026-01-01T00:00:00Z | 2026-01-07T00:00:00Z",
        "0 0 */2 * 3         | 2026-01-01T00:00:00Z | 2026-01-07T00:00:00Z",
        "0 0 2-4,20 1-2 *    | 2026-01-04T00:00:00Z | 2026-01-20T00:00:00Z",
        "  0   0\t1 1 *       | 2026-01-01T00:00:00Z | 2027-01-01T00:00:00Z",
      })
  void it_fires_when_the_fields_say(String cronspec, String after, String next) {
    assertEquals(List.of(next), ticks(cronspec, "UTC", after, 1));
  }

  @Test
  void either_day_suffices_where_both_are_restricted() {
    assertEquals(
        List.of("2026-01-07T00:00:00Z", "2026-01-14T00:00:00Z", "2026-01-15T00:00:00Z"),
        ticks("0 0 1,15 * 3", "UTC", "2026-01-01T00:00:00Z", 3));
  }

  @Test
  void both_days_count_where_one_begins_with_a_star() {
    assertEquals(
        List.of("2026-01-07T00:00:00Z", "2026-01-21T00:00:00Z", "2026-02-11T00:00:00Z"),
        ticks("0 0 */2 * 3", "UTC", "2026-01-01T00:00:00Z", 3));
  }

  @Test
  void the_times_that_a_gap_skips_fire_as_one_tick_at_its_end() {
    // Berlin goes from 02:00 to 03:00 at 01:00 UTC.
    assertEquals(
        List.of("2026-03-29T00:50:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:10:00Z"),
        ticks("*/10 * * * *", "Europe/Berlin", "2026-03-29T00:40:00Z", 3));
    assertEquals(
        List.of("2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"),
        ticks("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 3));
    // New York goes from 02:00 to 03:00 at 07:00 UTC.
    assertEquals(
        List.of("2026-03-07T07:15:00Z", "2026-03-07T07:45:00Z", "2026-03-08T07:00:00Z"),
        ticks("15,45 2 * * *", "America/New_York", "2026-03-07T00:00:00Z", 3));
    assertEquals(
        List.of("2026-03-09T06:15:00Z"),
        ticks("15,45 2 * * *", "America/New_York", "2026-03-08T07:00:00Z", 1));
  }

  @Test
  void a_repeated_time_fires_once() {
    // Berlin shows 02:00 to 03:00 from 00:00 UTC and again from 01:00 UTC.
    assertEquals(
        List.of("2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T02:00:00Z"),
        ticks("0,30 2,3 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 3));
    assertEquals(
        List.of("2026-10-25T02:00:00Z"),
        ticks("0,30 2,3 * * *", "Europe/Berlin", "2026-10-25T01:10:00Z", 1));
    // New York shows 01:00 to 02:00 from 05:00 UTC and again from 06:00 UTC.
    assertEquals(
        List.of("2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"),
        ticks("30 1 * * *", "America/New_York", "2026-11-01T00:00:00Z", 2));
  }

  @Test
  void a_day_that_a_zone_leaves_out_fires_at_its_end() {
    // Samoa had no 30 December 2011.
    assertEquals(
        List.of("2011-12-29T22:00:00Z", "2011-12-30T10:00:00Z", "2011-12-30T22:00:00Z"),
        ticks("0 12 * * *", "Pacific/Apia", "2011-12-29T00:00:00Z", 3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*/5 * * * *",
        "0,5 * * * *",
        "0/5 * * * *",
        "2,57 * * * *",
        "0,55 0,23 * * *",
        "0,59 0,23 1,15 * *",
        "58 23 1 * *",
        "0,59 0,23 */2 * 1",
      })
  void five_minutes_between_two_ticks_are_enough(String cronspec) {
    var first = CronSchedule.of(cronspec, "UTC").next(Instant.parse("2026-01-01T00:00:00Z"));
    assertTrue(first.isPresent());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "* * * * *",
        "*/4 * * * *",
        "*/7 * * * *",
        "0,4 * * * *",
        "0-9/9,13 * * * *",
        "58,2 * * * *",
        "0,58 0,23 * * *",
        "0,56 0,23 31,1 * *",
        "0,56 0,23 * 12,1 6,0",
      })
  void less_than_five_minutes_between_two_ticks_are_refused(String cronspec) {
    assertEquals("/cronspec", refusedAt(cronspec, "UTC"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 31 4 *"})
  void what_never_fires_is_refused(String cronspec) {
    assertEquals("/cronspec", refusedAt(cronspec, "UTC"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "0 0 * *",
        "0 0 * * * *",
        "@daily",
        "60 0 * * *",
        "0 24 * * *",
        "0 0 0 * *",
        "0 0 32 * *",
        "0 0 * 0 *",
        "0 0 * 13 *",
        "0 0 * * 8",
        "0 0 L * *",
        "0 0 ? * *",
        "0 0 15W * *",
        "0 0 * * 1#2",
        "0 0 1|* * *",
        "0 0 * * MON-",
        "0 0 * * XYZ",
        "0 0 * FOO *",
        "0 0 MON * *",
        "0 0 * * 6-2",
        "0 0 * * SUN-TUE",
        "*/0 0 * * *",
        "-5 0 * * *",
        "0,, 0 * * *",
        "0\n0 * * *",
        "٠ 0 * * *",
      })
  void what_is_no_expression_is_refused(String cronspec) {
    assertEquals("/cronspec", refusedAt(cronspec, "UTC"));
  }

  @Test
  void an_expression_has_at_most_256_characters() {
    var fields = " 0 * * *";
    var values = "0,".repeat(123) + "00";
    assertEquals(256, (values + fields).length());
    assertEquals(
        Optional.of(Instant.parse("2026-01-02T00:00:00Z")),
        CronSchedule.of(values + fields, "UTC").next(Instant.parse("2026-01-01T00:00:00Z")));
    assertEquals("/cronspec", refusedAt("0," + values + fields, "UTC"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Berlin", "europe/berlin", "+02:00", "UTC+1", "CEST", "Europe/Berlin "})
  void a_zone_is_an_iana_name(String zone) {
    assertEquals("/timezone", refusedAt("0 0 * * *", zone));
  }

  @Test
  void a_tick_is_what_the_clock_of_its_zone_shows() {
    var zone = ZoneId.of("Asia/Kolkata");
    var tick =
        CronSchedule.of("15 9 * * *", "Asia/Kolkata").next(Instant.parse("2026-06-01T00:00:00Z"));
    assertEquals(
        LocalDateTime.parse("2026-06-01T09:15"), LocalDateTime.ofInstant(tick.orElseThrow(), zone));
  }
}
