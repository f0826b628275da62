package dev.cairn.cli.account;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.output.Details;
import dev.cairn.client.Whoami;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** Shows the caller. */
@Command(
    name = "whoami",
    description = "Show who is signed in, and their organizations.",
    footer = {"cairn whoami", "cairn whoami --json"})
public final class WhoamiCommand extends CliCommand {
  @Override
  protected void run() {
    var whoami = client().account().whoami();
    output().details(whoami, details(whoami));
    if (!whoami.authenticated()) {
      output().note("Nobody is signed in. Try: cairn login");
    }
  }

  private Details details(Whoami whoami) {
    var details = new Details().add("Server", settings().server());
    if (whoami.account() != null) {
      details.add("Account", whoami.account().email()).add("Name", whoami.account().displayName());
    }
    details.add("Token", kind(whoami));
    if (whoami.token() != null) {
      details.add("Token name", whoami.token().name()).time("Expires", whoami.token().expiresAt());
    }
    if (!whoami.orgs().isEmpty()) {
      details.add("Organizations", organizations(whoami));
    }
    return details;
  }

  private static String organizations(Whoami whoami) {
    var all =
        whoami.orgs().stream()
            .map(membership -> membership.name() + " (" + membership.role() + ")")
            .collect(Collectors.joining(", "));
    return whoami.orgsNext() == null ? all : all + " and more: cairn org list";
  }

  private static String kind(Whoami whoami) {
    return switch (whoami.kind()) {
      case "jwt" -> "sign-in";
      case "pat" -> "personal access token";
      case "anonymous" -> "none";
      default -> whoami.kind() + " token";
    };
  }
}
