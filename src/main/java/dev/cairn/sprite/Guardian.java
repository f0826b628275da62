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
  /**
   * The user's processes can kill or stop the killer. One that has not finished after a second is
   * killed by root, which then kills each listed process of the user and starts the next killer.
   */
  private static final String WATCH =
      """
      done=$1 user=$2; shift 2
      read -r end
      i=0
      while [ "$i" -lt 9999 ]; do
        "$@" & killer=$!
        (sleep 1; kill -9 "$killer") & limit=$!
        wait "$killer"; status=$?
        kill -9 "$limit"
        [ "$status" -ne "$done" ] || exit 0
        ls -dln /proc/[0-9]* | while read -r mode links owner group size month day time process; do
          [ "$owner" -ne "$user" ] || kill -9 "${process##*/}"
        done
        i=$((i + 1))
      done
      """;

  /** Watches for as long as it is open. */
  static Guardian of(LocalUser user) throws IOException {
    if (user.uid().isEmpty()) {
      return new Guardian(Optional.empty());
    }
    var shell =
        Stream.of(
            "/bin/sh",
            "-c",
            WATCH,
            "sh",
            Integer.toString(LocalUser.DONE),
            Integer.toString(user.uid().getAsInt()));
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
