package dev.cairn.cli.component;

import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.output.Details;
import dev.cairn.client.ComponentResolution;
import dev.cairn.client.ComponentSetup;
import picocli.CommandLine.Command;

/** {@code component setup}. */
@Command(
    name = "setup",
    description = {
      "Tell the server of a component that it is installed.",
      "The server gets a token for at most five minutes, with which it may set up what it needs."
          + " Ends with 1 if the server did not accept the call."
    },
    footer = {"cairn component setup garden/frost-guard"})
final class SetupCommand extends RegistryCall {
  @Override
  protected void run() {
    var name = component();
    var where = settings().repository().toString();
    var components = client().components();
    var resolved =
        components.resolveComponent(name.org(), name.name(), new ComponentResolution(where));
    var setup = new ComponentSetup(where, resolved.installId(), resolved.manifestHash());
    var result = components.setUpComponent(name.org(), name.name(), setup);
    output()
        .details(
            result,
            new Details()
                .add("Component", name)
                .add("Accepted", result.ok() ? "yes" : "no")
                .add("Needs no call", Boolean.TRUE.equals(result.skipped()) ? "yes" : null)
                .add("Status", result.status())
                .add("Answer", result.result())
                .add("Reason", result.detail()));
    if (!result.ok()) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "The component's server did not accept the setup call.",
          "cairn component doctor " + name);
    }
  }
}
