package dev.cairn.cli;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows the help of a command, as {@code --help} after its name does. */
@Command(
    name = "help",
    description = "Show all commands, or explain one.",
    footer = {"cairn help", "cairn help thing list"})
final class HelpCommand extends CliCommand {
  @Parameters(arity = "0..*", paramLabel = "<command>", description = "The words of its name.")
  private List<String> words = new ArrayList<>();

  @Override
  protected void run() {
    var root = spec().root().commandLine();
    CommandLookup.register(root, words.toArray(String[]::new));
    var found = root;
    for (var word : words) {
      found = below(found, word);
    }
    output().help(HelpText.of(found, context(), output().isColored()));
  }

  private static CommandLine below(CommandLine commandLine, String word) {
    var found = commandLine.getSubcommands().get(word);
    if (found == null) {
      var name = commandLine.getCommandSpec().qualifiedName();
      throw new CommandFailure(
          ExitCode.USAGE, "'%s' is not a command of '%s'.".formatted(word, name), name + " --help");
    }
    return found;
  }
}
