package dev.cairn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The packaged CLI, with a home directory and an environment of its own. An executable runs as a
 * process each time; of a jar, only the first command of each group does, since a process takes
 * twenty times as long as the command. The others run here, with the same classes.
 */
final class Cli {
  private static final long SECONDS = 180;

  private final Path home;
  private final Map<String, String> variables = new HashMap<>();

  /** The groups of commands of which one has run as a process. */
  private final Set<String> groups;

  /**
   * How a process ended.
   *
   * @param code its exit code
   * @param out what it wrote to the standard output
   * @param err what it wrote to the standard error
   */
  record Result(int code, String out, String err) {}

  /**
   * A process that may still run.
   *
   * @param process the process
   * @param out the file with its standard output
   * @param err the file with its standard error
   */
  record Running(Process process, Path out, Path err) {
    /** Waits until it has ended. */
    Result await() throws IOException, InterruptedException {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("it has not ended: " + Files.readString(err));
      }
      return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }
  }

  /** A user with a home directory, who works with a server. */
  Cli(Path home, String server) {
    this(home, Map.of("CAIRN_SERVER", server), new HashSet<>());
  }

  private Cli(Path home, Map<String, String> variables, Set<String> groups) {
    this.home = home;
    this.variables.putAll(variables);
    this.groups = groups;
  }

  /** The same user in a shell that has another variable, or not this one if the value is empty. */
  Cli with(String variable, String value) {
    var other = new Cli(home, variables, groups);
    other.variables.put(variable, value);
    return other;
  }

  /** Where this user's profiles are. */
  Path profiles() {
    return home.resolve(".config/cairn/config.json");
  }

  /** What starts it, for a shell. */
  static String command() {
    return String.join(" ", Artifact.cli());
  }

  /** Runs a command until it has ended. */
  Result run(String... args) throws IOException, InterruptedException {
    return run("", List.of(args));
  }

  /** The same with something on the standard input. */
  Result run(String input, List<String> args) throws IOException, InterruptedException {
    var group = args.stream().filter(arg -> !arg.startsWith("-")).findFirst().orElse("");
    if (!groups.add(group) && !Artifact.isNative()) {
      return runHere(input, args);
    }
    var command = new ArrayList<>(Artifact.cli());
    command.addAll(args);
    return start(input, command).await();
  }

  private Result runHere(String input, List<String> args) {
    var run = CliRun.in(home).input(input).at(InstantSource.system());
    variables.forEach(run::with);
    var result = run.run(args.toArray(String[]::new));
    return new Result(result.code(), result.out(), result.err());
  }

  /**
   * Starts a command as a terminal does: it takes SIGINT, also if the tests were told to ignore it.
   */
  Running start(String... args) throws IOException {
    var command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(Artifact.cli());
    command.addAll(List.of(args));
    return start("", command);
  }

  /** Starts any command of a shell in the same environment. */
  Running start(String input, List<String> command) throws IOException {
    var out = Files.createTempFile(home, "out", "");
    var err = Files.createTempFile(home, "err", "");
    var builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("CAIRN_") || name.equals("XDG_CONFIG_HOME"));
    builder.environment().putAll(variables);
    builder.environment().put("HOME", home.toString());
    var process = builder.start();
    try (var stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(UTF_8));
    } catch (IOException e) {
      assertTrue(input.isEmpty() || !process.isAlive(), "it has closed its input");
    }
    return new Running(process, out, err);
  }
}
