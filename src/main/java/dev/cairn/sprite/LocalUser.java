package dev.cairn.sprite;

import dev.cairn.platform.LocalCommands;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Who runs a command: where the service is root, a user id that nobody else has at that time, and
 * which owns nothing; else the service's own user.
 *
 * @param uid empty for the service's own user
 */
record LocalUser(OptionalInt uid) implements AutoCloseable {
  /** The ids that systemd gives to services for as long as they run. */
  private static final int FIRST = 61_184;

  private static final int LAST = 65_518;

  /**
   * The group of the processes that kill, which no command has: the kernel then refuses to trace.
   */
  private static final int GROUP_OF_KILLERS = 65_519;

  /** Enough to find one of few that are free. */
  private static final int TRIES = 20_000;

  private static final Logger LOG = Logger.getLogger(LocalUser.class);
  private static final long KILL_SECONDS = 5;
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What {@link #KILL} ends with, unless the shell that runs it was killed first. */
  static final int DONE = 7;

  private static final String KILL = "kill -9 -1; exit " + DONE;
  private static final long EMPTY_SECONDS = 60;

  /** A command may have taken away its own right to list and to change a directory. */
  private static final String EMPTY =
      "rm -rf -- \"$@\"; chmod -R u+rwx -- \"$@\"; rm -rf -- \"$@\"";

  private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

  /** One for a run, until it is closed. No process has its id when it is taken. */
  static LocalUser take() {
    if (!LocalCommands.isRoot()) {
      return new LocalUser(OptionalInt.empty());
    }
    // At random: what one left behind somewhere is not to belong to the next one.
    var random = ThreadLocalRandom.current();
    var free = random.ints(TRIES, FIRST, LAST + 1).filter(LocalUser::reserve).findFirst();
    return new LocalUser(
        OptionalInt.of(
            free.orElseThrow(() -> new IllegalStateException("no user id is free for a command"))));
  }

  /** Whether an id was unused, by runs and by the processes of this machine, and is taken now. */
  static boolean reserve(int id) {
    if (!TAKEN.add(id)) {
      return false;
    }
    boolean unused = processOf(id).isEmpty();
    if (!unused) {
      TAKEN.remove(id);
    }
    return unused;
  }

  /** A living process that has this id. */
  private static Optional<ProcessHandle> processOf(int id) {
    return ProcessHandle.allProcesses()
        .filter(process -> isOf(id, ProcessTree.at(process)) && !isDead(ProcessTree.at(process)))
        .findFirst();
  }

  private static boolean isDead(Path process) {
    try {
      return ProcessTree.isZombie(process);
    } catch (IOException e) {
      return true;
    }
  }

  /** Whether a process runs as this user: a directory in {@code /proc}. */
  boolean owns(Path process) {
    return uid.isPresent() && isOf(uid.getAsInt(), process);
  }

  private static boolean isOf(int id, Path process) {
    try {
      return id == (int) Files.getAttribute(process, "unix:uid");
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false; // it has ended, or there is no /proc
    }
  }

  /**
   * The command line that runs another one as this user. It runs as root until the change of user,
   * so its environment must hold nothing that others chose.
   */
  List<String> as(List<String> command) {
    return uid.isEmpty() ? command : as(uid.getAsInt(), command);
  }

  private List<String> as(int gid, List<String> command) {
    var become =
        List.of(
            // Without a terminal: what is written into its input would run in the shell of root.
            LocalCommands.setsid().orElseThrow().toString(),
            LocalCommands.setpriv().orElseThrow().toString(),
            "--reuid",
            Integer.toString(uid.getAsInt()),
            "--regid",
            Integer.toString(gid),
            "--clear-groups",
            "--no-new-privs",
            "--");
    return Stream.concat(become.stream(), command.stream()).toList();
  }

  /** Gives a file to this user; a link itself, not what it leads to. */
  void own(Path path) throws IOException {
    if (uid.isPresent()) {
      Files.setAttribute(path, "unix:uid", uid.getAsInt(), LinkOption.NOFOLLOW_LINKS);
    }
  }

  /**
   * Kills all processes of this user with one system call, which no process escapes by forking.
   * Does nothing for the service's own user.
   *
   * @return false if a process of this user killed or stopped the shell before its system call, or
   *     if one is still there
   */
  boolean killAll() {
    return uid.isEmpty() || (act(killing(), KILL_SECONDS) == DONE && haveEnded(uid.getAsInt()));
  }

  /** The command line that does what {@link #killAll} does, and ends with {@link #DONE}. */
  List<String> killing() {
    return asKiller(List.of("/bin/sh", "-c", KILL));
  }

  /**
   * The command line that runs another one with the right to kill this user's processes. They may
   * kill or stop it, but not trace it, so they cannot choose the status that it ends with.
   */
  List<String> asKiller(List<String> command) {
    return as(GROUP_OF_KILLERS, command);
  }

  /** What was killed takes a moment to end. */
  private static boolean haveEnded(int id) {
    long end = System.nanoTime() + END_NANOS;
    var process = processOf(id);
    while (process.isPresent() && System.nanoTime() < end) {
      process.get().onExit().completeOnTimeout(null, 1, TimeUnit.MILLISECONDS).join();
      process = processOf(id);
    }
    return process.isEmpty();
  }

  /** Empties directories that belong to this user, with no more rights than its own. */
  void empty(List<Path> directories) {
    var line =
        Stream.concat(
            Stream.of("/bin/sh", "-c", EMPTY, "sh"), directories.stream().map(Path::toString));
    act(as(line.toList()), EMPTY_SECONDS);
    killAll();
  }

  /**
   * Runs a command line, in no directory of its own.
   *
   * @return its status; -1 if it could not be started or did not end in time
   */
  private static int act(List<String> line, long seconds) {
    var builder = silent(line).redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
    try {
      var process = builder.start();
      // Not interruptible: the cleanup must finish when the service stops, too.
      process.onExit().completeOnTimeout(process, seconds, TimeUnit.SECONDS).join();
      if (!process.isAlive()) {
        return process.exitValue();
      }
      process.destroyForcibly();
    } catch (IOException e) {
      LOG.warnf("what a command left cannot be cleaned up: %s", e.getMessage());
    }
    return -1;
  }

  /** A program that gets nothing of the service's own and whose output is dropped. */
  static ProcessBuilder silent(List<String> line) {
    var builder =
        new ProcessBuilder(line)
            .directory(Path.of("/").toFile())
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD);
    builder.environment().clear();
    builder.environment().put("PATH", LocalBackend.PATH);
    return builder;
  }

  /**
   * Gives the id back. While a process may still have it, no later run gets it: that process could
   * read the later run's secrets.
   */
  @Override
  public void close() {
    if (uid.isPresent()) {
      if (killAll()) {
        TAKEN.remove(uid.getAsInt());
      } else {
        LOG.errorf("user id %d stays reserved: its processes cannot be killed", uid.getAsInt());
      }
    }
  }
}
