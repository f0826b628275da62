package dev.cairn.content;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** By which way a page of the past is found. */
class MomentTest {
  private static final int FIRST = 100;
  private static final int NOW = 1_000_000;

  @ParameterizedTest
  @CsvSource({
    "10000, 50, true",
    "10001, 50, false",
    "22360, 500, true",
    "22361, 500, false",
    "1000000, 50, false",
    "1000000, 9223372036854775807, true"
  })
  void few_entities_of_a_moment_are_sorted_and_otherwise_the_names_are_walked(
      int then, long limit, boolean isById) {
    var moment = new Moment(UUID.randomUUID(), 1, FIRST + then, FIRST + NOW);
    assertEquals(isById ? moment.byId() : moment.byName(), moment.forPage(limit));
  }
}
