package dev.cairn.platform;

import java.util.HashMap;
import java.util.Map;
import org.jboss.logging.MDC;

/**
 * The ids that each line of the log has, besides its text, while something is done by this thread.
 * They show in JSON, as members of {@code mdc}; {@code docs/monitoring.md}, Logs.
 */
public final class LogIds implements AutoCloseable {
  private final Map<String, Object> before = new HashMap<>();

  private LogIds(Map<String, ?> ids) {
    ids.forEach((name, id) -> before.put(name, MDC.put(name, id.toString())));
  }

  /** Lines have these ids from now on until it is closed, beside those of what surrounds it. */
  public static LogIds of(Map<String, ?> ids) {
    return new LogIds(ids);
  }

  /** Lines have the ids again that they had before. */
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
