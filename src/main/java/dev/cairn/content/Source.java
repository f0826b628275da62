package dev.cairn.content;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a statement reads entities from, to stand after {@code from} and before an alias: the table
 * {@code entity}, which is HEAD, or the same columns as they were at a {@link Moment}.
 *
 * @param parameters those of {@code sql}, in order
 */
public record Source(String sql, List<Object> parameters) {
  /** The present. */
  public static final Source HEAD = new Source("entity", List.of());

  /** The parameters, with those of what stands after it. */
  public Object[] with(Object... more) {
    return Stream.concat(parameters.stream(), Arrays.stream(more)).toArray();
  }
}
