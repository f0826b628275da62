package dev.cairn.platform.operation;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.quarkus.runtime.ImageMode;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.management.ManagementFactory;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import org.jboss.logging.Logger;

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

  private static final String OPTION = "ExitOnOutOfMemoryError";
  private static final Logger LOG = Logger.getLogger(OutOfMemory.class);

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

  /** Tells operators of a JVM without the option, because errors that code catches go unnoticed. */
  void warnWithoutOption(@Observes StartupEvent event) {
    if (LaunchMode.current() == LaunchMode.NORMAL
        && ImageMode.current() == ImageMode.JVM
        && !isSet(OPTION)) {
      LOG.warnf(
          "start java with -XX:+%s: without it, the process may go on when its memory has run out",
          OPTION);
    }
  }

  private static boolean isSet(String option) {
    return Boolean.parseBoolean(
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption(option)
            .getValue());
  }

  /** Checks all log records. */
  void watchLog(@Observes StartupEvent event) {
    LogManager.getLogManager()
        .getLogger("")
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
