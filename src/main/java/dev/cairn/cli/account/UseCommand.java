package dev.cairn.cli.account;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.command.Profile;
import dev.cairn.cli.command.RepositoryName;
import dev.cairn.cli.command.Settings;
import java.net.URI;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Chooses a repository. */
@Command(
    name = "use",
    description = "Choose the repository that commands work with.",
    footer = {"cairn use demo/world", "cairn use garden/greenhouse --profile work"})
public final class UseCommand extends CliCommand {
  @Parameters(paramLabel = "<org/repo>", description = "The repository; it must exist.")
  private String repository;

  @Override
  protected void run() {
    var name = RepositoryName.parse(repository);
    var server = settings().server();
    var found = client().repository(name.org(), name.repo()).getRepository();
    var profileName = settings().profileName();
    settings()
        .file()
        .change(
            all ->
                all.with(
                    profileName,
                    profile(all.get(profileName), server).withRepository(name.toString())));
    output().done(found, "Commands use %s at %s now.".formatted(name, server));
    if (context().variable("CAIRN_REPO") != null) {
      output().warn("$CAIRN_REPO is set, and wins over the chosen repository.");
    }
  }

  private Profile profile(Profile known, URI server) {
    if (known == null) {
      return Profile.of(server.toString());
    }
    if (!Settings.parse(known.server()).equals(server)) {
      throw new CommandFailure(
          ExitCode.CONFLICT,
          "The profile '%s' is for %s, not for %s."
              .formatted(settings().profileName(), known.server(), server),
          "cairn login --profile <name> --server " + server);
    }
    return known;
  }
}
