package dev.cairn.sprite;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Keeps the processes of a command's user from forking: the process limit of that user is filled
 * with zombies, which nobody can kill. Processes that fork and end faster than they can be listed
 * then keep their process ids, so root finds and kills them.
 */
record ForkBarrier(Process parent) implements AutoCloseable {
  private static final long REAP_SECONDS = 5;

  /** Runs as root; waits for its children only when its standard input ends. */
  private static final String FILL =
      """
      n=$1; shift
      i=0; while [ "$i" -le "$n" ]; do "$@" & i=$((i + 1)); done
      read -r end
      wait
      """;

  /**
   * Starts to fill the limit; {@code fork} fails some milliseconds later.
   *
   * @param user one with an id of its own
   * @param processes the number of processes that it may have
   */
  static ForkBarrier against(LocalUser user, int processes) throws IOException {
    var shell = Stream.of("/bin/sh", "-c", FILL, "sh", Integer.toString(processes));
    var line = Stream.concat(shell, user.as(List.of("true")).stream()).toList();
    return new ForkBarrier(LocalUser.silent(line).start());
  }

  /** Frees the process ids of the zombies. */
  @Override
  public void close() throws IOException {
    parent.getOutputStream().close();
    parent.onExit().completeOnTimeout(parent, REAP_SECONDS, TimeUnit.SECONDS).join();
    parent.destroyForcibly();
  }
}
