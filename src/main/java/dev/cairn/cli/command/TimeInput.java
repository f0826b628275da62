package dev.cairn.cli.command;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.regex.Pattern;

/**
 * Reads times: a distance from now such as {@code 90m}, {@code 2h} or {@code 30d}, a date, an ISO
 * 8601 time with its offset, or milliseconds since 1970 as the API has them.
 */
public final class TimeInput {
  private static final Pattern DISTANCE = Pattern.compile("(\\d{1,6})(s|m|h|d|w)");
  private static final Pattern MILLISECONDS = Pattern.compile("\\d{11,14}");

  private TimeInput() {}

  /**
   * A time in the past, in milliseconds since 1970: {@code 2h} is two hours ago.
   *
   * @param option which option has it, for the message
   * @throws CommandFailure if it is not a time
   */
  public static long past(String option, String text, Instant now, ZoneId zone) {
    return read(option, text, now, zone, false);
  }

  /**
   * A time in the future, in milliseconds since 1970: {@code 30d} is in thirty days.
   *
   * @param option which option has it, for the message
   * @throws CommandFailure if it is not a time
   */
  public static long future(String option, String text, Instant now, ZoneId zone) {
    return read(option, text, now, zone, true);
  }

  private static long read(String option, String text, Instant now, ZoneId zone, boolean later) {
    var distance = DISTANCE.matcher(text);
    if (distance.matches()) {
      var amount = unit(distance.group(2)).multipliedBy(Long.parseLong(distance.group(1)));
      return (later ? now.plus(amount) : now.minus(amount)).toEpochMilli();
    }
    if (MILLISECONDS.matcher(text).matches()) {
      return Long.parseLong(text);
    }
    try {
      return text.length() == 10
          ? LocalDate.parse(text).atStartOfDay(zone).toInstant().toEpochMilli()
          : OffsetDateTime.parse(text).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "%s: '%s' is not a time: expected one such as 2h, 30d, 2026-11-29 or 2026-11-29T08:15:00Z."
              .formatted(option, text));
    }
  }

  private static Duration unit(String unit) {
    return switch (unit) {
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      case "d" -> Duration.ofDays(1);
      default -> Duration.ofDays(7);
    };
  }
}
