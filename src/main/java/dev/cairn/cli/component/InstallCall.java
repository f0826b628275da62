package dev.cairn.cli.component;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.output.Style;
import dev.cairn.cli.output.Table;
import dev.cairn.client.Install;
import dev.cairn.client.InstallItem;
import dev.cairn.client.InstallsClient;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A command about one component that the repository has installed. */
@Command
abstract class InstallCall extends CliCommand {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  @Parameters(
      index = "0",
      paramLabel = "<component>",
      description = "The component, as org/name or by the id of its install.")
  private String component;

  /** The component as it was given. */
  final String component() {
    return component;
  }

  final InstallsClient installs() {
    return repository().installs();
  }

  /** The id of the install; it is looked up if the component was given by its name. */
  final String installId() {
    if (ID.matcher(component).matches()) {
      return component;
    }
    var name = ComponentName.parse(component).toString();
    return installs().listInstalls().stream()
        .filter(install -> name.equals(install.component()))
        .map(Install::installId)
        .findFirst()
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "%s has no component %s.".formatted(settings().repository(), name),
                    "cairn component installed",
                    "cairn component install " + name));
  }

  /** The plan, for people, as a table. */
  static Table<InstallItem> planTable() {
    return new Table<InstallItem>()
        .text("ACTION", InstallItem::action, item -> style(item.action()))
        .text("KIND", InstallItem::kind)
        .text("NAME", InstallItem::name);
  }

  private static Style style(String action) {
    return switch (action) {
      case "create" -> Style.GREEN;
      case "change", "pause" -> Style.YELLOW;
      case "delete", "revoke", "retract" -> Style.RED;
      default -> Style.DIM;
    };
  }

  /** The plan before a question: messages, because the result comes after it. */
  final void announce(List<InstallItem> plan) {
    plan.forEach(
        item ->
            output().note("  %-7s  %-14s  %s".formatted(item.action(), item.kind(), item.name())));
  }
}
