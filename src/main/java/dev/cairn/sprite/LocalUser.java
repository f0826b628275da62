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
 * The user that runs a command: if the service is root, a user id that no other process has at that
 * time and that owns nothing; otherwise the service's own user.
 *
 * @param uid empty for the service's own user
 */
record LocalUser(OptionalInt uid) implements AutoCloseable {
  /** The ids that systemd gives to services for as long as they run. */
  private static final int FIRST = 61_184;

  private static final int LAST = 65_519;

  /** Enough to find a free one if only a few are free. */
  private static final int TRIES = 20_000;

  /** A command may have removed its own right to list and to change a directory. */
  private static final String DELETE =
      "rm -rf -- \"$@\"; chmod -R u+rwx -- \"$@\"; rm -rf -- \"$@\"";

  private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

  /** One for a run, until it is closed. No process has its id when it is taken. */
  static LocalUser take() {
    if (!LocalCommands.isRoot()) {
      return new LocalUser(OptionalInt.empty());
    }
    // At random, so that files that a command left somewhere do not belong to the next one.
    var random = ThreadLocalRandom.current();
    var free = random.ints(TRIES, FIRST, LAST + 1).filter(LocalUser::reserve).findFirst();
    return new LocalUser(
        OptionalInt.of(
            free.orElseThrow(() -> new IllegalStateException("no user id is free for a command"))));
  }

  /**
   * The user of files that a run of an earlier start left, until it is closed; empty if it is none
   * of these users, or one that a run or a process has now.
   */
  static Optional<LocalUser> ofLeft(int owner) {
    return owner >= FIRST && owner <= LAST && reserve(owner)
        ? Optional.of(new LocalUser(OptionalInt.of(owner)))
        : Optional.empty();
  }

  /** Whether an id was unused, by runs and by the processes of this machine, and is taken now. */
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
   * The command line that runs another one as this user. It runs as root until the change of user,
   * so its environment must hold nothing that others chose.
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
   * The command line that runs another one, still as root, as the first process of a PID namespace
   * of its own. When that process ends, the kernel kills all others of the namespace, whatever they
   * do, and only then does the command line end. The same line for the service's own user.
   */
  List<String> contained(List<String> command) {
    return uid.isEmpty()
        ? command
        : Stream.concat(LocalCommands.container().stream(), command.stream()).toList();
  }

  /** Gives a file to this user; a link itself, not what it leads to. */
  void own(Path path) throws IOException {
    if (uid.isPresent()) {
      Files.setAttribute(path, "unix:uid", uid.getAsInt(), LinkOption.NOFOLLOW_LINKS);
    }
  }

  /**
   * Deletes directories of this user with all that is in them, with no more rights than its own: if
   * it may not delete one itself, that is empty afterwards. Links are not followed, and paths may
   * be longer than the system takes at once. What is left after {@code limit} stays.
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
    // The shell first, or it would go on with its next line.
    Stream.concat(Stream.of(running.toHandle()), running.descendants())
        .toList()
        .forEach(ProcessHandle::destroyForcibly);
  }

  /** Gives the id back. No file of this user may be left, or its next run would own it. */
  @Override
  public void close() {
    uid.ifPresent(TAKEN::remove);
  }
}
