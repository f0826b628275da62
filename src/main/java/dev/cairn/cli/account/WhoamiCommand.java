package dev.cairn.cli.account;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.output.Details;
import picocli.CommandLine.Command;

/** Shows the caller. */
@Command(
    name = "whoami",
    description = "Show who is signed in, and to which organizations they belong.",
    footer = {"cairn whoami", "cairn whoami --json"})
public final class WhoamiCommand extends CliCommand {
  @Override
  protected void run() {
    output().details(settings().profileName(), new Details().add("Server", settings().server()));
  }
}
