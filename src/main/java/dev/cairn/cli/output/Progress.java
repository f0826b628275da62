package dev.cairn.cli.output;

/** How far long work is. Closing it leaves its last state on the screen. */
public interface Progress extends AutoCloseable {
  /** The unit of which the amounts are shown as kB, MB and so on. */
  String BYTES = "B";

  /** Shows nothing. */
  Progress NONE =
      new Progress() {
        @Override
        public void to(long done) {}

        @Override
        public void total(long total) {}

        @Override
        public void close() {}
      };

  /** How much is done so far. */
  void to(long done);

  /** How much there is to do, once that is known. */
  void total(long total);

  @Override
  void close();
}
