package dev.cairn.content;

import dev.cairn.model.BuiltinShape;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.database.Columns;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The ranges of names that a narrowed token may read, in the order of the index on names. They do
 * not overlap, so a page reads from each no more rows than it may show.
 */
public final class NameRanges {
  /** The ranges as a table {@code r}; the parameters are {@link #parameters}. */
  public static final String SQL = "unnest(?, ?, ?, ?) as r (shape_name, low, high, whole)";

  /** The condition of being in the range {@code r}, for use after other conditions. */
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
   * @param low the lower bound, inclusive
   * @param high the upper bound, exclusive
   * @param isWhole whether all names of the range may be read, so that no pattern needs to be
   *     matched
   */
  record Range(String shapeName, String low, String high, boolean isWhole) {
    /** Contains only the name: no name contains U+0001, so longer names are above the range. */
    static Range exactly(String shapeName, String name) {
      return new Range(shapeName, name, name + "\u0001", true);
    }

    boolean touches(Range next) {
      return shapeName.equals(next.shapeName) && BY_CODE_POINT.compare(next.low, high) <= 0;
    }

    /** The union with a range that touches this one and begins no earlier. */
    Range union(Range next) {
      boolean contains = BY_CODE_POINT.compare(next.high, high) <= 0;
      boolean isContained = next.low.equals(low) && BY_CODE_POINT.compare(high, next.high) <= 0;
      return new Range(
          shapeName,
          low,
          contains ? high : next.high,
          (isWhole && next.isWhole) || (isWhole && contains) || (next.isWhole && isContained));
    }
  }

  private NameRanges(List<Range> ranges) {
    this.ranges = ranges;
  }

  /**
   * The ranges of a token's patterns; empty if there are no patterns, or if one does not fix the
   * shape, so that any name may match.
   */
  public static Optional<NameRanges> of(List<Glob> patterns) {
    return patterns.isEmpty() || patterns.stream().anyMatch(p -> p.shapeName().isEmpty())
        ? Optional.empty()
        : Optional.of(
            new NameRanges(
                merged(
                    patterns.stream().flatMap(NameRanges::ofPattern).sorted(IN_ORDER).toList())));
  }

  /** The range of its things, and that of their shape. */
  private static Stream<Range> ofPattern(Glob pattern) {
    var shapeName = pattern.shapeName().orElseThrow();
    var shape = Range.exactly(BuiltinShape.SHAPE.shapeName(), shapeName);
    var things =
        pattern
            .exactName()
            .map(name -> Range.exactly(shapeName, name))
            .orElseGet(() -> ofPrefix(pattern, shapeName));
    return Stream.of(shape, things);
  }

  private static Range ofPrefix(Glob pattern, String shapeName) {
    var prefix = pattern.namePrefix();
    return new Range(shapeName, prefix, prefix + Predicates.AFTER_ALL, pattern.isWholeShape());
  }

  private static List<Range> merged(List<Range> inOrder) {
    var merged = new ArrayList<Range>();
    for (var range : inOrder) {
      if (!merged.isEmpty() && merged.getLast().touches(range)) {
        merged.add(merged.removeLast().union(range));
      } else {
        merged.add(range);
      }
    }
    return merged;
  }

  /** The four arrays that {@link #SQL} takes. */
  public List<Object> parameters() {
    return List.of(
        Columns.strings(ranges, Range::shapeName),
        Columns.strings(ranges, Range::low),
        Columns.strings(ranges, Range::high),
        Columns.booleans(ranges, Range::isWhole));
  }
}
