package dev.cairn.cli;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.output.ProcessContext;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CairnCommandTest {
  @TempDir private Path home;

  private CliRun.Result run(String... args) {
    return CliRun.in(home).run(args);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "-V"})
  void the_version_is_one_line(String option) {
    var result = run(option);
    assertEquals(0, result.code());
    assertTrue(result.out().matches("cairn \\d+\\.\\d+\\.\\d+\\S*\n"), result.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "whoam|There is no command 'whoam'. Did you mean 'whoami'?|cairn help",
        "WHOAMI|There is no command 'WHOAMI'. Did you mean 'whoami'?|cairn help",
        "quux|There is no command 'quux'.|cairn help",
        "whoami --jsn|'cairn whoami' has no option '--jsn'. Did you mean '--json'?|cairn whoami"
            + " --help",
        "whoami more|'cairn whoami' has no use for 'more'.|cairn whoami --help",
        "whoami --json --jsonl|--json and --jsonl exclude each other: choose one of them.|",
        "whoami --server|Missing required parameter for option '--server' (<url>)|cairn whoami"
            + " --help",
        "--json|A command is needed.|cairn help",
        "help quux|There is no command 'quux'.|cairn help",
        "help whoami more|'more' is not a command of 'cairn whoami'.|cairn whoami --help"
      })
  void a_wrong_command_line_ends_with_2_a_sentence_and_what_to_try(
      String line, String sentence, String next) {
    var result = run(line.split(" "));
    assertEquals(ExitCode.USAGE.code(), result.code());
    assertEquals(
        "cairn: " + sentence + "\n" + (next == null ? "" : "Try: " + next + "\n"), result.err());
    assertEquals("", result.out());
  }

  @Test
  void the_help_has_every_command() {
    var result = run("help");
    assertEquals(0, result.code());
    assertAll(
        CommandIndex.all()
            .map(name -> () -> assertTrue(result.out().contains("\n  " + name + " "), name)));
    result.out().lines().forEach(line -> assertTrue(line.length() <= 80, line));
    assertEquals(result.out(), run("--help").out());
  }

  static Stream<List<String>> commands() {
    var root = new CommandLine(new CairnCommand(ProcessContext.ofProcess()));
    CommandLookup.registerAll(root);
    var found = new ArrayList<List<String>>();
    collect(root, List.of(), found);
    return found.stream();
  }

  private static void collect(CommandLine parent, List<String> path, List<List<String>> found) {
    parent
        .getSubcommands()
        .forEach(
            (name, command) -> {
              var here = new ArrayList<>(path);
              here.add(name);
              found.add(here);
              collect(command, here, found);
            });
  }

  @ParameterizedTest
  @MethodSource("commands")
  void every_command_explains_itself(List<String> command) {
    var args = new ArrayList<>(command);
    args.add("--help");
    var result = run(args.toArray(String[]::new));
    assertEquals(0, result.code());
    assertEquals("", result.err());
    var name = "cairn " + String.join(" ", command);
    assertTrue(result.out().contains("Usage\n  " + name), result.out());
    assertTrue(
        result.out().lines().findFirst().orElse("").matches("[A-Z].*[.]"),
        "the first line is a sentence: " + result.out());
    result.out().lines().forEach(line -> assertTrue(line.length() <= 80, line));
    args.removeLast();
    args.addFirst("help");
    assertEquals(result.out(), run(args.toArray(String[]::new)).out());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void every_option_and_argument_is_described(List<String> command) {
    var commandLine = new CommandLine(new CairnCommand(ProcessContext.ofProcess()));
    CommandLookup.register(commandLine, command.toArray(String[]::new));
    for (var name : command) {
      commandLine = commandLine.getSubcommands().get(name);
    }
    var spec = commandLine.getCommandSpec();
    assertNotNull(CommandIndex.type(command.getFirst()));
    spec.args()
        .forEach(
            argument -> {
              var label = spec.qualifiedName() + " " + argument.paramLabel();
              assertTrue(argument.description().length > 0, label);
              assertTrue(argument.description()[0].endsWith("."), label);
              assertTrue(
                  argument.arity().max() == 0 || argument.paramLabel().startsWith("<"), label);
            });
  }

  @Test
  void a_reader_that_ends_early_is_no_error() {
    var run = CliRun.in(home);
    var context = run.context();
    var broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    var piped =
        new ProcessContext(
            context.in(),
            broken,
            context.err(),
            context.variables(),
            context.terminal(),
            context.clock(),
            context.zone());
    assertEquals(ExitCode.BROKEN_PIPE.code(), CairnCommand.run(piped, "help"));
    assertEquals("", run.complained());
  }
}
