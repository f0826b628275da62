package dev.cairn.model.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.model.IJson;
import dev.cairn.model.MatchingBudget;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Subscriptions, Matching: how few filters are asked of how many. */
class FilterIndexTest {
  private static OperationFilter filter(String json) {
    return OperationFilter.parse(
        IJson.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }

  private static FilterIndex index(String... filters) {
    return new FilterIndex(List.of(filters).stream().map(FilterIndexTest::filter).toList());
  }

  private static FilterIndex thousand(String pattern) {
    return new FilterIndex(
        IntStream.range(0, 1_000)
            .mapToObj(i -> filter("{'match':'" + pattern.formatted(i) + "'}"))
            .toList());
  }

  private static List<Integer> found(FilterIndex index, String wref) {
    BitSet found = index.candidates(wref, MatchingBudget.ofCommit());
    return found.stream().boxed().toList();
  }

  @Test
  void filters_without_a_text_are_always_asked_and_others_by_theirs() {
    var index =
        index(
            "{'operation':'add'}",
            "{'name':'north'}",
            "{'name':'no'}",
            "{'match':'Sensor/n*'}",
            "{'match':['*/south/**','*/north']}",
            "{'match':'*'}",
            "{'name':['Sensor/east','x']}");
    assertEquals(List.of(0, 1, 2, 3, 4, 5), found(index, "Sensor/north"));
    assertEquals(List.of(0, 4, 5), found(index, "Room/south/1"));
    assertEquals(List.of(0, 5, 6), found(index, "Room/x"));
    assertEquals(List.of(0, 5), found(index, "Y"));
  }

  @Test
  void of_a_thousand_patterns_none_is_asked_that_cannot_match_wherever_their_texts_stand() {
    for (var pattern :
        List.of("S/zz%03d*", "S/*-%03d", "S/plant%03d/temperature*", "S/**/x%03d/**")) {
      assertEquals(List.of(), found(thousand(pattern), "S/t17-plant-temperature"), pattern);
      assertEquals(List.of(42), found(thousand(pattern), pattern(pattern, 42)), pattern);
    }
  }

  private static String pattern(String pattern, int number) {
    return pattern.formatted(number).replace("**", "any").replace("*", "any");
  }

  @Test
  void a_text_that_repeats_itself_is_looked_up_once() {
    var index = thousand("S/aaaa*%03d");
    var wref = "S/" + "a".repeat(500);
    assertEquals(1_000, found(index, wref).size());
  }
}
