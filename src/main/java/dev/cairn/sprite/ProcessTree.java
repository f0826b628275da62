package dev.cairn.sprite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * A process and all that came of it, also what has left its parent behind: on Linux, whatever runs
 * as the user that is the tree's own, or without such a user whatever has the marks in its
 * environment.
 *
 * @param marks variables that the environment of each has, and that of nothing else
 * @param user whose processes are all of this tree, unless it is the service's own user
 * @param processes the number of processes that the user may have
 */
record ProcessTree(Process root, List<String> marks, LocalUser user, int processes) {
  private static final Logger LOG = Logger.getLogger(ProcessTree.class);
  private static final Path PROC = Path.of("/proc");

  /** Among the {@link #fields}. */
  private static final int STATE = 0;

  private static final int THREADS = 17;

  /** What Linux gives to a new process by default, arguments included. */
  private static final int MAX_ENVIRONMENT = 2 * 1024 * 1024;

  private static final int ROUNDS = 100;
  private static final long ROUND_MILLIS = 5;
  private static final long FIGHT_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** The directory of a process in {@code /proc}. */
  static Path at(ProcessHandle process) {
    return PROC.resolve("" + process.pid());
  }

  /** Kills all of it, also processes that kill whatever would kill them. */
  void kill() {
    if (!user.killAll() && !killWithoutForks()) {
      LOG.errorf("processes of a command cannot be killed: %s", marks);
    }
    killSeen();
  }

  private boolean killWithoutForks() {
    long end = System.nanoTime() + FIGHT_NANOS;
    try (var _ = ForkBarrier.against(user, processes)) {
      boolean killed = false;
      while (!killed && System.nanoTime() < end) {
        killSeen();
        killed = user.killAll();
      }
      return killed;
    } catch (IOException e) {
      LOG.warnf("a command cannot be kept from forking: %s", e.getMessage());
      return false;
    }
  }

  /** Kills what is listed. What is being born meanwhile is killed by the next round. */
  private void killSeen() {
    for (int round = 0; round < ROUNDS; round++) {
      var alive = Stream.concat(root.descendants(), strays()).distinct().toList();
      // It first, or a shell would still write that what it waits for was killed.
      root.destroyForcibly();
      alive.forEach(ProcessHandle::destroyForcibly);
      if (alive.isEmpty()) {
        return;
      }
      awaitEnd(alive.getFirst());
    }
  }

  /** Or for the time of a round: others, or what is born of them, may be quicker. */
  private static void awaitEnd(ProcessHandle process) {
    process.onExit().completeOnTimeout(process, ROUND_MILLIS, TimeUnit.MILLISECONDS).join();
  }

  private Stream<ProcessHandle> strays() {
    var self = ProcessHandle.current();
    return ProcessHandle.allProcesses()
        .filter(process -> !process.equals(self) && isMine(at(process)));
  }

  private boolean isMine(Path process) {
    try {
      return (user.uid().isPresent() ? user.owns(process) : isMarked(process))
          && !isZombie(process);
    } catch (IOException e) {
      return false; // it is gone, or somebody else's
    }
  }

  /** The environment is memory of the process, which may have written anything into it. */
  private boolean isMarked(Path process) throws IOException {
    try (var in = Files.newInputStream(process.resolve("environ"))) {
      var entries = "\0" + new String(in.readNBytes(MAX_ENVIRONMENT), StandardCharsets.ISO_8859_1);
      return marks.stream().allMatch(mark -> entries.contains("\0" + mark + "\0"));
    }
  }

  /**
   * Dead, and waits for somebody to ask how it died. A process whose first thread has ended looks
   * the same, but lives as long as it has other threads.
   */
  static boolean isZombie(Path process) throws IOException {
    var fields = fields(process);
    return fields[STATE].equals("Z") && Integer.parseInt(fields[THREADS]) <= 1;
  }

  /** Whether a process is stopped. */
  static boolean isStopped(Path process) throws IOException {
    return fields(process)[STATE].equals("T");
  }

  /** What {@code /proc} says of a process after its name, which may have blanks and brackets. */
  private static String[] fields(Path process) throws IOException {
    var stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
  }
}
