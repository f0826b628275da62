package dev.cairn.cli.output;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The columns of a list. On a terminal they have headers and fit its width; if the output goes to a
 * file or a pipe, each row is a line of values with tabs between them, in full and without headers.
 *
 * @param <T> what a row is of
 */
public final class Table<T> {
  /** How a column is shown. */
  private enum Kind {
    TEXT,
    ID,
    NUMBER,
    TIME
  }

  /**
   * A column.
   *
   * @param header its title, in capitals
   * @param value its value in a row; null for an empty cell
   * @param style the style of its value in a row; null for none
   */
  private record Column<T>(
      String header, Kind kind, Function<T, ?> value, Function<T, Style> style) {}

  private final List<Column<T>> columns = new ArrayList<>();

  /** A text, which is cut if the terminal is too narrow. */
  public Table<T> text(String header, Function<T, String> value) {
    return text(header, value, row -> null);
  }

  /**
   * A text in a style.
   *
   * @param style the style for a row, or null for none
   */
  public Table<T> text(String header, Function<T, String> value, Function<T, Style> style) {
    columns.add(new Column<>(header, Kind.TEXT, value, style));
    return this;
  }

  /** What is typed again, such as the id of a run; it is never cut. */
  public Table<T> id(String header, Function<T, String> value) {
    columns.add(new Column<>(header, Kind.ID, value, row -> null));
    return this;
  }

  /** A number, on the right of its column. */
  public Table<T> number(String header, Function<T, ? extends Number> value) {
    columns.add(new Column<>(header, Kind.NUMBER, value, row -> null));
    return this;
  }

  /** A time in milliseconds since 1970: how long ago it is, or ISO 8601 where no person reads. */
  public Table<T> time(String header, Function<T, Long> value) {
    columns.add(new Column<>(header, Kind.TIME, value, row -> null));
    return this;
  }

  List<String> headers() {
    return columns.stream().map(Column::header).toList();
  }

  /** Whether a column is never cut, and stands on the right. */
  boolean isNumber(int column) {
    return columns.get(column).kind() == Kind.NUMBER;
  }

  /** Whether a column may be cut. */
  boolean isText(int column) {
    return columns.get(column).kind() == Kind.TEXT;
  }

  /** The styles of a row's cells. */
  List<Style> styles(T row) {
    var styles = new ArrayList<Style>(columns.size());
    for (var column : columns) {
      styles.add(column.kind() == Kind.TIME ? Style.DIM : column.style().apply(row));
    }
    return styles;
  }

  /** The cells of a row, without dangerous characters. */
  List<String> cells(T row, Function<Long, String> time) {
    var cells = new ArrayList<String>(columns.size());
    for (var column : columns) {
      var value = column.value().apply(row);
      if (value == null) {
        cells.add("");
      } else if (column.kind() == Kind.TIME) {
        cells.add(time.apply((Long) value));
      } else {
        cells.add(Escapes.line(value.toString()));
      }
    }
    return cells;
  }
}
