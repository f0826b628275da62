package dev.cairn.cli.component;

import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;

/**
 * The full name of a component.
 *
 * @param org the organization that has registered it
 * @param name its name there
 */
record ComponentName(String org, String name) {
  /**
   * Reads {@code org/name}.
   *
   * @throws CommandFailure if it is not such a name
   */
  static ComponentName parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 1 || slash != text.lastIndexOf('/') || slash == text.length() - 1) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "'%s' is not a component: expected org/name, such as garden/frost-guard.".formatted(text),
          "cairn component list --org <org>");
    }
    return new ComponentName(text.substring(0, slash), text.substring(slash + 1));
  }

  /** {@code org/name}. */
  @Override
  public String toString() {
    return org + "/" + name;
  }
}
