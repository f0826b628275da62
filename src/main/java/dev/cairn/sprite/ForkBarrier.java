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
  private static final long LOOK_MILLIS = 1;

  /**
   * Runs as root, and so does each child, whom the user's processes cannot kill, until all are
   * forked, the shell has stopped and standard input ends. A shell that runs may reap its children
   * whenever it likes; this one does when it continues.
   */
  private static final String FILL =
      """
      n=$1; shift
      exec 3<&0
      i=0; while [ "$i" -le "$n" ]; do (read -r end <&3; exec "$@") & i=$((i + 1)); done
      kill -STOP $$
      wait
      """;

  private static final String CONTINUE = "kill -CONT \"$1\"";

  /**
   * Fills the limit; {@code fork} fails some milliseconds later.
   *
   * @param user one with an id of its own
   * @param processes the number of processes that it may have
   */
  static ForkBarrier against(LocalUser user, int processes) throws IOException {
    var shell = Stream.of("/bin/sh", "-c", FILL, "sh", Integer.toString(processes));
    var line = Stream.concat(shell, user.as(List.of("true")).stream()).toList();
    var parent = LocalUser.silent(line).start();
    while (parent.isAlive() && !ProcessTree.isStopped(ProcessTree.at(parent.toHandle()))) {
      parent.onExit().completeOnTimeout(parent, LOOK_MILLIS, TimeUnit.MILLISECONDS).join();
    }
    parent.getOutputStream().close();
    return new ForkBarrier(parent);
  }

  /** Frees the process ids of the zombies. */
  @Override
  public void close() throws IOException {
    var pid = Long.toString(parent.pid());
    LocalUser.silent(List.of("/bin/sh", "-c", CONTINUE, "sh", pid)).start().onExit().join();
    parent.onExit().completeOnTimeout(parent, REAP_SECONDS, TimeUnit.SECONDS).join();
    parent.destroyForcibly();
  }
}
