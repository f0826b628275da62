package dev.cairn;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.formatters.PatternFormatter;

/** The lines that a class writes to the log of this process while this is open. */
public final class LoggedLines implements AutoCloseable {
  private static final Formatter MESSAGE = new PatternFormatter("%s");

  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final Logger log;
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          messages.add(MESSAGE.format(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private LoggedLines(Logger log) {
    this.log = log;
    log.addHandler(handler);
  }

  public static LoggedLines of(Class<?> writer) {
    return new LoggedLines(Logger.getLogger(writer.getName()));
  }

  /** The messages, with their parameters. */
  public List<String> messages() {
    return List.copyOf(messages);
  }

  @Override
  public void close() {
    log.removeHandler(handler);
  }
}
