package dev.cairn.cli.component;

import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.output.Style;
import dev.cairn.cli.output.Table;
import dev.cairn.client.DoctorCheck;
import picocli.CommandLine.Command;

/** {@code component doctor}. */
@Command(
    name = "doctor",
    description = {
      "Check whether an installed component is well.",
      "Compares what is there with the manifest, and calls the server's health checks. Changes"
          + " nothing. Ends with 1 if something is wrong."
    },
    footer = {"cairn component doctor garden/frost-guard"})
final class ComponentDoctorCommand extends InstallCall {
  @Override
  protected void run() {
    var report = installs().examineComponent(installId());
    if (output().isStructured()) {
      output().document(report);
    } else {
      var table =
          new Table<DoctorCheck>()
              .text(
                  "STATE", ComponentDoctorCommand::state, row -> row.ok() ? Style.GREEN : Style.RED)
              .text("KIND", DoctorCheck::kind)
              .text("NAME", DoctorCheck::name)
              .text("DETAIL", DoctorCheck::detail)
              .text("FIX", DoctorCheck::fix);
      output().array(table, report.checks().stream(), "No checks.");
    }
    if (!report.healthy()) {
      throw new CommandFailure(ExitCode.FAILED, "%s is not well.".formatted(component()));
    }
  }

  private static String state(DoctorCheck check) {
    return check.ok() ? "ok" : "wrong";
  }
}
