package dev.cairn.sprite;

import dev.cairn.platform.LocalCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

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

  /** The command line that runs another one as this user. */
  List<String> as(List<String> command) {
    if (uid.isEmpty()) {
      return command;
    }
    var id = Integer.toString(uid.getAsInt());
    var become =
        List.of("setpriv", "--reuid", id, "--regid", id, "--clear-groups", "--no-new-privs", "--");
    return Stream.concat(become.stream(), command.stream()).toList();
  }

  /** Gives a file to this user. */
  void own(Path path) throws IOException {
    if (uid.isPresent()) {
      Files.setAttribute(path, "unix:uid", uid.getAsInt());
    }
  }

  @Override
  public void close() {
    uid.ifPresent(TAKEN::remove);
  }
}
