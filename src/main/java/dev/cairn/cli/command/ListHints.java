package dev.cairn.cli.command;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The hints of the service that name the request for a list, and the commands that send these
 * requests: {@code docs/errors.md}, Reasons.
 */
final class ListHints {
  private static final Pattern HINT =
      Pattern.compile("`(GET /[a-z/-]+)`, or `[a-z_]+` over MCP, lists those that exist\\.");

  private static final Map<String, String> COMMANDS =
      Map.of(
          "GET /actions/runs", "cairn run list",
          "GET /commits", "cairn commit log",
          "GET /credential-sets", "cairn credential list",
          "GET /subs", "cairn sub list");

  private ListHints() {}

  /** The command to try instead of the request that a hint names; empty for any other hint. */
  static Optional<String> command(String hint) {
    var matcher = HINT.matcher(hint);
    return matcher.matches()
        ? Optional.ofNullable(COMMANDS.get(matcher.group(1)))
        : Optional.empty();
  }
}
