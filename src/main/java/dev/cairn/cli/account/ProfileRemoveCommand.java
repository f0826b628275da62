package dev.cairn.cli.account;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Removes a profile. */
@Command(
    name = "remove",
    description = "Remove a profile that nobody is signed in with.",
    footer = "cairn profile remove work")
final class ProfileRemoveCommand extends CliCommand {
  @Parameters(paramLabel = "<name>", description = "The name of the profile.")
  private String name;

  @Override
  protected void run() {
    settings()
        .file()
        .change(
            profiles -> {
              if (profiles.require(name).isSignedIn()) {
                throw new CommandFailure(
                    ExitCode.CONFLICT,
                    "Somebody is signed in with the profile '%s'.".formatted(name),
                    "cairn logout --profile " + name);
              }
              return profiles.without(name);
            });
    output().note("The profile '%s' was removed.".formatted(name));
  }
}
