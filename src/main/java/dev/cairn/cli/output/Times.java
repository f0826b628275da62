package dev.cairn.cli.output;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** Times and durations, for people and for programs. */
public final class Times {
  private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyy-MM-dd");
  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xxx");
  private static final Duration JUST_NOW = Duration.ofSeconds(5);
  private static final Duration LONG = Duration.ofDays(31);

  private Times() {}

  /** For programs: ISO 8601 in UTC. */
  static String iso(Instant time) {
    return DateTimeFormatter.ISO_INSTANT.format(time.truncatedTo(ChronoUnit.MILLIS));
  }

  /** As short as a column needs: {@code 5 min ago}, {@code in 3 days}, or a date. */
  static String relative(Instant time, Instant now, ZoneId zone) {
    var distance = Duration.between(time, now);
    var absolute = distance.abs();
    if (absolute.compareTo(LONG) >= 0) {
      return DATE.withZone(zone).format(time);
    }
    if (absolute.compareTo(JUST_NOW) < 0) {
      return "just now";
    }
    return distance.isNegative() ? "in " + rough(absolute) : rough(absolute) + " ago";
  }

  /** The local time. */
  static String local(Instant time, ZoneId zone) {
    return LOCAL.withZone(zone).format(time);
  }

  /** The local time, with how long ago that is. */
  static String full(Instant time, Instant now, ZoneId zone) {
    var local = local(time, zone);
    var relative = relative(time, now, zone);
    return local.startsWith(relative) ? local : local + " (" + relative + ")";
  }

  /** A duration as a clock shows it: {@code 0:07}, {@code 1:02:03}. */
  static String clock(Duration duration) {
    long hours = duration.toHours();
    return hours == 0
        ? "%d:%02d".formatted(duration.toMinutesPart(), duration.toSecondsPart())
        : "%d:%02d:%02d".formatted(hours, duration.toMinutesPart(), duration.toSecondsPart());
  }

  /** A duration to its largest unit: {@code 5 min}, {@code 3 days}. */
  public static String rough(Duration duration) {
    if (duration.toMinutes() < 1) {
      return duration.toSeconds() + " s";
    }
    if (duration.toHours() < 1) {
      return duration.toMinutes() + " min";
    }
    if (duration.toDays() < 1) {
      return duration.toHours() + " h";
    }
    return duration.toDays() == 1 ? "1 day" : duration.toDays() + " days";
  }
}
