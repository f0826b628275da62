package dev.cairn.cli.component;

import dev.cairn.cli.command.CliCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A command about one registered component. */
@Command
abstract class RegistryCall extends CliCommand {
  @Parameters(index = "0", paramLabel = "<org/name>", description = "The component.")
  private String component;

  final ComponentName component() {
    return ComponentName.parse(component);
  }
}
