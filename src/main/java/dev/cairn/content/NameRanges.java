package dev.cairn.content;

import dev.cairn.model.BuiltinShape;
import dev.cairn.model.Glob;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the names stand that a narrowed token may read: ranges of the index of names, none of which
 * overlaps another, so that a page takes from each no more than it may show.
 */
public final class NameRanges {
  /** The ranges as a table {@code r}; the parameters are {@link #parameters}. */
  public static final String SQL = "unnest(?, ?, ?, ?) as r (shape_name, low, high, whole)";

  /** The condition of being in the range {@code r}, to stand after others. */
  public static final String WITHIN =
      " and e.shape_name = r.shape_name and e.name >= r.low and e.name < r.high";

  private static final Comparator<String> BY_CODE_POINT =
      Comparator.comparing(text -> text.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  private static final Comparator<Range> IN_ORDER =
      Comparator.comparing(Range::shapeName, BY_CODE_POINT)
          .thenComparing(Range::low, BY_CODE_POINT);

  private final List<Range> ranges;

  /**
   * Names of one shape.
   *
   * @param low the first name that may be among them
   * @param high after the last one
   * @param whole whether all of them may be read, so that no pattern need be asked
   */
  record Range(String shapeName, String low, String high, boolean whole) {
    /** Ends after the name, and before all that begin with it and go on: no name holds U+0001. */
    static Range exactly(String shapeName, String name) {
      return new Range(shapeName, name, name + "\u0001", true);
    }

    boolean meets(Range next) {
      return shapeName.equals(next.shapeName) && BY_CODE_POINT.compare(next.low, high) <= 0;
    }

    /** Both of them as one, where the next one begins no earlier. */
    Range with(Range next) {
      boolean hasNext = BY_CODE_POINT.compare(next.high, high) <= 0;
      boolean isNext = next.low.equals(low) && BY_CODE_POINT.compare(high, next.high) <= 0;
      return new Range(
          shapeName,
          low,
          hasNext ? high : next.high,
          (whole && next.whole) || (whole && hasNext) || (next.whole && isNext));
    }
  }

  private NameRanges(List<Range> ranges) {
    this.ranges = ranges;
  }

  /**
   * Those of the patterns of a token; empty where there are none, and where one leaves the shape
   * open, so that anything may match.
   */
  public static Optional<NameRanges> of(List<Glob> patterns) {
    return patterns.isEmpty() || patterns.stream().anyMatch(p -> p.shapeName().isEmpty())
        ? Optional.empty()
        : Optional.of(
            new NameRanges(
                merged(
                    patterns.stream().flatMap(NameRanges::ofPattern).sorted(IN_ORDER).toList())));
  }

  /** Its things, and the shape that goes with them. */
  private static Stream<Range> ofPattern(Glob pattern) {
    var shapeName = pattern.shapeName().orElseThrow();
    var shape = Range.exactly(BuiltinShape.SHAPE.shapeName(), shapeName);
    var things =
        pattern
            .exactName()
            .map(name -> Range.exactly(shapeName, name))
            .orElseGet(() -> beginning(pattern, shapeName));
    return Stream.of(shape, things);
  }

  private static Range beginning(Glob pattern, String shapeName) {
    var prefix = pattern.namePrefix();
    return new Range(shapeName, prefix, prefix + Predicates.AFTER_ALL, pattern.isWholeShape());
  }

  private static List<Range> merged(List<Range> inOrder) {
    var merged = new ArrayList<Range>();
    for (var range : inOrder) {
      if (!merged.isEmpty() && merged.getLast().meets(range)) {
        merged.add(merged.removeLast().with(range));
      } else {
        merged.add(range);
      }
    }
    return merged;
  }

  /** Four arrays, as {@link #SQL} takes them. */
  public List<Object> parameters() {
    return List.of(
        ranges.stream().map(Range::shapeName).toArray(String[]::new),
        ranges.stream().map(Range::low).toArray(String[]::new),
        ranges.stream().map(Range::high).toArray(String[]::new),
        ranges.stream().map(Range::whole).toArray(Boolean[]::new));
  }
}
