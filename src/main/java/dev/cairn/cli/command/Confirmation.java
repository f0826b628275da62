package dev.cairn.cli.command;

import dev.cairn.cli.output.ProcessContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import picocli.CommandLine.Option;

/**
 * The question before what cannot be undone. A command has it as a mixin, which gives it {@code
 * --yes}, and calls {@link CliCommand#confirm}.
 */
public final class Confirmation {
  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask; needed if there is no terminal to ask on.")
  private boolean confirmed;

  /** For picocli. */
  public Confirmation() {}

  /** Whether a person will be asked: there is a terminal, and {@code --yes} was not given. */
  public boolean isAsked(ProcessContext context) {
    return !confirmed && context.terminal().isInput() && context.terminal().isError();
  }

  /**
   * Asks, unless {@code --yes} was given.
   *
   * @param question what will be done, as a question
   * @param command the command line to try if there is no terminal
   * @throws CommandFailure if the answer is not yes, or nobody can be asked
   */
  void ask(ProcessContext context, String question, String command) {
    if (confirmed) {
      return;
    }
    var terminal = context.terminal();
    if (!terminal.isInput() || !terminal.isError()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          question + " Without a terminal to ask on, --yes is needed.",
          command + " --yes");
    }
    if (!isYes(answer(context, question))) {
      throw new CommandFailure(ExitCode.FAILED, "Nothing was done.");
    }
  }

  private static String answer(ProcessContext context, String question) {
    try {
      context.err().write((question + " [y/N] ").getBytes(StandardCharsets.UTF_8));
      return new BufferedReader(new InputStreamReader(context.in(), StandardCharsets.UTF_8))
          .readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isYes(String answer) {
    var given = answer == null ? "" : answer.strip().toLowerCase(Locale.ROOT);
    return given.equals("y") || given.equals("yes");
  }
}
