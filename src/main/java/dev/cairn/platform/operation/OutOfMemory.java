package dev.cairn.platform.operation;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Ends the process when its memory has run out, so that its supervisor starts it again: a process
 * that lost some of its threads to an {@link OutOfMemoryError} may accept connections for hours and
 * answer none. {@code -XX:+ExitOnOutOfMemoryError}, which is built into the native executable, does
 * the same sooner; this is for a JVM that was started without it.
 *
 * <p>It checks the errors that end a thread, and everything that is logged, because pools and event
 * loops log what they catch.
 */
@Singleton
public class OutOfMemory {
  /** The exit code of {@code -XX:+ExitOnOutOfMemoryError}. */
  private static final int EXIT_CODE = 3;

  private static final int MAX_DEPTH = 100;

  /** Ends the process if a thread ends for lack of memory; must be called first. */
  public static void watchThreads() {
    var others = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          endIfCausedBy(failure);
          if (others == null) {
            failure.printStackTrace();
          } else {
            others.uncaughtException(thread, failure);
          }
        });
  }

  private static void endIfCausedBy(Throwable failure) {
    if (isCauseOf(failure)) {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }

  /** Whether a failure was caused by a lack of memory. */
  static boolean isCauseOf(Throwable failure) {
    int depth = 0;
    for (var cause = failure; cause != null && depth < MAX_DEPTH; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError) {
        return true;
      }
      depth++;
    }
    return false;
  }

  /** Checks all log records. */
  void watchLog(@Observes StartupEvent event) {
    Logger.getLogger("")
        .addHandler(
            new Handler() {
              @Override
              public void publish(LogRecord entry) {
                endIfCausedBy(entry.getThrown());
              }

              @Override
              public void flush() {
                // Nothing is kept.
              }

              @Override
              public void close() {
                // Nothing is kept.
              }
            });
  }
}
