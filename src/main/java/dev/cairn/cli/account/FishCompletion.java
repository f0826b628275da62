package dev.cairn.cli.account;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Writes a completion script for fish, which picocli does not. A function of the script finds the
 * words of the command before the cursor; each line offers an option or a subcommand after some
 * words.
 */
final class FishCompletion {
  private static final String FUNCTION =
      """
      # The words before the cursor that are no options and no values of options.
      function __cairn_words
          set -l words
          set -l is_value 0
          for word in (commandline -opc)[2..-1]
              if test $is_value = 1
                  set is_value 0
                  continue
              end
              switch $word
                  case %s
                      set is_value 1
                  case '-*'
                  case '*'
                      set -a words $word
              end
          end
          string join ' ' -- $words
      end

      # Whether these are exactly the words.
      function __cairn_is
          set -l words (__cairn_words)
          test "$argv" = "$words"
      end

      # Whether the words begin with these.
      function __cairn_in
          string match -q -- "$argv *" (__cairn_words)' '
      end

      complete -c cairn -f
      """;

  private final CommandLine root;
  private final StringBuilder script = new StringBuilder();

  FishCompletion(CommandLine root) {
    this.root = root;
  }

  /** The script. */
  String script() {
    var withValues =
        root.getCommandSpec().options().stream()
            .filter(FishCompletion::takesValue)
            .flatMap(option -> List.of(option.names()).stream())
            .collect(Collectors.joining(" "));
    script.append(FUNCTION.formatted(withValues));
    root.getCommandSpec().options().forEach(option -> option(option, ""));
    subcommands(root, "");
    return script.toString();
  }

  private void subcommands(CommandLine parent, String words) {
    parent
        .getSubcommands()
        .forEach(
            (name, command) -> {
              var spec = command.getCommandSpec();
              script.append(
                  "complete -c cairn -n %s -a %s -d %s\n"
                      .formatted(
                          quote(("__cairn_is " + words).strip()), name, quote(summary(spec))));
              var here = (words + " " + name).strip();
              var condition = " -n " + quote("__cairn_in " + here);
              spec.options().stream()
                  .filter(option -> !option.inherited() && !option.hidden())
                  .forEach(option -> option(option, condition));
              spec.positionalParameters().forEach(argument -> values(argument, condition));
              subcommands(command, here);
            });
  }

  private void option(OptionSpec option, String condition) {
    var line = new StringBuilder("complete -c cairn" + condition);
    for (var name : option.names()) {
      line.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
    }
    if (takesValue(option)) {
      line.append(
          option.completionCandidates() == null ? " -r -F" : " -x -a " + candidates(option));
    }
    script.append(line).append(" -d ").append(quote(summary(option))).append('\n');
  }

  private void values(ArgSpec argument, String condition) {
    if (argument.completionCandidates() != null) {
      script.append("complete -c cairn%s -a %s\n".formatted(condition, candidates(argument)));
    }
  }

  private static String candidates(ArgSpec argument) {
    return quote(String.join(" ", argument.completionCandidates()));
  }

  private static boolean takesValue(OptionSpec option) {
    return option.arity().max() > 0;
  }

  private static String summary(ArgSpec argument) {
    return argument.description()[0].replace("$$", "$");
  }

  private static String summary(CommandSpec spec) {
    return spec.usageMessage().description()[0];
  }

  private static String quote(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
