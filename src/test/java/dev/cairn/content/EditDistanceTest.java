package dev.cairn.content;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditDistanceTest {
  @ParameterizedTest
  @CsvSource({
    "north, north, 0",
    "north, NORTH, 0",
    "north, nort, 1",
    "north, norrth, 1",
    "north, morth, 1",
    "north, nroth, 2",
    "kitten, sitting, 3",
    "aaa, aa, 1",
    "aba, aa, 1",
    "'', abc, 3",
    "abc, xyz, 3",
  })
  void it_is_the_number_of_changes_in_both_directions(String one, String other, int distance) {
    assertEquals(distance, EditDistance.of(one, other));
    assertEquals(distance, EditDistance.of(other, one));
  }

  @Test
  void long_texts_are_compared_only_where_they_differ() {
    var text = "x".repeat(100_000);
    assertEquals(1, EditDistance.of(text + "a" + text, text + "b" + text));
    assertEquals(64, EditDistance.of("a".repeat(64), "b".repeat(64)));
    assertEquals(65, EditDistance.of("ab".repeat(32) + "c", "d" + "ba".repeat(32)));
  }
}
