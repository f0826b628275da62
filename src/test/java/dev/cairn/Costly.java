package dev.cairn;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Patterns for tokens that cost as much as the bound of {@code docs/access.md} lets them. */
public final class Costly {
  private Costly() {}

  /**
   * 25 patterns of 16 wildcards below {@code Sensor/}.
   *
   * @param characters how many different ones they have together; 125 are as many as may be
   */
  public static String[] patterns(int characters) {
    var all =
        IntStream.range(0, characters - (int) "Sensor/*".chars().distinct().count())
            .mapToObj(i -> Character.toString(0x4e00 + i))
            .toList();
    return IntStream.range(0, 25)
        .mapToObj(
            pattern ->
                IntStream.range(0, 16)
                    .mapToObj(i -> all.get((16 * pattern + i) % all.size()) + "*")
                    .collect(Collectors.joining("", "Sensor/", "")))
        .toArray(String[]::new);
  }
}
