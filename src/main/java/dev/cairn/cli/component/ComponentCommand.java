package dev.cairn.cli.component;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.CommandGroup;
import dev.cairn.cli.command.Confirmation;
import dev.cairn.cli.command.Done;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.command.OrganizationOption;
import dev.cairn.cli.output.Details;
import dev.cairn.cli.output.Style;
import dev.cairn.cli.output.Table;
import dev.cairn.client.Component;
import dev.cairn.client.ComponentResolution;
import dev.cairn.client.ComponentVersion;
import dev.cairn.client.Install;
import dev.cairn.client.ListedComponent;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The group {@code component}. */
@Command(
    name = "component",
    description = {
      "Register components, and install them in the repository.",
      "A component is a reusable part: shapes, credential sets, subscriptions, seeds, perhaps a"
          + " server. An organization registers its versions, which never change; a repository"
          + " installs one."
    },
    subcommands = {
      ComponentCommand.ListCommand.class,
      ComponentCommand.Get.class,
      RegisterCommand.class,
      ComponentCommand.Deregister.class,
      ComponentCommand.Resolve.class,
      ComponentCommand.Installed.class,
      InstallCommand.class,
      SetupCommand.class,
      ComponentDoctorCommand.class,
      CallCommand.class,
      RotateCommand.class,
      TeardownCommand.class
    },
    footer = {
      "cairn component list --org garden",
      "cairn component install garden/frost-guard --dry-run",
      "cairn component doctor garden/frost-guard"
    })
public final class ComponentCommand extends CommandGroup {
  /** Shows a registered component; its manifest is shown as JSON. */
  static Details details(Component component) {
    return new Details()
        .add("Component", component.org() + "/" + component.name())
        .add("Version", component.version())
        .add(
            "All versions",
            component.versions().stream()
                .map(ComponentVersion::version)
                .collect(Collectors.joining(", ")))
        .add("Visibility", component.visibility())
        .add("Manifest hash", component.manifestHash())
        .add("Setup URL", component.setupUrl())
        .add("Credential set", component.credentialSetName())
        .add("Mints a token", component.mintsToken() ? "yes" : "no")
        .time("Created", component.createdAt())
        .time("Updated", component.updatedAt());
  }

  /** {@code component list}. */
  @Command(
      name = "list",
      description = {
        "List the components that an organization has registered.",
        "They are shown at their newest versions. 'cairn component installed' lists those of the"
            + " repository."
      },
      footer = {"cairn component list --org garden"})
  static final class ListCommand extends CliCommand {
    @Mixin private OrganizationOption organization;

    @Override
    protected void run() {
      var table =
          new Table<ListedComponent>()
              .text("COMPONENT", row -> row.org() + "/" + row.name())
              .text("VERSION", ListedComponent::version)
              .text("VISIBILITY", ListedComponent::visibility)
              .time("UPDATED", ListedComponent::updatedAt)
              .text("DESCRIPTION", ListedComponent::description);
      var components = client().components().listComponents(organization.name(settings()));
      output().list(table, components, "No components.");
    }
  }

  /** {@code component get}. */
  @Command(
      name = "get",
      description = {
        "Show a registered component; --json has its manifest.",
        "Read the manifest before you install: it says what an installation makes."
      },
      footer = {
        "cairn component get garden/frost-guard",
        "cairn component get garden/frost-guard --at 1.0.0 --json | jq .manifest"
      })
  static final class Get extends RegistryCall {
    @Option(
        names = "--at",
        paramLabel = "<version>",
        description = "This version; the newest by default.")
    private String version;

    @Override
    protected void run() {
      var name = component();
      var component = client().components().getComponent(name.org(), name.name(), version);
      output().details(component, details(component));
    }
  }

  /** {@code component deregister}. */
  @Command(
      name = "deregister",
      description = {
        "Deregister a component: its name is free again.",
        "Its tokens end at once. What is installed stays until it is torn down."
      },
      footer = {"cairn component deregister garden/frost-guard --yes"})
  static final class Deregister extends RegistryCall {
    @Mixin private Confirmation confirmation;

    @Override
    protected void run() {
      var name = component();
      confirm(confirmation, "Deregister %s, with all its versions and tokens?".formatted(name));
      client().components().deregisterComponent(name.org(), name.name());
      output().done(Done.ok(), "Deregistered " + name + ".");
    }
  }

  /** {@code component resolve}. */
  @Command(
      name = "resolve",
      description = {
        "See whether you may install a component in the repository.",
        "The id of the install is reserved. Ends with 4 if you may not install it."
      },
      footer = {"cairn component resolve garden/frost-guard"})
  static final class Resolve extends RegistryCall {
    @Override
    protected void run() {
      var name = component();
      var where = new ComponentResolution(settings().repository().toString());
      var resolved = client().components().resolveComponent(name.org(), name.name(), where);
      var details =
          new Details()
              .add("Component", name)
              .add("Version", resolved.manifest().at("/component/version").asText())
              .add("Manifest hash", resolved.manifestHash())
              .add("Install", resolved.installId())
              .add("Setup call", resolved.hasSetup() ? "yes" : "no")
              .add("May be installed", resolved.eligible() ? "yes" : "no");
      resolved.reasons().forEach(reason -> details.add("Because", reason.detail()));
      output().details(resolved, details);
      if (!resolved.eligible()) {
        throw new CommandFailure(
            ExitCode.FORBIDDEN,
            "%s cannot be installed in %s by you.".formatted(name, settings().repository()));
      }
    }
  }

  /** {@code component installed}. */
  @Command(
      name = "installed",
      description = {
        "List the components of the repository, the oldest first.",
        "Those that were torn down are listed, too."
      },
      footer = {"cairn component installed"})
  static final class Installed extends CliCommand {
    @Override
    protected void run() {
      var table =
          new Table<Install>()
              .text("COMPONENT", Install::component)
              .text("VERSION", Install::version)
              .text("STATE", Install::state, row -> style(row.state()))
              .text("NEWEST", Install::newestVersion)
              .time("UPDATED", Install::updatedAt)
              .id("INSTALL", Install::installId);
      output().array(table, repository().installs().listInstalls().stream(), "No components.");
    }

    private static Style style(String state) {
      return switch (state) {
        case "installed" -> Style.GREEN;
        case "torn_down" -> Style.DIM;
        default -> Style.YELLOW;
      };
    }
  }
}
