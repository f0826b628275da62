package dev.cairn.egress;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** The header of that name: seconds, or a date of HTTP. */
final class RetryAfter {
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

  private RetryAfter() {}

  /** The wait that it requires; empty if it cannot be parsed or is not in the future. */
  static Optional<Duration> parse(String header, Instant now) {
    var text = header.strip();
    if (SECONDS.matcher(text).matches()) {
      return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
    }
    try {
      var at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return Optional.of(Duration.between(now, at)).filter(Duration::isPositive);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
