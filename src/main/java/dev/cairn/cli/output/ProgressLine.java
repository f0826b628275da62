package dev.cairn.cli.output;

import java.text.DecimalFormat;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;

/** A line on the terminal with a bar, the rate, and the time left. */
final class ProgressLine implements Progress {
  private static final int UPDATE_MILLIS = 200;
  private static final long MEBIBYTE = 1L << 20;

  private final ProgressBar bar;

  ProgressLine(String task, long total, String unit, ProcessContext context) {
    boolean bytes = unit.equals(BYTES);
    bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setUnit(bytes ? " MiB" : " " + unit, bytes ? MEBIBYTE : 1)
            .showSpeed(new DecimalFormat(bytes ? "#,##0.0" : "#,##0"))
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .setConsumer(new Line(context))
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
  }

  /** Writes each state over the one before. */
  private static final class Line implements ProgressBarConsumer {
    private final LineWriter err;
    private final ProcessContext context;

    Line(ProcessContext context) {
      this.context = context;
      this.err = new LineWriter(context.err(), true, false);
    }

    @Override
    public int getMaxRenderedLength() {
      return context.terminal().columns() - 1;
    }

    @Override
    public void accept(String text) {
      err.over(text);
    }

    @Override
    public void close() {
      err.line("");
    }
  }
}
