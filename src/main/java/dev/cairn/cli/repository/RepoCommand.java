package dev.cairn.cli.repository;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandGroup;
import dev.cairn.cli.command.Confirmation;
import dev.cairn.cli.command.Done;
import dev.cairn.cli.command.OrganizationOption;
import dev.cairn.cli.command.RepositoryName;
import dev.cairn.cli.output.Details;
import dev.cairn.cli.output.Table;
import dev.cairn.client.NewRepository;
import dev.cairn.client.Repository;
import dev.cairn.client.RepositoryChange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group {@code repo}. */
@Command(
    name = "repo",
    description = {
      "List, create and change repositories.",
      "Choose the one that other commands work with by 'cairn use <org/repo>'."
    },
    subcommands = {
      RepoCommand.ListCommand.class,
      RepoCommand.Get.class,
      RepoCommand.Create.class,
      RepoCommand.Edit.class,
      RepoCommand.Rename.class,
      RepoCommand.Visibility.class,
      SettingsCommand.class,
      RepoCommand.Archive.class,
      RepoCommand.Unarchive.class,
      RepoCommand.Delete.class
    },
    footer = {"cairn repo list --org garden", "cairn repo create garden/greenhouse"})
public final class RepoCommand extends CommandGroup {

  /** {@code repo list}. */
  @Command(
      name = "list",
      description = {
        "List the repositories of an organization.",
        "The public ones, and the private ones that your role and token allow you to read."
      },
      footer = {"cairn repo list --org garden", "cairn repo list --jsonl | jq -r .name"})
  static final class ListCommand extends CliCommand {
    @Mixin private OrganizationOption organization;

    @Override
    protected void run() {
      var table =
          new Table<Repository>()
              .text("NAME", Repository::name)
              .text("VISIBILITY", Repository::visibility)
              .number("SEQ", Repository::repoSeq)
              .time("UPDATED", Repository::updatedAt)
              .time("ARCHIVED", Repository::archivedAt)
              .text("DESCRIPTION", Repository::description);
      var name = organization.name(settings());
      var repositories = client().organization(name).listRepositories();
      output().list(table, repositories, "No repositories in " + name + ".");
    }
  }

  /** {@code repo get}. */
  @Command(
      name = "get",
      description = "Show a repository; without a name the one in use.",
      footer = {"cairn repo get garden/greenhouse", "cairn repo get --json"})
  static final class Get extends CliCommand {
    @Parameters(arity = "0..1", paramLabel = "<org/repo>", description = "The repository.")
    private String name;

    @Override
    protected void run() {
      var chosen = name == null ? settings().repository() : RepositoryName.parse(name);
      var repository = client().repository(chosen.org(), chosen.repo()).getRepository();
      output()
          .details(
              repository,
              new Details()
                  .add("Name", repository.orgName() + "/" + repository.name())
                  .add("Description", repository.description())
                  .add("Visibility", repository.visibility())
                  .add("Commits", repository.repoSeq())
                  .time("Created", repository.createdAt())
                  .time("Updated", repository.updatedAt())
                  .time("Archived", repository.archivedAt()));
    }
  }

  /** {@code repo create}. */
  @Command(
      name = "create",
      description = {
        "Create a repository.",
        "It is private unless you say otherwise, and has only the built-in shapes. It takes"
            + " org:configure."
      },
      footer = {
        "cairn repo create garden/greenhouse --description 'Sensors of the greenhouse'",
        "cairn repo create garden/catalogue --public"
      })
  static final class Create extends CliCommand {
    @Mixin private RepositoryParameter repository;

    @Option(names = "--description", paramLabel = "<text>", description = "What it is for.")
    private String description;

    @Option(names = "--public", description = "Everybody may read it.")
    private boolean isPublic;

    @Override
    protected void run() {
      var name = repository.name();
      var request = new NewRepository(name.repo(), description, isPublic ? "public" : null);
      output()
          .done(
              client().organization(name.org()).createRepository(request),
              "Created %s. 'cairn use %s' chooses it.".formatted(name, name));
    }
  }

