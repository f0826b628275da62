package dev.cairn.cli.credential;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandGroup;
import dev.cairn.cli.command.Confirmation;
import dev.cairn.cli.command.Done;
import dev.cairn.cli.output.Style;
import dev.cairn.cli.output.Table;
import dev.cairn.client.Binding;
import dev.cairn.client.CredentialSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group {@code credential}. */
@Command(
    name = "credential",
    description = {
      "Manage credential sets: the secrets of webhooks and commands.",
      "A set belongs to a repository, or to an organization (--org) and all its repositories."
          + " Values can be written and never read."
    },
    subcommands = {
      CredentialCommand.ListCommand.class,
      CredentialCommand.Get.class,
      SetCommand.class,
      CredentialCommand.Bind.class,
      CredentialCommand.Unbind.class,
      CredentialCommand.Revoke.class,
      CredentialCommand.Delete.class
    },
    footer = {
      "cairn credential list",
      "cairn credential set hooks --value WEBHOOK_BEARER_TOKEN",
      "cairn credential bind hooks sensors/changed"
    })
public final class CredentialCommand extends CommandGroup {

  /** {@code credential list}. */
  @Command(
      name = "list",
      description = "List the credential sets of the repository or an organization.",
      footer = {"cairn credential list", "cairn credential list --org garden"})
  static final class ListCommand extends CredentialCall {
    @Override
    protected void run() {
      var table =
          new Table<CredentialSet>()
              .text("NAME", CredentialSet::name)
              .text("STATE", ListCommand::state, set -> set.revokedAt() == null ? null : Style.RED)
              .text("KEYS", set -> String.join(", ", set.keyNames()))
              .time("UPDATED", CredentialSet::updatedAt)
              .text("DESCRIPTION", CredentialSet::description);
      output().array(table, sets().listCredentialSets().stream(), "No credential sets.");
    }

    private static String state(CredentialSet set) {
      return set.revokedAt() == null ? "usable" : "revoked";
    }
  }

  /** {@code credential get}. */
  @Command(
      name = "get",
      description = "Show a credential set: everything except its values.",
      footer = {"cairn credential get hooks"})
  static final class Get extends CredentialCall {
    @Parameters(paramLabel = "<set>", description = "The credential set.")
    private String name;

    @Override
    protected void run() {
      show(sets().getCredentialSet(name));
    }
  }

  /** {@code credential bind}. */
  @Command(
      name = "bind",
      description = {
        "Bind a credential set to a subscription.",
        "Its calls then carry the secrets of the set, and the subscription acts for you. With"
            + " --if-match nobody can change in between where the secrets go."
      },
      footer = {
        "cairn credential bind hooks sensors/changed",
        "cairn credential bind hooks sensors/changed \\",
        "  --if-match \"$(cairn sub get sensors/changed --json | jq -r .etag)\""
      })
  static final class Bind extends CliCommand {
    @Parameters(index = "0", paramLabel = "<set>", description = "The credential set.")
    private String set;

    @Parameters(index = "1", paramLabel = "<subscription>", description = "The subscription.")
    private String subscription;

    @Option(
        names = "--if-match",
        paramLabel = "<etag>",
        description = "Only if the subscription still has this ETag.")
    private String etag;

    @Override
    protected void run() {
      var subscriptions = repository().subscriptions();
      var bound = subscriptions.bindCredentials(subscription, new Binding(set), etag);
      output().done(bound, "Bound %s to %s.".formatted(set, subscription));
    }
  }

  /** {@code credential unbind}. */
  @Command(
      name = "unbind",
      description = "Unbind a subscription: its calls carry no secrets then.",
      footer = {"cairn credential unbind sensors/changed"})
  static final class Unbind extends CliCommand {
    @Parameters(paramLabel = "<subscription>", description = "The subscription.")
    private String subscription;

    @Option(
        names = "--if-match",
        paramLabel = "<etag>",
        description = "Only if the subscription still has this ETag.")
    private String etag;

    @Override
    protected void run() {
      output()
          .done(
              repository().subscriptions().unbindCredentials(subscription, etag),
              "%s has no credential set now.".formatted(subscription));
    }
  }

  /** {@code credential revoke}. */
  @Command(
      name = "revoke",
      description = {
        "Revoke a credential set: it can no longer be used.",
        "It stays in the list. Runs that need it end with CREDENTIALS_UNAVAILABLE. To use the name"
            + " again, delete the set and create it anew."
      },
      footer = {"cairn credential revoke hooks --yes"})
  static final class Revoke extends CredentialCall {
    @Parameters(paramLabel = "<set>", description = "The credential set.")
    private String name;

    @Mixin private Confirmation confirmation;

    @Override
    protected void run() {
      confirm(confirmation, "Revoke the credential set %s?".formatted(name));
      output().done(sets().revokeCredentialSet(name), "Revoked " + name + ".");
    }
  }

  /** {@code credential delete}. */
  @Command(
      name = "delete",
      description = {
        "Delete a credential set with its values.",
        "What is bound to its name then uses the organization's set of that name, and sends nothing"
            + " if there is none."
      },
      footer = {"cairn credential delete hooks --yes"})
  static final class Delete extends CredentialCall {
    @Parameters(paramLabel = "<set>", description = "The credential set.")
    private String name;

    @Mixin private Confirmation confirmation;

    @Override
    protected void run() {
      confirm(confirmation, "Delete the credential set %s?".formatted(name));
      sets().deleteCredentialSet(name);
      output().done(Done.ok(), "Deleted " + name + ".");
    }
  }
}
