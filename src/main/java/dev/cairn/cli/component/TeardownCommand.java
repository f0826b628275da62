package dev.cairn.cli.component;

import dev.cairn.cli.command.Confirmation;
import dev.cairn.client.Teardown;
import dev.cairn.client.TornDown;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code component teardown}. */
@Command(
    name = "teardown",
    description = {
      "Tear an installed component down.",
      "That ends its tokens and its subscriptions. All content and all credential sets stay. You"
          + " see the plan before anything is done. The component can be installed again."
    },
    footer = {
      "cairn component teardown garden/frost-guard --dry-run",
      "cairn component teardown garden/frost-guard --subscriptions delete --yes"
    })
final class TeardownCommand extends InstallCall {
  @Option(
      names = "--subscriptions",
      paramLabel = "<pause|delete>",
      description = "What becomes of its subscriptions; what its manifest says by default.")
  private String subscriptions;

  @Option(names = "--dry-run", description = "Only show what would be done.")
  private boolean dryRun;

  @Mixin private Confirmation confirmation;

  @Override
  protected void run() {
    var id = installId();
    if (!dryRun) {
      if (confirmation.isAsked(context())) {
        output().note("The plan for %s:".formatted(component()));
        announce(installs().tearDownComponent(id, new Teardown(subscriptions, true)).plan());
      }
      confirm(confirmation, "Tear down %s?".formatted(component()));
    }
    show(installs().tearDownComponent(id, new Teardown(subscriptions, dryRun ? true : null)));
  }

  private void show(TornDown done) {
    if (output().isStructured()) {
      output().document(done);
    } else {
      output().array(planTable(), done.plan().stream(), "Nothing was left to tear down.");
    }
  }
}
