package dev.cairn.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code cairn}, of which all others are subcommands. */
@Command(name = "cairn", description = "Works with the repositories of a Cairn server.")
public final class CairnCommand {
  private CairnCommand() {}

  /**
   * Runs a command.
   *
   * @return the exit code of the process: {@code docs/cli.md}, Exit codes
   */
  public static int run(String... args) {
    return new CommandLine(new CairnCommand()).execute(args);
  }
}
