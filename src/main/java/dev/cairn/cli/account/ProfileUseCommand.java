package dev.cairn.cli.account;

import dev.cairn.cli.command.CliCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Chooses a profile. */
@Command(
    name = "use",
    description = "Use a profile from now on.",
    footer = "cairn profile use work")
final class ProfileUseCommand extends CliCommand {
  @Parameters(paramLabel = "<name>", description = "The name of the profile.")
  private String name;

  @Override
  protected void run() {
    settings()
        .file()
        .change(
            profiles -> {
              profiles.require(name);
              return profiles.using(name);
            });
    output().note("Commands use the profile '%s' now.".formatted(name));
  }
}
