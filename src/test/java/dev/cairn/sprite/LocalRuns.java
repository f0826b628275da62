package dev.cairn.sprite;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.platform.Configs;
import dev.cairn.platform.LocalCommands;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Commands of the local backend, for its tests. */
final class LocalRuns {
  private static final AtomicInteger SECONDS = new AtomicInteger(800_000);

  static final LocalRemains REMAINS = new LocalRemains();

  private LocalRuns() {}

  /** Skips the tests where local commands cannot run. */
  static void assumePossible() {
    assumeTrue(LocalCommands.obstacle().isEmpty(), () -> LocalCommands.obstacle().orElseThrow());
  }

  /** Those of the defaults. */
  static LocalLimits limits() {
    return new LocalLimits(Configs.of(Map.of()).sprite().local());
  }

  /** With some of {@code cairn.sprite.local}. */
  static LocalBackend backend(Map<String, String> limits) {
    return new LocalBackend(
        Configs.of(
            limits.entrySet().stream()
                .collect(
                    Collectors.toMap(
                        limit -> "cairn.sprite.local." + limit.getKey(), Map.Entry::getValue))),
        REMAINS);
  }

  /** A length of sleep that names one test. */
  static String someSeconds() {
    return Integer.toString(SECONDS.incrementAndGet());
  }

  /** Whether a process sleeps for so long. */
  static boolean sleeps(String seconds) {
    return ProcessHandle.allProcesses()
        .flatMap(process -> process.info().arguments().stream())
        .anyMatch(arguments -> List.of(arguments).contains(seconds));
  }
}
