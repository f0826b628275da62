package dev.cairn.cli.command;

import dev.cairn.cli.output.Format;
import dev.cairn.cli.output.Output;
import dev.cairn.cli.output.ProcessContext;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The options of every command. They may stand before or after its name. No option has a secret:
 * every user of a machine can see the arguments of a process.
 */
public final class GlobalOptions {
  @Option(
      names = "--server",
      paramLabel = "<url>",
      scope = ScopeType.INHERIT,
      description = "The server. Otherwise $$CAIRN_SERVER, the profile, http://localhost:8080.")
  private String server;

  @Option(
      names = "--profile",
      paramLabel = "<name>",
      scope = ScopeType.INHERIT,
      description = "The profile. Otherwise $$CAIRN_PROFILE, or the one in use.")
  private String profile;

  @Option(
      names = {"-R", "--repo"},
      paramLabel = "<org/repo>",
      scope = ScopeType.INHERIT,
      description = "The repository. Otherwise $$CAIRN_REPO, or that of 'cairn use'.")
  private String repository;

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "Write the API's answer as one JSON document.")
  private boolean json;

  @Option(
      names = "--jsonl",
      scope = ScopeType.INHERIT,
      description = "Write one JSON item a line, as they come.")
  private boolean jsonLines;

  @Option(
      names = "--no-color",
      scope = ScopeType.INHERIT,
      description = "No colours; the same as a value in $$NO_COLOR.")
  private boolean colorless;

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description = "No messages and no progress, only results and errors.")
  private boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Show the requests, without secrets.")
  private boolean verbose;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show the help of the command.")
  private boolean help;

  /** What a command writes to, as the options say. */
  public Output output(ProcessContext context) {
    var format = json ? Format.JSON : jsonLines ? Format.JSON_LINES : Format.TEXT;
    return new Output(context, format, !colorless, quiet);
  }

  /**
   * Refuses options that contradict each other.
   *
   * @throws CommandFailure if there are some
   */
  void check() {
    if (json && jsonLines) {
      throw new CommandFailure(
          ExitCode.USAGE, "--json and --jsonl exclude each other: choose one of them.");
    }
  }

  /** Whether the help is to be shown, and nothing else done. */
  public boolean asksForHelp() {
    return help;
  }

  /** The server, or null. */
  String server() {
    return server;
  }

  /** The profile, or null. */
  String profile() {
    return profile;
  }

  /** The repository, or null. */
  String repository() {
    return repository;
  }

  /** Whether requests are shown. */
  boolean isVerbose() {
    return verbose;
  }
}
