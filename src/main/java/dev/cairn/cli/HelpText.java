package dev.cairn.cli;

import dev.cairn.cli.output.ProcessContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The help of every command: what it does, how it is called, its own options, examples. The options
 * that all commands have are only explained by {@code cairn help}.
 */
final class HelpText {
  private static final int MIN_COLUMNS = 60;
  private static final int MAX_COLUMNS = 110;

  private static final Map<String, IHelpSectionRenderer> SECTIONS =
      Map.of(
          "description", HelpText::description,
          "usage", HelpText::usage,
          "commands", HelpText::commands,
          "parameters", HelpText::parameters,
          "options", HelpText::options,
          "examples", HelpText::examples,
          "more", HelpText::more);

  private static final List<String> ORDER =
      List.of("description", "usage", "commands", "parameters", "options", "examples", "more");

  private HelpText() {}

  /** The help of a command. */
  static String of(CommandLine commandLine, ProcessContext context, boolean colored) {
    return commandLine
        .setHelpSectionMap(SECTIONS)
        .setHelpSectionKeys(ORDER)
        .setUsageHelpWidth(Math.clamp(context.terminal().columns(), MIN_COLUMNS, MAX_COLUMNS))
        .setColorScheme(Help.defaultColorScheme(colored ? Help.Ansi.ON : Help.Ansi.OFF))
        .getUsageMessage();
  }

  private static boolean isRoot(Help help) {
    return help.commandSpec().parent() == null;
  }

  private static String description(Help help) {
    return help.description();
  }

  private static String usage(Help help) {
    var spec = help.commandSpec();
    var parts = new ArrayList<>(List.of(spec.qualifiedName()));
    if (isRoot(help) || !spec.subcommands().isEmpty()) {
      parts.add("<command>");
    }
    spec.positionalParameters().stream()
        .filter(parameter -> !parameter.hidden())
        .map(parameter -> label(parameter.paramLabel(), parameter.arity()))
        .forEach(parts::add);
    parts.add("[options]");
    return section(help, "Usage") + "  " + String.join(" ", parts) + "\n";
  }

  private static String label(String label, CommandLine.Range arity) {
    var many = arity.max() > 1 ? label + "..." : label;
    return arity.min() == 0 ? "[" + many + "]" : many;
  }

  private static String section(Help help, String title) {
    return "\n" + help.colorScheme().text("@|bold " + title + "|@") + "\n";
  }

  private static String commands(Help help) {
    if (isRoot(help)) {
      var text = new StringBuilder();
      for (var section : CommandIndex.values()) {
        if (section.names().isEmpty()) {
          continue;
        }
        text.append(section(help, section.title()));
        section
            .names()
            .forEach(name -> text.append(line(help, name, summary(CommandIndex.type(name)))));
      }
      return text.toString();
    }
    var subcommands = help.commandSpec().subcommands();
    return subcommands.isEmpty()
        ? ""
        : section(help, "Commands")
            + subcommands.entrySet().stream()
                .map(
                    entry ->
                        line(
                            help,
                            entry.getKey(),
                            entry.getValue().getCommandSpec().usageMessage().description()[0]))
                .collect(Collectors.joining());
  }

  private static String summary(Class<?> type) {
    return type.getAnnotation(Command.class).description()[0];
  }

  private static String line(Help help, String name, String summary) {
    var styled = help.colorScheme().commandText(name).toString();
    return "  " + styled + " ".repeat(Math.max(1, 12 - name.length())) + summary + "\n";
  }

  private static String parameters(Help help) {
    var list = help.parameterList();
    return list.isEmpty() ? "" : section(help, "Arguments") + list;
  }

  private static String options(Help help) {
    var own =
        help.commandSpec().options().stream()
            .filter(option -> !option.inherited() && !option.hidden())
            .toList();
    return own.isEmpty()
        ? ""
        : section(help, isRoot(help) ? "Options of every command" : "Options")
            + help.optionListExcludingGroups(own);
  }

  private static String examples(Help help) {
    var footer = help.commandSpec().usageMessage().footer();
    return footer.length == 0
        ? ""
        : section(help, "Examples")
            + List.of(footer).stream()
                .map(example -> "  " + example + "\n")
                .collect(Collectors.joining());
  }

  private static String more(Help help) {
    if (isRoot(help)) {
      return """

      'cairn help <command>' explains a command.
      Without a command, or with 'serve', cairn is the server.
      """;
    }
    var inherited =
        help.commandSpec().options().stream()
            .filter(OptionSpec::inherited)
            .map(OptionSpec::longestName)
            .collect(Collectors.joining(" "));
    return "\nOptions of every command, see 'cairn help':\n  " + inherited + "\n";
  }
}
