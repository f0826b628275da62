package dev.cairn.platform;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.function.Function;

/**
 * One page of a list of records.
 *
 * @param nextCursor where the next page begins; null at the end
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Page<T>(List<T> items, String nextCursor) implements Paged {
  /** The names of the two parameters of every list. */
  public static final String LIMIT = "limit";

  /** See {@link #LIMIT}. */
  public static final String CURSOR = "cursor";

  private static final int MOST = 500;
  private static final int DEFAULT = 50;

  /** How many items a page has at the most: 1 to 500, 50 where nothing is said. */
  public static int limit(QueryParameters parameters) {
    return parameters.integer(LIMIT, 1, MOST).orElse(DEFAULT);
  }

  /** A page out of rows of which one more than {@code limit} was asked for. */
  public static <T> Page<T> of(List<T> rows, int limit, Function<T, String> cursorAfter) {
    if (rows.size() <= limit) {
      return new Page<>(rows, null);
    }
    var items = rows.subList(0, limit);
    return new Page<>(items, cursorAfter.apply(items.getLast()));
  }
}
