package dev.cairn.cli.output;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Writes the rows of a table in columns. The widths are those of the first rows, so that a list of
 * any length needs no more memory than those; a later cell that is wider is cut.
 *
 * @param <T> what a row is of
 */
final class TableLayout<T> {
  /** How many rows decide the widths. */
  static final int MEASURED_ROWS = 200;

  private static final int GAP = 2;
  private static final int MIN_WIDTH = 6;

  private final Table<T> table;
  private final int available;
  private final LineWriter writer;
  private final List<List<String>> waiting = new ArrayList<>();
  private final List<List<Style>> styles = new ArrayList<>();
  private List<Integer> shown;
  private int[] widths;

  /**
   * A layout.
   *
   * @param available the columns of the terminal
   */
  TableLayout(Table<T> table, int available, LineWriter writer) {
    this.table = table;
    this.available = available;
    this.writer = writer;
  }

  void add(List<String> cells, List<Style> styles) {
    if (widths != null) {
      write(cells, styles);
      return;
    }
    waiting.add(cells);
    this.styles.add(styles);
    if (waiting.size() == MEASURED_ROWS) {
      writeWaiting(columns().boxed().toList());
    }
  }

  /** Ends the table: writes what waits for the widths, without columns that have no value. */
  void end() {
    if (widths == null) {
      writeWaiting(
          columns()
              .filter(column -> waiting.stream().anyMatch(row -> !row.get(column).isEmpty()))
              .boxed()
              .toList());
    }
  }

  private IntStream columns() {
    return IntStream.range(0, table.headers().size());
  }

  private void writeWaiting(List<Integer> columns) {
    shown = columns;
    widths = measure();
    var headers = table.headers();
    write(headers, headers.stream().map(header -> Style.BOLD).toList());
    for (int i = 0; i < waiting.size(); i++) {
      write(waiting.get(i), styles.get(i));
    }
    waiting.clear();
    styles.clear();
  }

  private int[] measure() {
    var headers = table.headers();
    var measured = new int[headers.size()];
    for (int i : shown) {
      measured[i] = ColumnWidth.of(headers.get(i));
      for (var row : waiting) {
        measured[i] = Math.max(measured[i], ColumnWidth.of(row.get(i)));
      }
    }
    shrink(measured);
    return measured;
  }

  /** Takes from the widest text until the row fits. */
  private void shrink(int[] measured) {
    int excess = (shown.size() - 1) * GAP - available;
    for (int width : measured) {
      excess += width;
    }
    while (excess > 0) {
      int widest = -1;
      for (int i = 0; i < measured.length; i++) {
        if (table.isText(i)
            && measured[i] > MIN_WIDTH
            && (widest < 0 || measured[i] > measured[widest])) {
          widest = i;
        }
      }
      if (widest < 0) {
        return;
      }
      measured[widest]--;
      excess--;
    }
  }

  private void write(List<String> cells, List<Style> rowStyles) {
    var line = new StringBuilder();
    for (int i : shown) {
      var text = ColumnWidth.truncate(cells.get(i), widths[i]);
      var blanks = " ".repeat(Math.max(0, widths[i] - ColumnWidth.of(text)));
      var styled = writer.styled(text, rowStyles.get(i));
      line.append(table.isNumber(i) ? blanks + styled : styled + blanks).append(" ".repeat(GAP));
    }
    writer.line(line.toString().stripTrailing());
  }
}
