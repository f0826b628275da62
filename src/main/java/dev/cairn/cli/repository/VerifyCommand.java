package dev.cairn.cli.repository;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.output.Details;
import dev.cairn.cli.output.Style;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code verify}. */
@Command(
    name = "verify",
    description = {
      "Check that nobody has altered the history of the repository.",
      "The server reads all commits and compares them with their hashes, which may take up to ten"
          + " minutes. A hash that you have kept elsewhere proves that what came before it is"
          + " unchanged. Ends with 1 if something does not match. It takes repo:write."
    },
    footer = {
      "cairn verify -R garden/greenhouse",
      "cairn verify --json | jq -r .hash > greenhouse.hash",
      "cairn verify --expect \"$(cat greenhouse.hash)\""
    })
public final class VerifyCommand extends CliCommand {
  @Option(
      names = "--expect",
      paramLabel = "<hash>",
      description = "The hash that the newest commit must have.")
  private String expected;

  @Override
  protected void run() {
    var name = settings().repository();
    output().note("Verifying the history of " + name + " …");
    var result = repository().verify();
    output()
        .details(
            result,
            new Details()
                .add(
                    "Verified",
                    result.verified() ? "yes" : "no",
                    result.verified() ? Style.GREEN : Style.RED)
                .add("Commits", result.commits())
                .add("Hash", result.hash())
                .add("Broken at", result.brokenAt()));
    if (!result.verified()) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "The history does not match its hashes from commit %d on.".formatted(result.brokenAt()));
    }
    if (expected != null && !expected.equals(result.hash())) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "The newest commit has another hash than was expected.",
          "cairn commit log -R " + name);
    }
  }
}
