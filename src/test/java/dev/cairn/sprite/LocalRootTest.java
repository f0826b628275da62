package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.platform.LocalCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sprites, the local backend of a service that is root: the environment of what runs as root for a
 * command. A service of the test's own has stand-ins in the places of these programs, which write
 * down what they got and then become the program. Nobody else has them: they are in a mount
 * namespace.
 */
class LocalRootTest {
  private static final String SECRET = "a-secret-of-a-credential-set";
  private static final String OF_SERVICE = "a-secret-of-the-service";

  /**
   * What is run before the change of user, except for shells, whose children show what they got.
   */
  private static final List<String> PROGRAMS =
      List.of("unshare", "setsid", "setpriv", "env", "head", "mount");

  private static final String STAND_IN =
      """
      #!/bin/sh
      { echo "%1$s:"; tr '\\0' '\\n' </proc/$$/environ; } >>%2$s/log
      exec %2$s/real/%1$s "$@"
      """;

  /** Puts the stand-ins in their places, by the program itself that mounts. */
  private static final String PUT =
      """
      real=$1; shift
      while [ "$1" != -- ]; do "$real" --bind "$1" "$2" || exit 77; shift 2; done
      shift
      exec "$@"
      """;

  /** What shells add. */
  private static final Set<String> OF_SHELLS = Set.of("_", "OLDPWD", "PWD", "SHLVL");

  @TempDir Path files;

  @BeforeEach
  void becomesOthers() {
    LocalRuns.assumePossible();
    assumeTrue(LocalCommands.isRoot(), "only root becomes other users");
  }

  /** A service that starts, runs a command, checks a repository out, and deletes what is left. */
  static final class Service {
    private Service() {}

    public static void main(String... ignored) throws Exception {
      require(LocalCommands.obstacle().isEmpty(), "local commands can run");
      var variables = Map.of("API_KEY", SECRET, "LD_AUDIT", SECRET);
      var run = Runs.with(variables, null, Runs.of("printf %s \"$API_KEY\""));
      var output = begin(Runs.with(InputMode.ENV, "", run)).output();
      require(output.endsWith(SECRET), "the command has its variables");
      // Nothing listens there.
      var git = new GitSource("http://user:%s@127.0.0.1:9/o/r".formatted(SECRET), "main");
      try {
        begin(Runs.with(git, run));
        require(false, "nothing is checked out");
      } catch (SpriteException e) {
        require(e.error() == SpriteError.SPRITE_CREATE_FAILED, "it fails with " + e.error());
      }
      LocalRuns.REMAINS.deleteLeft();
    }

    private static SpriteExit begin(SpriteRun run) throws Exception {
      return LocalBackend.run(run, LocalUser.take(), LocalRuns.limits(), LocalRuns.REMAINS);
    }

    private static void require(boolean holds, String expected) {
      if (!holds) {
        throw new AssertionError("expected: " + expected);
      }
    }
  }

  /**
   * Makes a stand-in of a program.
   *
   * @return its path, and the path of the program
   */
  private Stream<String> standIn(String name) {
    var program =
        Stream.of("/usr/bin", "/bin", "/usr/sbin", "/sbin")
            .map(directory -> Path.of(directory, name))
            .filter(Files::isExecutable)
            .findFirst()
            .orElseThrow();
    var executable = PosixFilePermissions.fromString("rwxr-xr-x");
    try {
      var real = Files.createDirectories(files.resolve("real")).resolve(name);
      Files.setPosixFilePermissions(Files.copy(program, real), executable);
      var standIn = Files.writeString(files.resolve(name), STAND_IN.formatted(name, files));
      Files.setPosixFilePermissions(standIn, executable);
      return Stream.of(standIn.toString(), program.toString());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void no_process_before_the_change_of_user_has_variables_of_others() throws Exception {
    var standIns = PROGRAMS.stream().flatMap(this::standIn).toList();
    var mount = files.resolve("real/mount").toString();
    var service =
        List.of(
            "--",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Service.class.getName());
    var line =
        Stream.of(
                List.of("/usr/bin/unshare", "--mount", "--", "/bin/sh", "-c", PUT, "sh", mount),
                standIns,
                service)
            .flatMap(List::stream)
            .toList();
    var builder =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(files.resolve("output").toFile());
    builder.environment().put("CAIRN_SECRET_KEY", OF_SERVICE);
    var process = builder.start();
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it does not end");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assumeTrue(process.exitValue() != 77, "nothing can be mounted here");
    assertEquals(0, process.exitValue(), () -> read("output"));
    assertOnlySafe(read("log"));
  }

  private void assertOnlySafe(String log) {
    var programs = new TreeSet<String>();
    var variables = new TreeSet<String>();
    var assigned = Pattern.compile("([^=]*)=(.*)");
    for (var text : log.lines().toList()) {
      var variable = assigned.matcher(text);
      if (!variable.matches()) {
        programs.add(text);
      } else if (!OF_SHELLS.contains(variable.group(1))) {
        variables.add(variable.group(1));
        assertTrue(
            !variable.group(1).equals("PATH") || variable.group(2).equals(LocalBackend.PATH), text);
      }
    }
    assertTrue(
        programs.containsAll(List.of("env:", "setpriv:", "setsid:", "unshare:")),
        programs::toString);
    assertEquals(
        new TreeSet<>(List.of("CAIRN_ATTEMPT", "CAIRN_RUN_ID", "HOME", "LANG", "PATH", "TMPDIR")),
        variables);
  }

  private String read(String name) {
    try {
      return Files.readString(files.resolve(name), UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
