package dev.cairn.sprite;

import dev.cairn.platform.LocalCommands;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
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

  private static final int LAST = 65_519;

  private static final Logger LOG = Logger.getLogger(LocalUser.class);
  private static final long KILL_SECONDS = 5;
  private static final long EMPTY_SECONDS = 60;

  /** A command may have taken away its own right to list and to change a directory. */
  private static final String EMPTY =
      "rm -rf -- \"$@\"; chmod -R u+rwx -- \"$@\"; rm -rf -- \"$@\"";

  private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

  /** One for a run, until it is closed. */
  static LocalUser take() {
    if (!LocalCommands.isRoot()) {
      return new LocalUser(OptionalInt.empty());
    }
    // At random: what one left behind somewhere is not to belong to the next one.
    var random = ThreadLocalRandom.current();
    return new LocalUser(random.ints(FIRST, LAST + 1).filter(TAKEN::add).findFirst());
  }

  /**
   * The command line that runs another one as this user. It runs as root until the change of user,
   * so its environment must hold nothing that others chose.
   */
  List<String> as(List<String> command) {
    if (uid.isEmpty()) {
      return command;
    }
    var id = Integer.toString(uid.getAsInt());
    var become =
        List.of(
            LocalCommands.setpriv().orElseThrow().toString(),
            "--reuid",
            id,
            "--regid",
            id,
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
   */
  void killAll() {
    if (uid.isPresent()) {
      act("kill -9 -1", List.of(), KILL_SECONDS);
    }
  }

  /** Empties directories that belong to this user, with no more rights than its own. */
  void empty(List<Path> directories) {
    act(EMPTY, directories.stream().map(Path::toString).toList(), EMPTY_SECONDS);
    killAll();
  }

  /** Runs a few words of the shell as this user, in no directory of its own. */
  private void act(String script, List<String> arguments, long seconds) {
    var line = Stream.concat(Stream.of("/bin/sh", "-c", script, "sh"), arguments.stream());
    var builder =
        new ProcessBuilder(as(line.toList()))
            .directory(Path.of("/").toFile())
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD);
    builder.environment().clear();
    builder.environment().put("PATH", LocalBackend.PATH);
    try {
      var process = builder.start();
      // Not interruptible: the cleanup must finish when the service stops, too.
      process.onExit().completeOnTimeout(process, seconds, TimeUnit.SECONDS).join();
      process.destroyForcibly();
    } catch (IOException e) {
      LOG.warnf("what a command left cannot be cleaned up: %s", e.getMessage());
    }
  }

  @Override
  public void close() {
    uid.ifPresent(TAKEN::remove);
  }
}
