package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sprites, the output of a local command: {@code docs/sprites.md}. */
class LocalOutputTest {
  private static final LocalBackend BACKEND = LocalRuns.backend(Map.of());

  @BeforeAll
  static void commandsCanRun() {
    LocalRuns.assumePossible();
  }

  private static SpriteExit run(String command) throws Exception {
    return BACKEND.begin(Runs.of(command));
  }

  @Test
  void of_a_long_output_the_end_is_kept() throws Exception {
    var exit = run("head -c 10000000 /dev/zero | tr '\\0' x; echo; echo end");
    assertEquals(64 * 1024, exit.output().length());
    assertTrue(exit.output().endsWith("x\nend\n"));
    assertEquals("", exit.errors());
  }

  @Test
  void the_tail_of_an_output_is_exact_at_its_edge(@TempDir Path files) throws Exception {
    for (int length :
        new int[] {
          0, 1, OutputTail.MAX_BYTES - 1, OutputTail.MAX_BYTES, OutputTail.MAX_BYTES + 1
        }) {
      var bytes = new byte[length];
      for (int i = 0; i < length; i++) {
        bytes[i] = (byte) ('a' + i % 26);
      }
      var kept = Arrays.copyOfRange(bytes, Math.max(0, length - OutputTail.MAX_BYTES), length);
      try (var file = Files.newByteChannel(Files.write(files.resolve("output"), bytes))) {
        assertEquals(new String(kept, UTF_8), OutputTail.of(file));
      }
    }
  }

  @Test
  void an_output_is_read_from_the_file_that_was_made_for_it() throws Exception {
    try (var directory = LocalDirectory.make(LocalUser.take(), LocalRuns.REMAINS);
        var output = directory.output("stdout")) {
      Files.writeString(directory.path("stdout"), "written");
      Files.delete(directory.path("stdout"));
      var line = List.of("mkfifo", directory.path("stdout").toString());
      assertEquals(0, new ProcessBuilder(line).start().waitFor());
      assertEquals("written", OutputTail.of(output));
    }
  }

  @Test
  void a_command_can_open_its_outputs() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/stderr")), "there is no /dev/stderr");
    assertEquals(
        new SpriteExit(0, "a\nb\n", "c\n"),
        run("echo a; echo b >>/dev/stdout; echo c | tee -a /dev/stderr >/dev/null"));
  }
}
