package dev.cairn.cli.command;

import java.util.List;

/** A command cannot continue, for a reason that the CLI itself has found. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final ExitCode exitCode;
  private final String[] tries;

  /**
   * A failure.
   *
   * @param sentence what was wrong, and what was expected
   * @param tries commands to try next
   */
  public CommandFailure(ExitCode exitCode, String sentence, String... tries) {
    super(sentence);
    this.exitCode = exitCode;
    this.tries = tries.clone();
  }

  /** How the process ends. */
  public ExitCode exitCode() {
    return exitCode;
  }

  /** Commands to try next. */
  public List<String> tries() {
    return List.of(tries);
  }
}
