package dev.cairn.query;

import dev.cairn.platform.Cursor;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Takes the rows of a page, of which one more was asked for, and remembers where it ended. */
final class Pager {
  private final int limit;
  private int taken;
  private boolean more;
  private List<?> last;

  /** Writes one row and answers its keys. */
  @FunctionalInterface
  interface RowWriter {
    List<?> write() throws SQLException;
  }

  Pager(int limit) {
    this.limit = limit;
  }

  /** Takes a row; false where the page was full before it. */
  boolean take(RowWriter writer) throws SQLException {
    if (taken == limit) {
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
