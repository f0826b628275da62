package dev.cairn.subscription;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.parser.CronParser;
import dev.cairn.model.Problem;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.BitSet;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * When a cron subscription fires, see {@code docs/subscriptions.md}, Schedules. The expression is
 * about the clock on the wall of its zone: times that the clock skips fire as one tick when it has
 * been put forward, times that it shows twice fire the first time.
 */
public final class CronSchedule {
  /** The shortest time between two ticks, in minutes. */
  private static final int MIN_MINUTES_BETWEEN_TICKS = 5;

  private static final int MINUTES_OF_HOUR = 60;
  private static final int MINUTES_OF_DAY = 24 * MINUTES_OF_HOUR;
  private static final int MAX_LENGTH = 256;

  /** In 28 years without an exception of the leap years, every date has been every weekday. */
  private static final LocalDate CYCLE = LocalDate.of(2000, 1, 1);

  private static final int DAYS_OF_CYCLE = 28 * 365 + 7;

  /** The longest wait for a date: for 29 February, across a year like 2100 without one. */
  private static final int DAYS_AHEAD = 8 * 366;

  private static final String VALUE = "(?:[0-9]{1,2}|[A-Za-z]{3})";
  private static final String ITEM = "(?:\\*|" + VALUE + "(?:-" + VALUE + ")?)(?:/[0-9]{1,2})?";
  private static final String FIELD = ITEM + "(?:," + ITEM + ")*";
  private static final Pattern FIVE_FIELDS = Pattern.compile(FIELD + "(?:[ \\t]+" + FIELD + "){4}");
  private static final CronParser PARSER =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

  private final ZoneId zone;

  /** The minutes of a day at which it fires, on each day on which it does. */
  private final int[] minutes;

  private final BitSet daysOfMonth;
  private final BitSet months;
  private final BitSet daysOfWeek;

  /** Whether one of the two suffices: by crontab(5), if both are restricted. */
  private final boolean eitherDay;

  private CronSchedule(Cron cron, ZoneId zone) {
    this.zone = zone;
    this.minutes = minutesOfDay(cron);
    this.daysOfMonth = CronValues.of(cron, CronFieldName.DAY_OF_MONTH, 1, 31);
    this.months = CronValues.of(cron, CronFieldName.MONTH, 1, 12);
    this.daysOfWeek = CronValues.of(cron, CronFieldName.DAY_OF_WEEK, 0, 6);
    if (daysOfWeek.get(7)) {
      daysOfWeek.set(0);
    }
    this.eitherDay =
        isRestricted(cron, CronFieldName.DAY_OF_MONTH)
            && isRestricted(cron, CronFieldName.DAY_OF_WEEK);
  }

  /**
   * Reads a schedule.
   *
   * @param cronspec five fields: minute, hour, day of month, month, day of week
   * @param zone the IANA name of a time zone
   * @throws Problem {@code VALIDATION_ERROR} at {@code /cronspec} or {@code /timezone}
   */
  public static CronSchedule of(String cronspec, String zone) {
    if (!ZoneId.getAvailableZoneIds().contains(zone)) {
      throw Problem.invalid("/timezone", "`timezone` must be an IANA name, such as Europe/Berlin.");
    }
    var schedule = new CronSchedule(parsed(cronspec), ZoneId.of(zone));
    schedule.refuseNever();
    schedule.refuseTooOften();
    return schedule;
  }

  private static Cron parsed(String cronspec) {
    var text = cronspec.strip();
    if (text.length() > MAX_LENGTH || !FIVE_FIELDS.matcher(text).matches()) {
      throw Problem.invalid(
          "/cronspec",
          "`cronspec` must have five fields (minute, hour, day of month, month, day of week), each a"
              + " list of `*`, values and ranges, each with an optional step after `/`.");
    }
    try {
      return PARSER.parse(text);
    } catch (IllegalArgumentException e) {
      throw Problem.invalid("/cronspec", e.getMessage());
    }
  }

  /** The next tick after {@code after}; empty only at the end of the range of dates. */
  public Optional<Instant> next(Instant after) {
    var clock = LocalDateTime.ofInstant(after, zone);
    var tick = nextOnClock(clock);
    // A time that the clock shows twice has fired when it was shown first.
    while (tick.isPresent() && !instant(tick.get()).isAfter(after)) {
      tick = nextOnClock(tick.get());
    }
    return tick.map(this::instant);
  }

  /** When the clock shows a time first, or is put forward over it. */
  private Instant instant(LocalDateTime time) {
    var transition = zone.getRules().getTransition(time);
    return transition != null && transition.isGap()
        ? transition.getInstant()
        : time.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
  }

  private Optional<LocalDateTime> nextOnClock(LocalDateTime after) {
    int minute = after.getHour() * MINUTES_OF_HOUR + after.getMinute();
    var day = after.toLocalDate();
    if (fires(day) && minute < minutes[minutes.length - 1]) {
      for (int candidate : minutes) {
        if (candidate > minute) {
          return Optional.of(day.atStartOfDay().plusMinutes(candidate));
        }
      }
    }
    for (int i = 1; i <= DAYS_AHEAD; i++) {
      if (fires(day.plusDays(i))) {
        return Optional.of(day.plusDays(i).atStartOfDay().plusMinutes(minutes[0]));
      }
    }
    return Optional.empty();
  }

  private boolean fires(LocalDate day) {
    if (!months.get(day.getMonthValue())) {
      return false;
    }
    boolean ofMonth = daysOfMonth.get(day.getDayOfMonth());
    boolean ofWeek = daysOfWeek.get(day.getDayOfWeek().getValue() % 7);
    return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
  }

  private void refuseNever() {
    for (int i = 0; i < DAYS_OF_CYCLE; i++) {
      if (fires(CYCLE.plusDays(i))) {
        return;
      }
    }
    throw Problem.invalid("/cronspec", "`cronspec` never fires: no date matches it.");
  }

  private void refuseTooOften() {
    for (int i = 1; i < minutes.length; i++) {
      refuseTooShort(minutes[i] - minutes[i - 1]);
    }
    if (firesOnSuccessiveDays()) {
      refuseTooShort(minutes[0] + MINUTES_OF_DAY - minutes[minutes.length - 1]);
    }
  }

  private static void refuseTooShort(int gap) {
    if (gap < MIN_MINUTES_BETWEEN_TICKS) {
      throw Problem.invalid(
          "/cronspec",
          "There must be at least %d minutes between two ticks of `cronspec`."
              .formatted(MIN_MINUTES_BETWEEN_TICKS));
    }
  }

  private boolean firesOnSuccessiveDays() {
    for (int i = 0; i < DAYS_OF_CYCLE; i++) {
      if (fires(CYCLE.plusDays(i)) && fires(CYCLE.plusDays(i + 1L))) {
        return true;
      }
    }
    return false;
  }

  private static int[] minutesOfDay(Cron cron) {
    var hours = CronValues.of(cron, CronFieldName.HOUR, 0, 23);
    var ofHour = CronValues.of(cron, CronFieldName.MINUTE, 0, 59);
    return hours.stream()
        .flatMap(hour -> ofHour.stream().map(minute -> hour * MINUTES_OF_HOUR + minute))
        .toArray();
  }

  private static boolean isRestricted(Cron cron, CronFieldName field) {
    return !cron.retrieve(field).getExpression().asString().startsWith("*");
  }
}
