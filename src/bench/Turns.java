import java.util.Arrays;
import java.util.stream.IntStream;

/** What several turns of a measurement come to. */
final class Turns {
  private Turns() {}

  /** The median of the turns. */
  static double median(double... turns) {
    var sorted = turns.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Median, least and most of the turns. */
  static String spread(String format, double... turns) {
    var sorted = turns.clone();
    Arrays.sort(sorted);
    return "%s (%s to %s)"
        .formatted(
            format.formatted(median(sorted)),
            format.formatted(sorted[0]),
            format.formatted(sorted[sorted.length - 1]));
  }

  /** The ratio of each turn of one measurement to that of another: median, least and most. */
  static String ratios(double[] measured, double[] reference) {
    return spread(
        "%.2f",
        IntStream.range(0, measured.length).mapToDouble(i -> measured[i] / reference[i]).toArray());
  }
}
