package dev.cairn.platform;

import java.util.HashMap;
import java.util.Map;
import org.jboss.logging.MDC;

/**
 * The ids that are added to each line of the log (MDC) while this thread does a piece of work. They
 * are shown in JSON, as members of {@code mdc}; {@code docs/monitoring.md}, Logs.
 */
public final class LogIds implements AutoCloseable {
  private final Map<String, Object> before = new HashMap<>();

  private LogIds(Map<String, ?> ids) {
    ids.forEach((name, id) -> before.put(name, MDC.put(name, id.toString())));
  }

  /** Adds ids to all lines until it is closed, in addition to those of the surrounding work. */
  public static LogIds of(Map<String, ?> ids) {
    return new LogIds(ids);
  }

  /** Restores the former ids. */
  @Override
  public void close() {
    before.forEach(LogIds::restore);
  }

  private static void restore(String name, Object id) {
    if (id == null) {
      MDC.remove(name);
    } else {
      MDC.put(name, id);
    }
  }
}
