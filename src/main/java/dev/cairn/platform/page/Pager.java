package dev.cairn.platform.page;

import dev.cairn.platform.database.Database;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Takes the rows of a page, which are read with a limit of one more than the page has, and
 * remembers its last row. A page ends early if its payloads are large, so that no answer is larger
 * than {@link #MAX_BYTES}: the database adds up the sizes and leaves out the payloads of the rows
 * that do not fit.
 */
public final class Pager {
  /** The maximum size of an answer. */
  public static final int MAX_BYTES = 8 * 1024 * 1024;

  /** The column of {@link #fits}. */
  private static final String FITS = "fits";

  private final Cursors cursors;
  private final String list;
  private final int limit;
  private int taken;
  private boolean more;
  private List<?> last;

  /** Writes one row and returns its keys. */
  @FunctionalInterface
  public interface RowWriter {
    /** Writes the row; must not move the cursor. */
    List<?> write() throws SQLException;
  }

  /**
   * @param list what its cursors belong to
   * @param limit the maximum number of rows of the page
   */
  public Pager(Cursors cursors, String list, int limit) {
    this.cursors = cursors;
    this.list = list;
    this.limit = limit;
  }

  /**
   * A payload's column, null in the row that makes the answer too large and in all after it, but
   * not in the first one: a page always has an item. It takes {@code PageBytes.max} as a parameter,
   * and needs the rows in the window {@code page}, see {@link #inOrder}.
   *
   * @param size the SQL of a row's bytes in the answer
   */
  public static String fitting(String payload, String size) {
    return "case when sum(%s) over page <= ? or row_number() over page = 1 then %s end"
        .formatted(size, payload);
  }

  /**
   * The column by which {@link #read} tells whether a row fits, for rows whose payload may be null.
   * It takes the same parameter and needs the same window.
   *
   * @param size the SQL of a row's bytes in the answer
   */
  public static String fits(String size) {
    return "(sum(%s) over page <= ? or row_number() over page = 1) as %s".formatted(size, FITS);
  }

  /** The SQL of the bytes of a text as a JSON string, with its quotes; 0 for null. */
  public static String jsonBytes(String text) {
    return "coalesce(octet_length(to_json(%s)::text), 0)".formatted(text);
  }

  /** The SQL after the conditions: the order of the rows, and of the sum of their sizes. */
  public static String inOrder(String columns) {
    return " window page as (order by %1$s rows unbounded preceding) order by %1$s"
        .formatted(columns);
  }

  /**
   * Takes a row; false if the page was full before it.
   *
   * @param payload the row's {@link #fitting} column
   */
  public boolean take(byte[] payload, RowWriter writer) throws SQLException {
    return take(payload != null, writer);
  }

  private boolean take(boolean fits, RowWriter writer) throws SQLException {
    if (taken == limit || !fits) {
      more = true;
      return false;
    }
    last = writer.write();
    taken++;
    return true;
  }

  /**
   * Reads a page of records.
   *
   * @param sql has a column of {@link #fits}
   * @param keys the keys of a record for the cursor after it
   */
  public <T> Page<T> read(
      Database database,
      String sql,
      Database.RowMapper<T> mapper,
      Function<T, List<?>> keys,
      Object... parameters) {
    var items = new ArrayList<T>();
    database.each(
        sql,
        0,
        row ->
            take(
                row.getBoolean(FITS),
                () -> {
                  var item = mapper.map(row);
                  items.add(item);
                  return keys.apply(item);
                }),
        parameters);
    return new Page<>(items, next().orElse(null));
  }

  /** Whether no row was taken. */
  public boolean isEmpty() {
    return taken == 0;
  }

  /** The cursor of the next page, if there is one. */
  public Optional<String> next() {
    return more ? Optional.of(cursors.of(list, last.toArray())) : Optional.empty();
  }
}
