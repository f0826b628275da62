package dev.cairn.query;

import dev.cairn.platform.Cursor;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * Takes the rows of a page, of which one more was asked for, and remembers where it ended. A page
 * ends early when its payloads are large, so that no answer is larger than the memory for it.
 */
final class Pager {
  /** From so many bytes on a page takes no further item. */
  static final int MAX_BYTES = 8 * 1024 * 1024;

  /** So many rows are held at a time. */
  private static final int FETCH = 50;

  private final int limit;
  private final IntSupplier bytes;
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
   * @param bytes how large it is so far
   */
  Pager(int limit, IntSupplier bytes) {
    this.limit = limit;
    this.bytes = bytes;
  }

  /** The fetch size for a list of up to {@code rows}: short ones come whole. */
  static int fetchSize(int rows) {
    return rows <= FETCH ? 0 : FETCH;
  }

  /** Takes a row; false where the page was full before it. */
  boolean take(RowWriter writer) throws SQLException {
    if (taken == limit || bytes.getAsInt() >= MAX_BYTES) {
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
