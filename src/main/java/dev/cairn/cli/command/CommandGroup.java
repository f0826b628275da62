package dev.cairn.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command that only has subcommands, such as {@code cairn thing}. A subclass has its {@code
 * Command} annotation, with the subcommands, and nothing else.
 */
@Command
public abstract class CommandGroup implements Callable<Integer> {
  @Spec private CommandSpec spec;

  /** Only for subclasses. */
  protected CommandGroup() {}

  /**
   * Refuses a call without a subcommand.
   *
   * @throws ParameterException always
   */
  @Override
  public final Integer call() {
    throw new ParameterException(
        spec.commandLine(),
        "'%s' needs a subcommand: %s."
            .formatted(spec.qualifiedName(), String.join(", ", spec.subcommands().keySet())));
  }
}
