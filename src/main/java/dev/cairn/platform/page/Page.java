package dev.cairn.platform.page;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.platform.http.QueryParameters;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * One page of a list of records.
 *
 * @param nextCursor where the next page begins; null at the end
 * @param repoSeq the sequence number of the repository's commit that the list shows; null on later
 *     pages, and if it is not a list of a repository's content
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Page<T>(List<T> items, String nextCursor, Long repoSeq) implements Paged {
  /** The names of the two parameters of every list. */
  public static final String LIMIT = "limit";

  /** See {@link #LIMIT}. */
  public static final String CURSOR = "cursor";

  private static final int MAX_LIMIT = 500;
  private static final int DEFAULT_LIMIT = 50;

  /** A page without a sequence number. */
  public Page(List<T> items, String nextCursor) {
    this(items, nextCursor, null);
  }

  /** The greatest UUID, which is greater than the ids of all items. */
  private static final UUID AFTER_ALL = new UUID(-1, -1);

  /**
   * The upper bound of a page of a list that is sorted by id, newest first: all ids of the page are
   * less than it.
   *
   * @param list what its cursors belong to: route and owner
   */
  public static UUID before(Cursors cursors, String list, Optional<String> cursor) {
    return cursor
        .map(c -> cursors.read(list, c, keys -> UUID.fromString(keys.getFirst())))
        .orElse(AFTER_ALL);
  }

  /** Reads the items of a list whose id is less than {@code before}, newest first. */
  @FunctionalInterface
  public interface ItemsBefore<T> {
    /** At most {@code count} items. */
    List<T> read(UUID before, int count);
  }

  /** The maximum number of items of a page: 1 to 500, by default 50. */
  public static int limit(QueryParameters parameters) {
    return parameters.integer(LIMIT, 1, MAX_LIMIT).orElse(DEFAULT_LIMIT);
  }

  /** The same for a list whose default is the maximum: 500. */
  public static int largestLimit(QueryParameters parameters) {
    return parameters.integer(LIMIT, 1, MAX_LIMIT).orElse(MAX_LIMIT);
  }

  /**
   * A page of a list that is sorted by id, newest first.
   *
   * @param list what its cursors belong to: route and owner
   */
  public static <T> Page<T> newestFirst(
      Cursors cursors,
      String list,
      int limit,
      Optional<String> cursor,
      ItemsBefore<T> items,
      Function<T, UUID> id) {
    var rows = items.read(before(cursors, list, cursor), limit + 1);
    return of(rows, limit, last -> cursors.of(list, id.apply(last)));
  }

  /** The same page, which shows the commit with this number if it is the first one. */
  public Page<T> withRepoSeq(long seq, Optional<String> cursor) {
    return cursor.isPresent() ? this : new Page<>(items, nextCursor, seq);
  }

  /** A page of rows that were read with a limit of one more than {@code limit}. */
  public static <T> Page<T> of(List<T> rows, int limit, Function<T, String> cursorAfter) {
    if (rows.size() <= limit) {
      return new Page<>(rows, null);
    }
    var items = rows.subList(0, limit);
    return new Page<>(items, cursorAfter.apply(items.getLast()));
  }
}
