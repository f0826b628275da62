package dev.cairn.cli.component;

import dev.cairn.cli.command.Confirmation;
import dev.cairn.cli.output.Details;
import dev.cairn.cli.output.Style;
import dev.cairn.client.Installation;
import dev.cairn.client.Installed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code component install}. */
@Command(
    name = "install",
    description = {
      "Install a component in the repository, or upgrade it.",
      "On a terminal you see the plan and confirm it, and exactly the manifest that it is for is"
          + " installed. With --yes nothing is planned first; --expect-hash makes sure of the"
          + " manifest. It deletes nothing. The token of its server, if it has one, is shown only"
          + " this once. The same command completes an installation that was interrupted."
    },
    footer = {
      "cairn component install garden/frost-guard --dry-run",
      "cairn component install garden/frost-guard",
      "cairn component install garden/frost-guard --at 1.1.0 --yes"
    })
final class InstallCommand extends InstallCall {
  @Option(
      names = "--at",
      paramLabel = "<version>",
      description = "This version; the newest by default.")
  private String version;

  @Option(names = "--dry-run", description = "Only show what would be done.")
  private boolean dryRun;

  @Option(
      names = "--expect-hash",
      paramLabel = "<hash>",
      description = "Only if the manifest has this hash, as 'component resolve' shows it.")
  private String expectedHash;

  @Mixin private Confirmation confirmation;

  @Override
  protected void run() {
    var name = ComponentName.parse(component()).toString();
    if (dryRun) {
      showPlan(installs().installComponent(request(name, expectedHash, true)));
      return;
    }
    var hash = expectedHash;
    if (confirmation.isAsked(context())) {
      var planned = installs().installComponent(request(name, expectedHash, true));
      output().note("The plan for %s %s:".formatted(name, planned.version()));
      announce(planned.plan());
      hash = planned.manifestHash();
    }
    confirm(confirmation, "Install %s in %s?".formatted(name, settings().repository()));
    showDone(installs().installComponent(request(name, hash, false)));
  }

  private Installation request(String name, String hash, boolean plan) {
    return new Installation(name, version, hash, plan ? Boolean.TRUE : null);
  }

  private void showPlan(Installed planned) {
    if (output().isStructured()) {
      output().document(planned);
    } else {
      output().array(planTable(), planned.plan().stream(), "Nothing would be done.");
    }
  }

  private void showDone(Installed installed) {
    output()
        .details(
            installed,
            new Details()
                .add("Component", installed.component())
                .add("Version", installed.version())
                .add("Install", installed.installId())
                .add("Commit", installed.commitId())
                .add("Token", installed.token(), Style.BOLD)
                .time("Token expires", installed.tokenExpiresAt()));
    if (installed.token() != null) {
      output().note("Keep the token now, for the component's server: it is not shown again.");
    }
    output().note("'cairn component doctor " + installed.component() + "' checks the rest.");
  }
}
