package dev.cairn.cli.component;

import dev.cairn.cli.command.Confirmation;
import dev.cairn.cli.output.Details;
import dev.cairn.cli.output.Style;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code component rotate}. */
@Command(
    name = "rotate",
    description = {
      "Mint a new token for the server of an installed component.",
      "The former token ends at once, so give the server the new one. It is shown only this once."
    },
    footer = {"cairn component rotate garden/frost-guard --yes --json | jq -r .token"})
final class RotateCommand extends InstallCall {
  @Mixin private Confirmation confirmation;

  @Override
  protected void run() {
    confirm(confirmation, "End the present token of %s at once?".formatted(component()));
    var minted = installs().rotateComponentToken(installId());
    output()
        .details(
            minted,
            new Details()
                .add("Token", minted.token(), Style.BOLD)
                .time("Expires", minted.expiresAt()));
    output().note("Keep the token now: it is not shown again.");
  }
}
