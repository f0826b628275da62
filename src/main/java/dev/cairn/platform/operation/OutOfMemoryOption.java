package dev.cairn.platform.operation;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.quarkus.runtime.ImageMode;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.management.ManagementFactory;
import org.jboss.logging.Logger;

/**
 * Warns of a JVM that was started without the option by which it ends when its memory runs out:
 * {@link OutOfMemory} does not notice an error that code catches without logging it. See {@code
 * docs/limits.md}, When memory runs out.
 */
@Singleton
class OutOfMemoryOption {
  private static final String NAME = "ExitOnOutOfMemoryError";
  private static final Logger LOG = Logger.getLogger(OutOfMemoryOption.class);

  void check(@Observes StartupEvent event) {
    if (LaunchMode.current() == LaunchMode.NORMAL
        && ImageMode.current() == ImageMode.JVM
        && isOff()) {
      LOG.warnf(
          "start java with -XX:+%s: without it, the process may go on when its memory has run out",
          NAME);
    }
  }

  /** False also in a JVM that has no such option. */
  private static boolean isOff() {
    try {
      var options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return !Boolean.parseBoolean(options.getVMOption(NAME).getValue());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
