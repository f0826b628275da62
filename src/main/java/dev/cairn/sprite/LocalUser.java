package dev.cairn.sprite;

import dev.cairn.platform.LocalCommands;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The user that runs a command: if the service is root, a user id that no process has at that time
 * and that owns no files; otherwise the service's own user.
 *
 * @param uid empty for the service's own user
 */
record LocalUser(OptionalInt uid) implements AutoCloseable {
  /** The first of the ids that systemd assigns to services while they run. */
  private static final int FIRST_ID = 61_184;

  private static final int LAST_ID = 65_519;

  /** How many ids are tried: enough to find a free one if only a few are free. */
  private static final int MAX_TRIES = 20_000;

  /** Deletes, restores permissions and deletes again: a command may have removed its own rights. */
  private static final String DELETE =
      "rm -rf -- \"$@\"; chmod -R u+rwx -- \"$@\"; rm -rf -- \"$@\"";

  private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

  /** Reserves a user for a run, until it is closed. No process has its id at that time. */
  static LocalUser take() {
    if (!LocalCommands.isRoot()) {
      return new LocalUser(OptionalInt.empty());
    }
    // Random, so that files that a command left elsewhere do not belong to the next command.
    var random = ThreadLocalRandom.current();
    var free = random.ints(MAX_TRIES, FIRST_ID, LAST_ID + 1).filter(LocalUser::reserve).findFirst();
    return new LocalUser(
        OptionalInt.of(
            free.orElseThrow(() -> new IllegalStateException("no user id is free for a command"))));
  }

  /**
   * Reserves the owner of files that a run left before the last start, until it is closed. Empty if
   * the owner is not one of these users, or if a run or a process has it now.
   */
  static Optional<LocalUser> ofLeft(int owner) {
    return owner >= FIRST_ID && owner <= LAST_ID && reserve(owner)
        ? Optional.of(new LocalUser(OptionalInt.of(owner)))
        : Optional.empty();
  }

  /** Reserves an id; false if a run or a process of this machine has it. */
  static boolean reserve(int id) {
    if (!TAKEN.add(id)) {
      return false;
    }
    boolean used = ProcessHandle.allProcesses().map(ProcessTree::at).anyMatch(at -> isOf(id, at));
    if (used) {
      TAKEN.remove(id);
    }
    return !used;
  }

  private static boolean isOf(int id, Path process) {
    try {
      return id == (int) Files.getAttribute(process, "unix:uid");
    } catch (IOException e) {
      return false; // it has ended
    }
  }

  /**
   * The command line that runs another command line as this user. It runs as root until the change
   * of user, so its environment must not contain values that users chose.
   */
  List<String> as(List<String> command) {
    return uid.isEmpty()
        ? command
        : Stream.concat(become(Integer.toString(uid.getAsInt())), command.stream()).toList();
  }

  private static Stream<String> become(String id) {
    return Stream.of(
        LocalCommands.setpriv().orElseThrow().toString(),
        "--reuid",
        id,
        "--regid",
        id,
        "--clear-groups",
        // For the cleanup, whose first process is not root: the change of user clears the signal
        // that --kill-child set, so it is set again.
        "--pdeathsig",
        "KILL",
        "--no-new-privs",
        "--");
  }

  /**
   * The command line that runs another command line, still as root, as the first process of a new
   * PID namespace. When that process ends, the kernel kills all other processes of the namespace,
   * and only then does the command line end. For the service's own user, the command line itself.
   */
  List<String> contained(List<String> command) {
    return uid.isEmpty()
        ? command
        : Stream.concat(LocalCommands.container().stream(), command.stream()).toList();
  }

  /** Changes the owner of a file to this user; of a link itself, not of its target. */
  void own(Path path) throws IOException {
    if (uid.isPresent()) {
      Files.setAttribute(path, "unix:uid", uid.getAsInt(), LinkOption.NOFOLLOW_LINKS);
    }
  }

  /**
   * Deletes directories of this user and their content, only with the rights of the user: a
   * directory that the user may not delete itself is empty afterwards. Links are not followed, and
   * paths may be longer than the system's limit. What is left after {@code limit} stays.
   */
  void delete(List<Path> directories, Duration limit) throws IOException {
    var shell = Stream.of("/bin/sh", "-c", DELETE, "sh");
    var paths = directories.stream().map(Path::toString);
    var process =
        new ProcessBuilder(contained(as(Stream.concat(shell, paths).toList())))
            .directory(Path.of("/").toFile())
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD);
    process.environment().clear();
    process.environment().put("PATH", LocalBackend.PATH);
    var running = process.start();
    // Not interruptible: the cleanup must finish when the service stops, too.
    running.onExit().completeOnTimeout(running, limit.toMillis(), TimeUnit.MILLISECONDS).join();
    // The shell first; otherwise it would continue with its next line.
    Stream.concat(Stream.of(running.toHandle()), running.descendants())
        .toList()
        .forEach(ProcessHandle::destroyForcibly);
  }

  /** Releases the id. No file of this user may be left, since its next run would own it. */
  @Override
  public void close() {
    uid.ifPresent(TAKEN::remove);
  }
}
