package dev.cairn.content;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The source of entities in a statement, for use between {@code from} and an alias: the table
 * {@code entity}, which is HEAD, or the same columns in their state at a {@link Moment}.
 *
 * @param parameters the parameters of {@code sql}, in order
 */
public record Source(String sql, List<Object> parameters) {
  /** The current state. */
  public static final Source HEAD = new Source("entity", List.of());

  /** The state of a moment, or HEAD, for reads in the order of names. */
  public static Source byName(Optional<Moment> moment) {
    return moment.map(Moment::byName).orElse(HEAD);
  }

  /** The parameters, followed by those of the rest of the statement. */
  public Object[] with(Object... more) {
    return Stream.concat(parameters.stream(), Arrays.stream(more)).toArray();
  }
}
