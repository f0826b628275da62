package dev.cairn.cli;

import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import java.util.Comparator;
import java.util.Locale;
import picocli.CommandLine;

/**
 * Registers the one command that a command line names. All others would cost their classes at each
 * start.
 */
final class CommandLookup {
  private static final int MAX_MISTAKES = 2;

  private CommandLookup() {}

  /**
   * Registers the command that the arguments name, if they name one.
   *
   * @throws CommandFailure if there is no such command
   */
  static void register(CommandLine root, String... args) {
    var name = commandName(root, args);
    if (name == null || root.getSubcommands().containsKey(name)) {
      return;
    }
    var type = CommandIndex.type(name);
    if (type == null) {
      throw unknown(name);
    }
    root.addSubcommand(name, type);
  }

  /** Registers all commands, for the documentation and for completion. */
  static void registerAll(CommandLine root) {
    CommandIndex.all().forEach(name -> root.addSubcommand(name, CommandIndex.type(name)));
  }

  /** The first argument that is neither an option nor its value. */
  private static String commandName(CommandLine root, String... args) {
    var options = root.getCommandSpec().optionsMap();
    for (int i = 0; i < args.length; i++) {
      if (!args[i].startsWith("-")) {
        return args[i];
      }
      var option = options.get(args[i]);
      if (option != null && option.arity().min() > 0) {
        i++;
      }
    }
    return null;
  }

  /** Says that there is no such command, and which one was probably meant. */
  static CommandFailure unknown(String name) {
    var lower = name.toLowerCase(Locale.ROOT);
    var similar =
        CommandIndex.all()
            .filter(known -> known.startsWith(lower) || mistakes(lower, known) <= MAX_MISTAKES)
            .min(Comparator.comparingInt(known -> mistakes(lower, known)));
    var question = similar.map(known -> " Did you mean '" + known + "'?").orElse("");
    return new CommandFailure(
        ExitCode.USAGE, "There is no command '%s'.%s".formatted(name, question), "cairn help");
  }

  /** The Levenshtein distance. */
  private static int mistakes(String one, String other) {
    var previous = new int[other.length() + 1];
    for (int j = 0; j < previous.length; j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      var row = new int[other.length() + 1];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int changed = previous[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(changed, Math.min(previous[j], row[j - 1]) + 1);
      }
      previous = row;
    }
    return previous[other.length()];
  }
}
