package dev.cairn.cli.output;

import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressState;

/** A line on the terminal with a bar, the rate, and the time left. */
final class ProgressLine implements Progress {
  private static final int UPDATE_MILLIS = 200;
  private static final int MIN_BAR = 10;
  private static final int MAX_BAR = 40;

  private final ProgressBar bar;
  private final String unit;
  private final Line line;
  private final Runnable closed;

  /**
   * Shows it.
   *
   * @param err where it is written, by whoever holds its lock
   * @param closed is run at its end
   */
  ProgressLine(
      String task, long total, String unit, LineWriter err, Terminal terminal, Runnable closed) {
    this.unit = unit;
    this.line = new Line(err, terminal);
    this.closed = closed;
    this.bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setRenderer(this::render)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .setConsumer(line)
            .build();
  }

  @Override
  public void to(long done) {
    bar.stepTo(done);
  }

  @Override
  public void total(long total) {
    bar.maxHint(total);
  }

  @Override
  public void close() {
    bar.close();
    line.end();
    closed.run();
  }

  /** Clears its line for a message; the caller holds the lock of the writer. */
  void clear() {
    line.erase();
  }

  /** Draws it again beneath a message; the caller holds the lock of the writer. */
  void redraw() {
    line.redraw();
  }

  private String render(ProgressState state, int columns) {
    return render(
        state.getTaskName(),
        state.isIndefinite() ? -1 : state.getMax(),
        state.getCurrent(),
        state.getElapsedAfterStart(),
        columns);
  }

  /**
   * One state of the line.
   *
   * @param total -1 if it is not known
   * @param columns what it may be long at most
   */
  String render(String task, long total, long done, Duration elapsed, int columns) {
    var text = new StringBuilder(amount(done, total));
    double seconds = elapsed.toMillis() / 1000.0;
    if (seconds >= 1) {
      double rate = done / seconds;
      text.append("  ").append(amount(Math.round(rate))).append("/s");
      if (total > done && rate > 0) {
        var left = Duration.ofSeconds((long) Math.ceil((total - done) / rate));
        text.append("  ").append(Times.clock(left)).append(" left");
      } else {
        text.append("  ").append(Times.clock(elapsed));
      }
    }
    var line = total > 0 ? bar(task, total, done, columns, text.length()) : task + "  ";
    return ColumnWidth.truncate(line + text, columns);
  }

  private static String bar(String task, long total, long done, int columns, int rest) {
    double part = Math.min(1, (double) done / total);
    var start = "%s %3d%%  ".formatted(task, (int) (part * 100));
    int room = Math.min(MAX_BAR, columns - start.length() - rest - 4);
    if (room < MIN_BAR) {
      return start;
    }
    int filled = (int) (part * room);
    return start + "[" + "#".repeat(filled) + ".".repeat(room - filled) + "]  ";
  }

  private String amount(long done, long total) {
    if (total < 0) {
      return amount(done) + (isBytes() ? "" : " " + unit);
    }
    return amount(done) + " of " + amount(total) + (isBytes() ? "" : " " + unit);
  }

  private String amount(long count) {
    return isBytes() ? Sizes.bytes(count) : String.format(Locale.ROOT, "%,d", count);
  }

  private boolean isBytes() {
    return unit.equals(BYTES);
  }

  /** Writes each state over the one before. */
  private static final class Line implements ProgressBarConsumer {
    private final LineWriter err;
    private final Terminal terminal;

    /** What it shows; null if there is nothing yet, or nothing more. */
    private String shown;

    Line(LineWriter err, Terminal terminal) {
      this.err = err;
      this.terminal = terminal;
    }

    @Override
    public int getMaxRenderedLength() {
      return terminal.columns() - 1;
    }

    @Override
    public void accept(String text) {
      synchronized (err) {
        shown = text;
        err.over(text);
      }
    }

    void erase() {
      if (shown != null) {
        err.over("");
      }
    }

    void redraw() {
      if (shown != null) {
        err.over(shown);
      }
    }

    void end() {
      synchronized (err) {
        shown = null;
        err.line(""); // the bar itself does not, if it was short
      }
    }

    @Override
    public void close() {}
  }
}
