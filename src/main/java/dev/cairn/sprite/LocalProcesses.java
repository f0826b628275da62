package dev.cairn.sprite;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The child processes of one run, one after another, within its time. */
final class LocalProcesses {
  /** What was killed has closed its pipes; a reader of them has no more than their rest to read. */
  private static final long REST_MILLIS = 2_000;

  private final SpriteRun run;
  private final LocalUser user;
  private final LocalLimits limits;
  private final long deadline;

  LocalProcesses(SpriteRun run, LocalUser user, LocalLimits limits) {
    this.run = run;
    this.user = user;
    this.limits = limits;
    this.deadline = System.nanoTime() + run.timeout().toNanos();
  }

  /**
   * Runs one to its end, and kills whatever it has left running.
   *
   * @throws IOException where it cannot be started
   */
  SpriteExit run(LocalCommand command) throws IOException, SpriteException, InterruptedException {
    var marks = marks();
    var process = start(command, marks);
    var output = OutputTail.of(process.getInputStream());
    var errors = OutputTail.of(process.getErrorStream());
    boolean ended;
    try {
      ended = process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } finally {
      new ProcessTree(process, entries(marks), user, limits.config().processes()).kill();
    }
    var exit =
        new SpriteExit(process.waitFor(), output.text(REST_MILLIS), errors.text(REST_MILLIS));
    if (!ended) {
      throw SpriteException.retryable(
              SpriteError.SPRITE_EXECUTION_FAILED,
              "The command did not end within %s and was stopped.".formatted(run.timeout()))
          .with(exit.telling());
    }
    return exit;
  }

  private Process start(LocalCommand command, Map<String, String> marks) throws IOException {
    var line = limits.around(command.line(), command.stdin(), user.uid().isPresent());
    var builder = new ProcessBuilder(user.as(line)).directory(command.directory().toFile());
    builder.environment().clear();
    builder.environment().putAll(command.environment());
    builder.environment().putAll(marks);
    var process = builder.start();
    // On a thread of its own: the time limit must hold even if the shell never reads the script.
    Thread.ofVirtual().start(() -> tell(process, command.script()));
    return process;
  }

  private static void tell(Process process, byte[] script) {
    try (var stdin = process.getOutputStream()) {
      stdin.write(script);
    } catch (IOException e) {
      // It has ended, and its status says why.
    }
  }

  private Map<String, String> marks() {
    return Map.of(
        "CAIRN_RUN_ID", run.runId().toString(), "CAIRN_ATTEMPT", Integer.toString(run.attempt()));
  }

  private static List<String> entries(Map<String, String> marks) {
    return marks.entrySet().stream().map(mark -> mark.getKey() + "=" + mark.getValue()).toList();
  }
}
