package dev.cairn.sprite;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Kills the processes of a command's user if the service ends before they do, however it ends. They
 * could take the service's port otherwise, and the run would be repeated beside them. It is a
 * process of root, which they cannot kill, and notices the end of the service by a pipe.
 *
 * @param process empty where commands have no user of their own
 */
record Guardian(Optional<Process> process) implements AutoCloseable {
  /** Those who kill the killer may win for a while. */
  private static final String WATCH =
      """
      done=$1; shift
      read -r end
      i=0
      until "$@"; [ "$?" -eq "$done" ] || [ "$i" -ge 99999 ]; do i=$((i + 1)); done
      """;

  /** Watches for as long as it is open. */
  static Guardian of(LocalUser user) throws IOException {
    if (user.uid().isEmpty()) {
      return new Guardian(Optional.empty());
    }
    var shell = Stream.of("/bin/sh", "-c", WATCH, "sh", Integer.toString(LocalUser.DONE));
    List<String> line = Stream.concat(shell, user.killing().stream()).toList();
    var builder = LocalUser.silent(line).redirectInput(Redirect.PIPE);
    return new Guardian(Optional.of(builder.start()));
  }

  /** Stops watching, and kills nothing. */
  @Override
  public void close() {
    process.ifPresent(Process::destroyForcibly);
  }
}
