package dev.cairn.query;

import dev.cairn.platform.Cursor;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Takes the rows of a page, of which one more was asked for, and remembers where it ended. A page
 * ends early when its payloads are large, so that no answer is larger than the memory for it: the
 * database adds the sizes up and leaves the payloads out from there on.
 */
final class Pager {
  /** So many bytes are in one answer at the most. */
  static final int MAX_BYTES = 8 * 1024 * 1024;

  private final int limit;
  private int taken;
  private boolean more;
  private List<?> last;

  /** Writes one row and answers its keys. */
  @FunctionalInterface
  interface RowWriter {
    List<?> write() throws SQLException;
  }

  /**
   * @param limit how many rows the page has at the most
   */
  Pager(int limit) {
    this.limit = limit;
  }

  /**
   * A payload's column, null in the row that makes the answer too large and in all behind it. It
   * needs the rows in the window {@code page}, see {@link #inOrder}.
   *
   * @param size the SQL of a row's bytes in the answer
   * @param most the SQL of how many bytes there may be
   */
  static String fitting(String payload, String size, Object most) {
    return "case when sum(%s) over page <= %s then %s end".formatted(size, most, payload);
  }

  /** What stands behind the conditions: the order of the rows, and of the sum of their sizes. */
  static String inOrder(String columns) {
    return " window page as (order by %1$s rows unbounded preceding) order by %1$s"
        .formatted(columns);
  }

  /**
   * Takes a row; false where the page was full before it.
   *
   * @param payload the row's {@link #fitting} column
   */
  boolean take(byte[] payload, RowWriter writer) throws SQLException {
    if (taken == limit || payload == null) {
      more = true;
      return false;
    }
    last = writer.write();
    taken++;
    return true;
  }

  /** The cursor of the next page of {@code list}, if there is one. */
  Optional<String> next(String list) {
    return more ? Optional.of(Cursor.of(list, last.toArray())) : Optional.empty();
  }
}
