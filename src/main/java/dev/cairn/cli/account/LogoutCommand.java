package dev.cairn.cli.account;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.command.Profile;
import dev.cairn.cli.command.Settings;
import dev.cairn.client.CairnException;
import dev.cairn.client.ServerNotReachedException;
import picocli.CommandLine.Command;

/** Signs out. */
@Command(
    name = "logout",
    description = {
      "Sign out: end the sign-in, and forget the tokens.",
      "A personal access token is forgotten here, and stays valid until it is revoked."
    },
    footer = {"cairn logout", "cairn logout --profile work"})
public final class LogoutCommand extends CliCommand {
  @Override
  protected void run() {
    var name = settings().profileName();
    var profile = settings().profile();
    if (profile == null || !profile.isSignedIn()) {
      output().note("Nobody was signed in.");
      return;
    }
    settings().file().change(all -> all.with(name, all.require(name).signedOut()));
    end(profile);
    output().note("Signed out of " + profile.server() + ".");
    if (settings().givenToken() != null) {
      output().warn("$CAIRN_TOKEN is set, and is still used.");
    }
  }

  private void end(Profile profile) {
    if (profile.signIn() == null) {
      output().note("The token stays valid until it is revoked: cairn token revoke <name>");
      return;
    }
    try (var anonymous = anonymousClient(Settings.parse(profile.server()))) {
      SignOut.end(anonymous.signIn(), profile.signIn());
    } catch (ServerNotReachedException e) {
      throw notEnded(ExitCode.UNREACHABLE, profile, e);
    } catch (CairnException e) {
      throw notEnded(ExitCode.FAILED, profile, e);
    }
  }

  private static CommandFailure notEnded(
      ExitCode exitCode, Profile profile, RuntimeException cause) {
    var failure =
        new CommandFailure(
            exitCode,
            "The tokens were removed from this machine, but %s did not end the sign-in. It expires 30 days after its last use."
                .formatted(profile.server()));
    failure.initCause(cause);
    return failure;
  }
}
