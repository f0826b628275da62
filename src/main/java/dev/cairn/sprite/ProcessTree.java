package dev.cairn.sprite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process of the service's own user and its descendants; on Linux also descendants whose parent
 * has ended, if the marks are in their environment.
 *
 * @param marks variables that are in the environment of these processes and of no others
 */
record ProcessTree(Process root, List<String> marks) {
  private static final Path PROC = Path.of("/proc");

  /** The default maximum of Linux for the environment and the arguments of a process. */
  private static final int MAX_ENVIRONMENT = 2 * 1024 * 1024;

  private static final int MAX_ROUNDS = 100;
  private static final long ROUND_MILLIS = 5;

  /** The directory of a process in {@code /proc}. */
  static Path at(ProcessHandle process) {
    return PROC.resolve("" + process.pid());
  }

  /** Kills all of these processes. Those that start meanwhile are killed in the next round. */
  void kill() {
    for (int round = 0; round < MAX_ROUNDS; round++) {
      var alive = Stream.concat(root.descendants(), strays()).distinct().toList();
      // The root first: a shell would report that the process that it waits for was killed.
      root.destroyForcibly();
      alive.forEach(ProcessHandle::destroyForcibly);
      if (alive.isEmpty()) {
        return;
      }
      awaitEnd(alive.getFirst());
    }
  }

  /** Waits at most for the time of a round, because other processes may start meanwhile. */
  private static void awaitEnd(ProcessHandle process) {
    process.onExit().completeOnTimeout(process, ROUND_MILLIS, TimeUnit.MILLISECONDS).join();
  }

  private Stream<ProcessHandle> strays() {
    var self = ProcessHandle.current();
    return ProcessHandle.allProcesses()
        .filter(process -> !process.equals(self) && isMarked(at(process)));
  }

  /** Whether the environment has the marks; it is memory of the process, which may change it. */
  private boolean isMarked(Path process) {
    try (var in = Files.newInputStream(process.resolve("environ"))) {
      var entries = "\0" + new String(in.readNBytes(MAX_ENVIRONMENT), StandardCharsets.ISO_8859_1);
      return marks.stream().allMatch(mark -> entries.contains("\0" + mark + "\0"));
    } catch (IOException e) {
      return false; // it has ended, or is of another user
    }
  }
}
