package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.platform.LocalCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sprites, the local backend of a service that is not root. A test that is root leaves behind the
 * capabilities by which the rights of files do not hold for it.
 */
class UnprivilegedServiceTest {
  private static final String NESTED = "mkdir -p q/r/s && touch q/r/s/f && chmod 0 q/r/s q/r q";

  private static final String DEEP =
      """
      name=12345678901234567890123456789012345678901234567890
      depth=0
      while [ $depth -lt 100 ] && mkdir $name && cd -P $name; do depth=$((depth + 1)); done
      touch f && chmod 0 . && [ $depth = 100 ]
      """;

  @TempDir Path files;

  @BeforeEach
  void rightsHold() throws Exception {
    LocalRuns.assumePossible();
    assumeTrue(
        !LocalCommands.isRoot() || LocalCommands.setpriv().isPresent(), "there is no setpriv");
    var locked = Files.createDirectory(files.resolve("locked"));
    int status = start(List.of("/bin/sh", "-c", "chmod 0 \"$0\"; ! ls \"$0\"", locked.toString()));
    Files.delete(locked);
    assumeTrue(status == 0, "the rights of files do not hold here");
  }

  /** A service that runs commands, one after another; it ends with 1 if one fails. */
  static final class Service {
    private Service() {}

    public static void main(String... commands) throws Exception {
      for (var command : commands) {
        var user = new LocalUser(OptionalInt.empty());
        var exit = LocalBackend.run(Runs.of(command), user, LocalRuns.limits(), LocalRuns.REMAINS);
        if (exit.status() != 0) {
          System.exit(1);
        }
      }
      LocalRuns.REMAINS.deleteLeft();
    }
  }

  private int start(List<String> line) throws IOException, InterruptedException {
    var privileges =
        LocalCommands.isRoot()
            ? Stream.of(
                LocalCommands.setpriv().orElseThrow().toString(),
                "--bounding-set",
                "-dac_override,-dac_read_search",
                "--")
            : Stream.<String>of();
    var process =
        new ProcessBuilder(Stream.concat(privileges, line.stream()).toList())
            .redirectErrorStream(true)
            .redirectOutput(files.resolve("log").toFile())
            .start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it does not end");
    return process.exitValue();
  }

  @Test
  void what_a_command_denies_to_its_user_is_deleted_too() throws Exception {
    var temporary = Files.createDirectory(files.resolve("temporary"));
    var line =
        Stream.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            System.getProperty("java.class.path"),
            Service.class.getName());
    var commands =
        Stream.of(
            "mkdir q && chmod 0 q",
            NESTED,
            "mkdir q && touch q/f && chmod 500 q",
            "touch \"$HOME/f\" && chmod 0 \"$HOME\" \"$PWD\" \"${PWD%/*}\"",
            DEEP);
    int status = start(Stream.concat(line, commands).toList());
    assertEquals(0, status, () -> log());
    try (var found = Files.list(temporary)) {
      assertEquals(List.of(), found.filter(file -> isOfRun(file)).toList(), () -> log());
    }
  }

  private static boolean isOfRun(Path file) {
    return file.getFileName().toString().startsWith("cairn-sprite-");
  }

  private String log() {
    try {
      return Files.readString(files.resolve("log"), UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
