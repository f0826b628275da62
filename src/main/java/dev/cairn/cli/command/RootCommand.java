package dev.cairn.cli.command;

import dev.cairn.cli.output.Output;
import dev.cairn.cli.output.ProcessContext;
import picocli.CommandLine;

/** The command that all others are subcommands of: it holds what they share. */
public interface RootCommand {
  /** What the process was given. */
  ProcessContext context();

  /** The options that every command has. */
  GlobalOptions globals();

  /** What commands write to, as the options say. */
  Output output();

  /** A command line with every command, for what describes them. */
  CommandLine allCommands();
}