  /** A command that changes one repository. */
  @Command
  abstract static class Change extends CliCommand {
    @Mixin RepositoryParameter repository;

    final void change(RepositoryChange change, String sentence) {
      var name = repository.name();
      var changed = client().repository(name.org(), name.repo()).updateRepository(change);
      output().done(changed, sentence.formatted(name));
    }
  }

  /** {@code repo edit}. */
  @Command(
      name = "edit",
      description = "Change the description of a repository.",
      footer = {"cairn repo edit garden/greenhouse --description 'Sensors and readings'"})
  static final class Edit extends Change {
    @Option(
        names = "--description",
        required = true,
        paramLabel = "<text>",
        description = "What it is for.")
    private String description;

    @Override
    protected void run() {
      change(new RepositoryChange(null, description, null, null, null), "Changed %s.");
    }
  }

  /** {@code repo rename}. */
  @Command(
      name = "rename",
      description = {
        "Rename a repository within its organization.",
        "The former name no longer works. It takes repo:admin."
      },
      footer = {"cairn repo rename garden/greenhouse glasshouse"})
  static final class Rename extends Change {
    @Parameters(
        index = "1",
        paramLabel = "<new-name>",
        description = "Its new name, without the organization.")
    private String newName;

    @Override
    protected void run() {
      change(
          new RepositoryChange(newName, null, null, null, null),
          "Renamed %s to " + newName.replace("%", "%%") + ".");
    }
  }

  /** {@code repo visibility}. */
  @Command(
      name = "visibility",
      description = {
        "Make a repository public or private.",
        "Everybody may read a public one, with its whole history, without an account. It takes"
            + " repo:admin."
      },
      footer = {
        "cairn repo visibility garden/catalogue public",
        "cairn repo visibility garden/catalogue private"
      })
  static final class Visibility extends Change {
    @Parameters(index = "1", paramLabel = "<visibility>", description = "public or private.")
    private String visibility;

    @Mixin private Confirmation confirmation;

    @Override
    protected void run() {
      if (visibility.equals("public")) {
        confirm(
            confirmation,
            "Let everybody read %s, with its whole history?".formatted(repository.name()));
      } else if (!visibility.equals("private")) {
        throw usage("<visibility> is public or private, and was '%s'.".formatted(visibility));
      }
      change(
          new RepositoryChange(null, null, visibility, null, null),
          "%s is " + visibility + " now.");
    }
  }

  /** {@code repo archive}. */
  @Command(
      name = "archive",
      description = {
        "Archive a repository: it can be read, and takes no writes.",
        "'cairn repo unarchive' ends that. It takes repo:admin."
      },
      footer = {"cairn repo archive garden/greenhouse"})
  static final class Archive extends Change {
    @Override
    protected void run() {
      change(new RepositoryChange(null, null, null, true, null), "Archived %s.");
    }
  }

  /** {@code repo unarchive}. */
  @Command(
      name = "unarchive",
      description = "Unarchive a repository; it takes writes again.",
      footer = {"cairn repo unarchive garden/greenhouse"})
  static final class Unarchive extends Change {
    @Override
    protected void run() {
      change(new RepositoryChange(null, null, null, false, null), "%s takes writes again.");
    }
  }

  /** {@code repo delete}. */
  @Command(
      name = "delete",
      description = {
        "Delete a repository with its content and its whole history.",
        "This cannot be undone. An archived one must be unarchived first. It takes repo:admin."
      },
      footer = {"cairn repo delete garden/greenhouse", "cairn repo delete garden/greenhouse --yes"})
  static final class Delete extends CliCommand {
    @Mixin private RepositoryParameter repository;
    @Mixin private Confirmation confirmation;

    @Override
    protected void run() {
      var name = repository.name();
      confirm(confirmation, "Delete %s with its whole history?".formatted(name));
      client().repository(name.org(), name.repo()).deleteRepository();
      output().done(Done.ok(), "Deleted %s.".formatted(name));
    }
  }
}
