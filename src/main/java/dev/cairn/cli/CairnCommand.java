package dev.cairn.cli;

import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.Errors;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.command.GlobalOptions;
import dev.cairn.cli.command.RootCommand;
import dev.cairn.cli.output.Output;
import dev.cairn.cli.output.OutputFailure;
import dev.cairn.cli.output.ProcessContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** The command {@code cairn}, of which all others are subcommands. */
@Command(name = "cairn", description = "Works with the repositories of a Cairn server.")
public final class CairnCommand implements RootCommand, Callable<Integer> {
  private final ProcessContext context;

  @Mixin private GlobalOptions globals;

  @Option(
      names = {"-V", "--version"},
      description = "Show the version of cairn.")
  private boolean version;

  private Output output;

  CairnCommand(ProcessContext context) {
    this.context = context;
  }

  /**
   * Runs a command.
   *
   * @return the exit code of the process: {@code docs/cli.md}, Errors and exit codes
   */
  public static int run(String... args) {
    return run(ProcessContext.ofProcess(), args);
  }

  /** Runs a command with what a process, or a test, was given. */
  static int run(ProcessContext context, String... args) {
    if (args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"))) {
      return showVersion(context);
    }
    var command = new CairnCommand(context);
    return command.finish(command.execute(args));
  }

  private int execute(String... args) {
    try {
      var commandLine = new CommandLine(this);
      CommandLookup.register(commandLine, args);
      return configured(commandLine).execute(args);
    } catch (CommandFailure e) {
      return report(e);
    }
  }

  private static int showVersion(ProcessContext context) {
    try {
      context.out().write(("cairn " + Version.current() + "\n").getBytes(StandardCharsets.UTF_8));
      return ExitCode.OK.code();
    } catch (IOException e) {
      return ExitCode.FAILED.code();
    }
  }

  /** What is set here holds for the subcommands that are registered already. */
  private CommandLine configured(CommandLine commandLine) {
    return commandLine
        // An @ before a value is for commands: it means a file with the value.
        .setExpandAtFiles(false)
        .setParameterExceptionHandler((e, args) -> report(e))
        .setExecutionExceptionHandler((e, line, result) -> report(e))
        .setExecutionStrategy(this::carryOut);
  }

  private int carryOut(ParseResult parsed) {
    if (globals.asksForHelp()) {
      var called = parsed.asCommandLineList().getLast();
      output().help(HelpText.of(called, context, output().isColored()));
      return ExitCode.OK.code();
    }
    return new RunLast().execute(parsed);
  }

  private int report(Exception failure) {
    var report = Errors.report(failure, context);
    if (report.sentence() != null) {
      output().error(report.sentence(), report.more(), report.tries());
    }
    return report.exitCode().code();
  }

  /** Writes what is buffered; that can fail where the command has not. */
  private int finish(int code) {
    if (output == null) {
      return code;
    }
    try {
      output.flush();
      return code;
    } catch (OutputFailure e) {
      return code == ExitCode.OK.code() ? report(e) : code;
    }
  }

  /** Without a command: the version if it was asked for, otherwise the help. */
  @Override
  public Integer call() {
    if (version) {
      return showVersion(context);
    }
    throw new CommandFailure(ExitCode.USAGE, "A command is needed.", "cairn help");
  }

  @Override
  public CommandLine allCommands() {
    var commandLine = new CommandLine(new CairnCommand(context));
    CommandLookup.registerAll(commandLine);
    return commandLine;
  }

  @Override
  public ProcessContext context() {
    return context;
  }

  @Override
  public GlobalOptions globals() {
    return globals;
  }

  @Override
  public Output output() {
    if (output == null) {
      output = globals.output(context);
    }
    return output;
  }
}
