package dev.cairn.cli;

import dev.cairn.cli.account.CompletionCommand;
import dev.cairn.cli.account.DoctorCommand;
import dev.cairn.cli.account.LoginCommand;
import dev.cairn.cli.account.LogoutCommand;
import dev.cairn.cli.account.OpenCommand;
import dev.cairn.cli.account.ProfileCommand;
import dev.cairn.cli.account.UseCommand;
import dev.cairn.cli.account.WhoamiCommand;
import dev.cairn.cli.bulk.ExportCommand;
import dev.cairn.cli.bulk.ImportCommand;
import dev.cairn.cli.component.ComponentCommand;
import dev.cairn.cli.content.CommitCommand;
import dev.cairn.cli.content.DiffCommand;
import dev.cairn.cli.content.ShapeCommand;
import dev.cairn.cli.content.ThingCommand;
import dev.cairn.cli.credential.CredentialCommand;
import dev.cairn.cli.credential.TokenCommand;
import dev.cairn.cli.organization.MemberCommand;
import dev.cairn.cli.organization.OrgCommand;
import dev.cairn.cli.repository.RepoCommand;
import dev.cairn.cli.repository.VerifyCommand;
import dev.cairn.cli.subscription.RunCommand;
import dev.cairn.cli.subscription.SubCommand;
import java.util.List;
import java.util.stream.Stream;

/**
 * The commands of the first level, in the order of {@code cairn help}. A class is only loaded when
 * its command is called or its help is shown, so the start of {@code cairn} does not grow with the
 * number of commands.
 */
enum CommandIndex {
  START("Start here", "login", "use", "whoami"),
  READ("Read", "thing", "shape", "diff"),
  WRITE("Write", "commit"),
  MANAGE("Manage", "org", "member", "repo", "token", "credential", "component"),
  REACT("React to commits", "sub", "run"),
  KEEP("Export and verify", "export", "import", "verify"),
  MACHINE("This machine", "profile", "doctor", "open", "completion", "logout", "help");

  private final String title;

  /** With blanks in between: what an enum has cannot change. */
  private final String names;

  CommandIndex(String title, String... names) {
    this.title = title;
    this.names = String.join(" ", names);
  }

  /** The heading in the help. */
  String title() {
    return title;
  }

  /** The names of its commands. */
  List<String> names() {
    return names.isEmpty() ? List.of() : List.of(names.split(" ", -1));
  }

  /** The names of all commands. */
  static Stream<String> all() {
    return Stream.of(values()).flatMap(section -> section.names().stream());
  }

  /**
   * The class of a command.
   *
   * @return null if there is no command of this name
   */
  static Class<?> type(String name) {
    return switch (name) {
      case "commit" -> CommitCommand.class;
      case "completion" -> CompletionCommand.class;
      case "diff" -> DiffCommand.class;
      case "doctor" -> DoctorCommand.class;
      case "login" -> LoginCommand.class;
      case "logout" -> LogoutCommand.class;
      case "open" -> OpenCommand.class;
      case "profile" -> ProfileCommand.class;
      case "shape" -> ShapeCommand.class;
      case "thing" -> ThingCommand.class;
      case "use" -> UseCommand.class;
      case "whoami" -> WhoamiCommand.class;
      case "org" -> OrgCommand.class;
      case "member" -> MemberCommand.class;
      case "repo" -> RepoCommand.class;
      case "token" -> TokenCommand.class;
      case "credential" -> CredentialCommand.class;
      case "component" -> ComponentCommand.class;
      case "sub" -> SubCommand.class;
      case "run" -> RunCommand.class;
      case "verify" -> VerifyCommand.class;
      case "export" -> ExportCommand.class;
      case "import" -> ImportCommand.class;
      case "help" -> HelpCommand.class;
      default -> null;
    };
  }
}
