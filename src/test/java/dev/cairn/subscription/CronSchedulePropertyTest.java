package dev.cairn.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.Problem;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Schedules around the changes of the clock, held against a clock that is watched by the minute.
 */
class CronSchedulePropertyTest {
  private static final Duration WATCHED = Duration.ofDays(3);

  /** The values of the five fields, every one of them written out. */
  record Fields(
      Set<Integer> minutes,
      Set<Integer> hours,
      Set<Integer> days,
      Set<Integer> months,
      Set<Integer> weekdays) {
    String cronspec() {
      return List.of(
              list(minutes), list(hours), list(days, 31), list(months, 12), list(weekdays, 7))
          .stream()
          .collect(Collectors.joining(" "));
    }

    private static String list(Set<Integer> values) {
      return new TreeSet<>(values).stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static String list(Set<Integer> values, int all) {
      return values.size() == all ? "*" : list(values);
    }

    boolean names(LocalDateTime time) {
      boolean day = days.contains(time.getDayOfMonth());
      boolean weekday = weekdays.contains(time.getDayOfWeek().getValue() % 7);
      boolean either = days.size() < 31 && weekdays.size() < 7;
      return minutes.contains(time.getMinute())
          && hours.contains(time.getHour())
          && months.contains(time.getMonthValue())
          && (either ? day || weekday : day && weekday);
    }
  }

  /**
   * What happens after {@code from} when somebody looks at a clock every minute, and remembers what
   * it showed the day before.
   */
  private static List<Instant> watched(Fields fields, ZoneId zone, Instant from) {
    var ticks = new ArrayList<Instant>();
    var now = from.minus(Duration.ofDays(1));
    var shown = LocalDateTime.ofInstant(now, zone);
    while (now.isBefore(from.plus(WATCHED))) {
      now = now.plusSeconds(60);
      var clock = LocalDateTime.ofInstant(now, zone);
      boolean fires = false;
      for (var time = shown.plusMinutes(1); !time.isAfter(clock); time = time.plusMinutes(1)) {
        fires |= fields.names(time);
      }
      if (fires && now.isAfter(from)) {
        ticks.add(now);
      }
      shown = clock.isAfter(shown) ? clock : shown;
    }
    return ticks;
  }

  @Property(tries = 400)
  void it_fires_as_often_as_a_watched_clock(
      @ForAll("fields") Fields fields, @ForAll("moments") ZonedMoment from) {
    var schedule = accepted(fields, from.zone());
    var ticks = new ArrayList<Instant>();
    var next = schedule.next(from.at()).orElseThrow();
    while (!next.isAfter(from.at().plus(WATCHED))) {
      ticks.add(next);
      next = schedule.next(next).orElseThrow();
    }
    assertEquals(watched(fields, from.zone(), from.at()), ticks);
  }

  @Property(tries = 1_000)
  void the_next_tick_is_later_and_no_tick_lies_between(
      @ForAll("fields") Fields fields, @ForAll("moments") ZonedMoment from) {
    var schedule = accepted(fields, from.zone());
    var next = schedule.next(from.at()).orElseThrow();
    assertTrue(next.isAfter(from.at()));
    assertEquals(next, schedule.next(next.minusMillis(1)).orElseThrow());
    var following = schedule.next(next).orElseThrow();
    assertTrue(following.isAfter(next));
  }

  @Property(tries = 1_000)
  void ticks_are_five_minutes_apart_where_the_clock_is_left_alone(
      @ForAll("fields") Fields fields, @ForAll("moments") ZonedMoment from) {
    var schedule = accepted(fields, ZoneId.of("UTC"));
    var next = schedule.next(from.at()).orElseThrow();
    var following = schedule.next(next).orElseThrow();
    assertTrue(Duration.between(next, following).compareTo(Duration.ofMinutes(5)) >= 0);
  }

  private static CronSchedule accepted(Fields fields, ZoneId zone) {
    try {
      return CronSchedule.of(fields.cronspec(), zone.getId());
    } catch (Problem e) {
      Assume.that(false);
      throw e;
    }
  }

  /** A minute in a zone. */
  record ZonedMoment(Instant at, ZoneId zone) {}

  @Provide
  Arbitrary<Fields> fields() {
    var five = Arbitraries.integers().between(0, 11).map(fifths -> fifths * 5);
    return Combinators.combine(
            five.set().ofMinSize(1).ofMaxSize(4),
            Arbitraries.integers().between(0, 23).set().ofMinSize(1).ofMaxSize(24),
            someOrAll(1, 31),
            someOrAll(1, 12),
            someOrAll(0, 6))
        .as(Fields::new);
  }

  private static Arbitrary<Set<Integer>> someOrAll(int least, int most) {
    var value = Arbitraries.integers().between(least, most);
    var all = value.set().ofSize(most - least + 1);
    return Arbitraries.oneOf(all, all, value.set().ofMinSize(1).ofMaxSize(4));
  }

  /** Up to two days before or after a change of the clock. */
  @Provide
  Arbitrary<ZonedMoment> moments() {
    var zone =
        Arbitraries.of("Europe/Berlin", "America/New_York", "Australia/Lord_Howe").map(ZoneId::of);
    return Combinators.combine(
            zone,
            Arbitraries.integers().between(0, 20),
            Arbitraries.integers().between(-2 * 24 * 60, 60))
        .as(
            (in, changes, minutes) -> {
              var at = Instant.parse("2020-01-01T00:00:00Z");
              for (int i = 0; i <= changes; i++) {
                at = in.getRules().nextTransition(at).getInstant();
              }
              return new ZonedMoment(at.plus(Duration.ofMinutes(minutes)), in);
            });
  }
}
