package dev.cairn.cli.organization;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.CommandGroup;
import dev.cairn.cli.command.Confirmation;
import dev.cairn.cli.command.Done;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.command.OrganizationOption;
import dev.cairn.cli.output.Style;
import dev.cairn.cli.output.Table;
import dev.cairn.client.Member;
import dev.cairn.client.NewRole;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group {@code member}. */
@Command(
    name = "member",
    description = {
      "List, invite and remove the members of an organization.",
      "A role includes the ones before it: viewer, editor, admin, owner."
    },
    subcommands = {
      MemberCommand.ListCommand.class,
      MemberCommand.Add.class,
      MemberCommand.SetRole.class,
      MemberCommand.Remove.class,
      MemberCommand.Leave.class
    },
    footer = {
      "cairn member list --org garden",
      "cairn member add botanist@example.org --role editor --org garden"
    })
public final class MemberCommand extends CommandGroup {
  /** {@code member list}. */
  @Command(
      name = "list",
      description = "List the members of an organization, and the invitations.",
      footer = {"cairn member list --org garden"})
  static final class ListCommand extends CliCommand {
    @Mixin private OrganizationOption organization;

    @Override
    protected void run() {
      var table =
          new Table<Member>()
              .text("E-MAIL", Member::email)
              .text("NAME", Member::displayName)
              .text("ROLE", Member::role)
              .text(
                  "STATE",
                  ListCommand::state,
                  member -> member.pending() == null ? null : Style.YELLOW)
              .time("SINCE", Member::createdAt);
      var members = client().organization(organization.name(settings())).listMembers();
      output().list(table, members, "No members.");
    }

    private static String state(Member member) {
      return member.pending() == null ? "member" : "invited";
    }
  }

  /** {@code member add}. */
  @Command(
      name = "add",
      description = {
        "Add a member, or invite an address that has no account yet.",
        "Nothing is sent: tell the person yourself. The membership begins when the address signs"
            + " up. It takes org:configure, and for owners org:admin."
      },
      footer = {"cairn member add botanist@example.org --role editor --org garden"})
  static final class Add extends CliCommand {
    @Parameters(paramLabel = "<e-mail>", description = "The address of the account.")
    private String email;

    @Option(
        names = "--role",
        required = true,
        paramLabel = "<role>",
        description = "viewer, editor, admin or owner.")
    private String role;

    @Mixin private OrganizationOption organization;

    @Override
    protected void run() {
      var name = organization.name(settings());
      var member = client().organization(name).setMember(email, new NewRole(role));
      output()
          .done(
              member,
              member.pending() == null
                  ? "%s is %s of %s.".formatted(email, role, name)
                  : "Invited %s as %s of %s: the membership begins when that address signs up."
                      .formatted(email, role, name));
    }
  }

  /** {@code member set-role}. */
  @Command(
      name = "set-role",
      description = {
        "Change the role of a member, or of an invitation.",
        "Only owners may change owners, and the last owner stays one."
      },
      footer = {"cairn member set-role botanist@example.org admin --org garden"})
  static final class SetRole extends CliCommand {
    @Parameters(index = "0", paramLabel = "<e-mail>", description = "The address of the member.")
    private String email;

    @Parameters(index = "1", paramLabel = "<role>", description = "viewer, editor, admin or owner.")
    private String role;

    @Mixin private OrganizationOption organization;

    @Override
    protected void run() {
      var name = organization.name(settings());
      var members = client().organization(name);
      try (var all = members.listMembers()) {
        if (all.noneMatch(member -> member.email().equalsIgnoreCase(email))) {
          throw new CommandFailure(
              ExitCode.NOT_FOUND,
              "%s has no member and no invitation %s.".formatted(name, email),
              "cairn member add %s --role %s --org %s".formatted(email, role, name));
        }
      }
      output()
          .done(
              members.setMember(email, new NewRole(role)),
              "%s is %s of %s now.".formatted(email, role, name));
    }
  }

  /** {@code member remove}. */
  @Command(
      name = "remove",
      description = {
        "Remove a member, or withdraw an invitation.",
        "Subscriptions that act for the account are paused if it loses access to what they watch."
      },
      footer = {"cairn member remove botanist@example.org --org garden"})
  static final class Remove extends CliCommand {
    @Parameters(paramLabel = "<e-mail>", description = "The address of the member.")
    private String email;

    @Mixin private OrganizationOption organization;
    @Mixin private Confirmation confirmation;

    @Override
    protected void run() {
      var name = organization.name(settings());
      confirm(confirmation, "Remove %s from %s?".formatted(email, name));
      client().organization(name).removeMember(email);
      output().done(Done.ok(), "Removed %s from %s.".formatted(email, name));
    }
  }

  /** {@code member leave}. */
  @Command(
      name = "leave",
      description = {
        "End your own membership of an organization.",
        "Only somebody else can let you in again. The last owner cannot leave."
      },
      footer = {"cairn member leave --org garden"})
  static final class Leave extends CliCommand {
    @Option(
        names = {"-o", "--org"},
        required = true,
        paramLabel = "<org>",
        description = "The organization.")
    private String name;

    @Mixin private Confirmation confirmation;

    @Override
    protected void run() {
      confirm(confirmation, "Leave the organization %s?".formatted(name));
      var account = client().account().whoami().account();
      if (account == null) {
        throw new CommandFailure(ExitCode.UNAUTHENTICATED, "Nobody is signed in.", "cairn login");
      }
      client().organization(name).removeMember(account.email());
      output().done(Done.ok(), "You have left " + name + ".");
    }
  }
}
