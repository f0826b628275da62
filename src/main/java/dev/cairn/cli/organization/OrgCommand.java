package dev.cairn.cli.organization;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandGroup;
import dev.cairn.cli.output.Details;
import dev.cairn.cli.output.Output;
import dev.cairn.cli.output.Table;
import dev.cairn.client.NewOrganization;
import dev.cairn.client.Organization;
import dev.cairn.client.OrganizationChange;
import dev.cairn.client.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group {@code org}. */
@Command(
    name = "org",
    description = {
      "List, create and change organizations.",
      "An organization owns repositories, and its members have roles there. Members are managed"
          + " with 'cairn member'."
    },
    subcommands = {
      OrgCommand.ListCommand.class,
      OrgCommand.Get.class,
      OrgCommand.Create.class,
      OrgCommand.Edit.class,
      OrgCommand.Rename.class,
      OrgCommand.Archive.class,
      OrgCommand.Unarchive.class,
      AuditCommand.class
    },
    footer = {"cairn org list", "cairn org create garden --display-name 'The garden'"})
public final class OrgCommand extends CommandGroup {
  private static void show(Output output, Organization organization) {
    var details =
        new Details()
            .add("Name", organization.name())
            .add("Display name", organization.displayName())
            .add("Description", organization.description())
            .add("Your role", organization.role())
            .time("Created", organization.createdAt())
            .time("Archived", organization.archivedAt());
    var usage = organization.usage();
    if (usage != null) {
      details
          .add("Repositories", amount(usage.repositories()))
          .add("Members", amount(usage.members()))
          .add("Components", amount(usage.components()))
          .add("Bytes", amount(usage.bytes()))
          .add("Export bytes", amount(usage.exportBytes()))
          .add("Most subscriptions", inOneRepository(usage.subscriptions()))
          .add("Most exports", inOneRepository(usage.exports()));
    }
    output.details(organization, details);
  }

  private static String inOneRepository(Usage usage) {
    return amount(usage) + " in one repository";
  }

  private static String amount(Usage usage) {
    return usage.limit() == null
        ? Long.toString(usage.used())
        : usage.used() + " of " + usage.limit();
  }

  /** {@code org list}. */
  @Command(
      name = "list",
      description = {
        "List your organizations.",
        "With a token that is narrowed by scopes, only those for which it has org:read."
      },
      footer = {"cairn org list", "cairn org list --jsonl | jq -r .name"})
  static final class ListCommand extends CliCommand {
    @Override
    protected void run() {
      var table =
          new Table<Organization>()
              .text("NAME", Organization::name)
              .text("DISPLAY NAME", Organization::displayName)
              .text("ROLE", Organization::role)
              .time("CREATED", Organization::createdAt)
              .time("ARCHIVED", Organization::archivedAt);
      output()
          .list(table, client().organizations().listOrganizations(), "You are in no organization.");
    }
  }

  /** {@code org get}. */
  @Command(
      name = "get",
      description = {
        "Show an organization.",
        "Members also see how much of its quotas is used, if their token can read everything in it."
      },
      footer = {"cairn org get garden"})
  static final class Get extends OrgCall {
    @Override
    protected void run() {
      show(output(), organization().getOrganization());
    }
  }

  /** {@code org create}. */
  @Command(
      name = "create",
      description = {
        "Create an organization, whose owner you become.",
        "Names are in lower case. A token that is narrowed by scopes may not create one."
      },
      footer = {"cairn org create garden --display-name 'The garden'"})
  static final class Create extends CliCommand {
    @Parameters(paramLabel = "<org>", description = "Its name, in lower case.")
    private String name;

    @Option(names = "--display-name", paramLabel = "<text>", description = "A name for people.")
    private String displayName;

    @Option(names = "--description", paramLabel = "<text>", description = "What it is for.")
    private String description;

    @Override
    protected void run() {
      var request = new NewOrganization(name, displayName, description);
      var created = client().organizations().createOrganization(request);
      output().done(created, "Created the organization " + created.name() + ".");
    }
  }

  /** {@code org edit}. */
  @Command(
      name = "edit",
      description = {
        "Change the display name or description of an organization.",
        "What is not given stays. It takes org:configure."
      },
      footer = {"cairn org edit garden --description 'Plants, sensors and readings'"})
  static final class Edit extends OrgCall {
    @Option(names = "--display-name", paramLabel = "<text>", description = "A name for people.")
    private String displayName;

    @Option(names = "--description", paramLabel = "<text>", description = "What it is for.")
    private String description;

    @Override
    protected void run() {
      if (displayName == null && description == null) {
        throw usage("Nothing to change: give --display-name or --description.");
      }
      var change = new OrganizationChange(null, displayName, description, null);
      change(change, "Changed the organization %s.".formatted(name()));
    }
  }

  /** {@code org rename}. */
  @Command(
      name = "rename",
      description = {
        "Rename an organization.",
        "The former name no longer works, neither for its repositories. It takes org:admin."
      },
      footer = {"cairn org rename garden gardens"})
  static final class Rename extends OrgCall {
    @Parameters(index = "1", paramLabel = "<new-name>", description = "Its new name.")
    private String newName;

    @Override
    protected void run() {
      var change = new OrganizationChange(newName, null, null, null);
      change(change, "Renamed the organization %s to %s.".formatted(name(), newName));
    }
  }

  /** {@code org archive}. */
  @Command(
      name = "archive",
      description = {
        "Archive an organization with all its repositories.",
        "They can be read, and take no writes until 'cairn org unarchive'. It takes org:admin."
      },
      footer = {"cairn org archive garden"})
  static final class Archive extends OrgCall {
    @Override
    protected void run() {
      var change = new OrganizationChange(null, null, null, true);
      change(change, "Archived the organization %s.".formatted(name()));
    }
  }

  /** {@code org unarchive}. */
  @Command(
      name = "unarchive",
      description = "Unarchive an organization; it takes writes again.",
      footer = {"cairn org unarchive garden"})
  static final class Unarchive extends OrgCall {
    @Override
    protected void run() {
      var change = new OrganizationChange(null, null, null, false);
      change(change, "The organization %s takes writes again.".formatted(name()));
    }
  }
}
