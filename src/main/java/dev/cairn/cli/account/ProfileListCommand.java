package dev.cairn.cli.account;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.Profile;
import dev.cairn.cli.output.Style;
import dev.cairn.cli.output.Table;
import picocli.CommandLine.Command;

/** Lists the profiles. */
@Command(
    name = "list",
    description = "List the profiles, with their servers and repositories.",
    footer = "cairn profile list")
final class ProfileListCommand extends CliCommand {
  /**
   * A profile without its tokens.
   *
   * @param name its name
   * @param current whether commands use it if no other one is named
   * @param server the URL of its server
   * @param account the account that is signed in; null if there is none
   * @param repository the chosen repository; null if there is none
   */
  record ListedProfile(
      String name, boolean current, String server, String account, String repository) {}

  private static final Table<ListedProfile> TABLE =
      new Table<ListedProfile>()
          .text("PROFILE", ListedProfile::name)
          .text("IN USE", profile -> profile.current() ? "yes" : "", profile -> Style.GREEN)
          .text("SERVER", ListedProfile::server)
          .text("ACCOUNT", ListedProfile::account)
          .text("REPOSITORY", ListedProfile::repository);

  @Override
  protected void run() {
    var profiles = settings().profiles();
    var listed =
        profiles.byName().entrySet().stream()
            .map(entry -> listed(entry.getKey(), entry.getValue(), profiles.current()));
    output().list(TABLE, listed, "No profiles. Try: cairn login");
  }

  private static ListedProfile listed(String name, Profile profile, String current) {
    return new ListedProfile(
        name, name.equals(current), profile.server(), profile.account(), profile.repository());
  }
}
