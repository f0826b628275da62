package dev.cairn.sprite;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs the child processes of one run, one after another, within the run's time limit. */
final class LocalProcesses {
  /**
   * The init process: passes the variables on, starts the command, and exits if the command exits
   * or if its own input ends, which also happens if the service dies. In a PID namespace, all other
   * processes end with it.
   *
   * <p>Its input has exactly {@code $1} bytes of variables and then stays open: it ends only when
   * the service closes it or dies. This process must end without reaping the command, which another
   * process may trace, and without forking, for which there may be no room. Shells make background
   * commands ignore SIGINT and SIGQUIT; {@code env} restores the defaults. If the machine runs out
   * of memory, the system is to kill commands rather than the service or its database.
   */
  private static final String INIT =
      """
      echo 1000 2>/dev/null >/proc/self/oom_score_adj
      exec 3<&0 </dev/null
      variables=$(head -c "$1" <&3)
      shift
      if env --default-signal=INT,QUIT true 2>/dev/null; then
        set -- env --default-signal=INT,QUIT "$@"
      fi
      printf '%s\n' "$variables" | "$@" 3<&- &
      command=$!
      trap 'kill -9 "$command" 2>/dev/null; exit 137' USR1
      {
        trap '' TERM
        read -r end
        kill -USR1 $$
        if [ $$ = 1 ]; then kill -9 -1; fi
      } <&3 3<&- 2>/dev/null &
      wait "$command" 2>/dev/null
      """;

  private static final long END_SECONDS = 10;

  private final SpriteRun run;
  private final LocalDirectory directory;
  private final LocalLimits limits;
  private final long deadline;

  LocalProcesses(SpriteRun run, LocalDirectory directory, LocalLimits limits) {
    this.run = run;
    this.directory = directory;
    this.limits = limits;
    this.deadline = System.nanoTime() + run.timeout().toNanos();
  }

  /**
   * Runs a command to its end, and kills all processes that it has left running.
   *
   * @throws IOException if it cannot be started, or its outputs cannot be created or read
   */
  SpriteExit run(LocalCommand command) throws IOException, SpriteException, InterruptedException {
    try (var output = directory.output(LocalDirectory.STDOUT);
        var errors = directory.output(LocalDirectory.STDERR)) {
      var process = start(command);
      boolean ended;
      try {
        ended = process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      } finally {
        end(process);
      }
      var exit =
          new SpriteExit(
              process.waitFor(),
              OutputTail.of(output),
              OutputTail.of(errors),
              OutputTail.isCut(output) || OutputTail.isCut(errors));
      if (!ended) {
        throw SpriteException.retryable(
                SpriteError.SPRITE_EXECUTION_FAILED,
                "The command did not end within %s and was stopped.".formatted(run.timeout()))
            .with(exit.failureOutput());
      }
      return exit;
    }
  }

  private Process start(LocalCommand command) throws IOException {
    var user = directory.user();
    var script = command.script();
    var init = Stream.of("/bin/sh", "-c", INIT, "sh", Integer.toString(script.length));
    var line = user.as(limits.around(command.line(), command.stdin(), user.uid().isPresent()));
    var builder =
        new ProcessBuilder(user.contained(Stream.concat(init, line.stream()).toList()))
            .directory(directory.work().toFile())
            // No pipes: a process may pass a pipe to a process of another run, and reading it would
            // block.
            .redirectOutput(Redirect.appendTo(directory.path(LocalDirectory.STDOUT).toFile()))
            .redirectError(Redirect.appendTo(directory.path(LocalDirectory.STDERR).toFile()));
    builder.environment().clear();
    builder.environment().putAll(command.environment());
    builder.environment().putAll(marks());
    var process = builder.start();
    // On a thread of its own: the time limit must hold even if the shell never reads the script.
    Thread.ofVirtual().start(() -> writeScript(process, script));
    return process;
  }

  private static void writeScript(Process process, byte[] script) {
    try {
      var stdin = process.getOutputStream();
      stdin.write(script);
      stdin.flush();
    } catch (IOException e) {
      // The process has exited, and its status has the reason.
    }
  }

  /** Not interruptible: the service must not stop before its commands. */
  private void end(Process process) {
    if (directory.user().uid().isEmpty()) {
      var entries = marks().entrySet().stream().map(mark -> mark.getKey() + "=" + mark.getValue());
      new ProcessTree(process, entries.toList()).kill();
    }
    // On a thread of its own: it waits for a script that is still being written.
    Thread.ofVirtual().start(() -> close(process));
    process.onExit().completeOnTimeout(process, END_SECONDS, TimeUnit.SECONDS).join();
    process.destroyForcibly();
  }

  private static void close(Process process) {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // The process has already exited.
    }
  }

  private Map<String, String> marks() {
    return Map.of(
        "CAIRN_RUN_ID", run.runId().toString(), "CAIRN_ATTEMPT", Integer.toString(run.attempt()));
  }
}
