package dev.cairn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.output.ProcessContext;
import dev.cairn.docs.GeneratedPart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

class CliPageTest {
  @Test
  void the_page_says_what_the_commands_say() {
    var written =
        GeneratedPart.named(Path.of("docs/cli.md"), CliPageTest.class).stream()
            .peek(part -> part.check(text(part.name())))
            .map(GeneratedPart::name)
            .toList();
    assertEquals(List.of("exit codes", "options", "commands"), written);
  }

  private static String text(String part) {
    var root = new CommandLine(new CairnCommand(ProcessContext.ofProcess()));
    CommandLookup.registerAll(root);
    return switch (part) {
      case "exit codes" -> exitCodes();
      case "options" -> table(root.getCommandSpec());
      case "commands" -> commands(root);
      default -> throw new IllegalArgumentException(part);
    };
  }

  private static String exitCodes() {
    return Stream.of(ExitCode.values())
        .map(code -> "| %d | %s |\n".formatted(code.code(), code.meaning()))
        .collect(Collectors.joining("", "| Code | Meaning |\n|---|---|\n", ""));
  }

  private static String commands(CommandLine root) {
    var text = new StringBuilder();
    for (var section : CommandIndex.values()) {
      for (var name : section.names()) {
        append(text, root.getSubcommands().get(name));
      }
    }
    return text.toString();
  }

  private static void append(StringBuilder text, CommandLine command) {
    var spec = command.getCommandSpec();
    if (spec.subcommands().isEmpty()) {
      text.append("### %s\n\n".formatted(spec.qualifiedName()));
      text.append(String.join(" ", spec.usageMessage().description()).replace("$$", "$"));
      text.append("\n\n").append(table(spec)).append(examples(spec));
    }
    command.getSubcommands().values().forEach(below -> append(text, below));
  }

  private static String examples(CommandSpec spec) {
    var examples = spec.usageMessage().footer();
    return examples.length == 0
        ? ""
        : (examples.length == 1 ? "Example: " : "Examples: ")
            + Stream.of(examples)
                .map(example -> "`" + example + "`")
                .collect(Collectors.joining(", "))
            + "\n\n";
  }

  private static String table(CommandSpec spec) {
    var rows = new ArrayList<String>();
    spec.positionalParameters().stream()
        .filter(parameter -> !parameter.hidden())
        .forEach(parameter -> rows.add(row(label(parameter), parameter)));
    spec.options().stream()
        .filter(option -> !option.inherited() && !option.hidden())
        .forEach(option -> rows.add(row(label(option), option)));
    return rows.isEmpty()
        ? ""
        : rows.stream()
            .collect(
                Collectors.joining("\n", "| Argument or option | Meaning |\n|---|---|\n", "\n\n"));
  }

  private static String row(String label, ArgSpec argument) {
    var meaning = String.join(" ", argument.description()).replace("$$", "$");
    if (argument.completionCandidates() != null) {
      var candidates = String.join(", ", argument.completionCandidates());
      meaning = meaning.replace("${COMPLETION-CANDIDATES}", candidates);
    }
    return "| %s | %s |".formatted(label, meaning.replace("|", "\\|"));
  }

  private static String label(PositionalParamSpec parameter) {
    return "`%s%s`".formatted(parameter.paramLabel(), parameter.arity().max() > 1 ? "..." : "");
  }

  private static String label(OptionSpec option) {
    var value = option.arity().max() > 0 ? " " + option.paramLabel() : "";
    return Stream.of(option.names())
        .map(name -> "`" + name + value + "`")
        .collect(Collectors.joining(", "));
  }
}
