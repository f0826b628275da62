import java.util.Arrays;
import java.util.stream.IntStream;

/** What several turns of a measurement come to. */
final class Turns {
  private Turns() {}

  /** The median of the turns. */
  static double median(double... turns) {
    var sorted = turns.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** The ratio of each turn of one measurement to that of another: median, least and most. */
  static String ratios(double[] measured, double[] reference) {
    var ratios =
        IntStream.range(0, measured.length)
            .mapToDouble(i -> measured[i] / reference[i])
            .sorted()
            .toArray();
    return "%.2f (%.2f to %.2f)".formatted(median(ratios), ratios[0], ratios[ratios.length - 1]);
  }
}
