package dev.cairn.sprite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.platform.LocalCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sprites, the limits of local commands: {@code docs/sprites.md}. */
class LocalLimitsTest {
  @BeforeAll
  static void commandsCanRun() {
    LocalRuns.assumePossible();
  }

  private static SpriteExit limited(String name, int most, String command) throws Exception {
    return LocalRuns.backend(Map.of(name, Integer.toString(most))).begin(Runs.of(command));
  }

  @Test
  void a_process_that_wants_too_much_memory_does_not_get_it() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc")), "only Linux knows this limit");
    var command = "head -c 200000000 /dev/zero | tail -n 1 | wc -c";
    assertEquals("200000000\n", limited("memory-mib", 500, command).output());
    var exit = limited("memory-mib", 64, command);
    assertEquals("0\n", exit.output());
    assertTrue(exit.errors().contains("memory"), exit::errors);
  }

  @Test
  void a_process_that_computes_for_too_long_is_ended() throws Exception {
    var exit = limited("cpu-seconds", 1, "while :; do :; done");
    assertNotEquals(0, exit.status());
  }

  @Test
  void a_file_gets_no_longer_than_it_may() throws Exception {
    var command = "head -c %d /dev/zero > f; wc -c < f";
    assertEquals("1048576", limited("file-mib", 1, command.formatted(1_048_576)).output().strip());
    assertEquals("1048576", limited("file-mib", 1, command.formatted(1_048_577)).output().strip());
  }

  @Test
  void a_process_opens_no_more_files_than_it_may() throws Exception {
    assertEquals("33\n", limited("open-files", 33, "ulimit -n").output());
  }

  @Test
  void under_root_a_command_that_forks_without_end_is_held_and_leaves_nothing() throws Exception {
    assumeTrue(LocalCommands.isRoot(), "only root becomes other users");
    var seconds = LocalRuns.someSeconds();
    var command = "n=0; while :; do sleep %s & n=$((n + 1)); echo $n; done".formatted(seconds);
    var exit = limited("processes", 32, command);
    assertNotEquals(0, exit.status());
    assertTrue(exit.errors().contains("fork"), exit::errors);
    int begun = Integer.parseInt(exit.output().lines().toList().getLast());
    assertTrue(begun < 32, begun + " processes beside the shell");
    assertFalse(LocalRuns.sleeps(seconds), "a process is left");
    var bomb = Runs.with(Duration.ofSeconds(2), Runs.of("f() { f | f & }; f; sleep 60"));
    assertThrows(
        SpriteException.class, () -> LocalRuns.backend(Map.of("processes", "32")).begin(bomb));
    assertEquals("alive\n", limited("open-files", 64, "echo alive").output());
  }

  @Test
  void if_memory_runs_out_the_system_kills_a_command_first() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/oom_score_adj")), "only Linux has scores for it");
    assertEquals("1000\n", limited("open-files", 64, "cat /proc/self/oom_score_adj").output());
  }

  @Test
  void a_limit_that_the_machine_does_not_give_is_left_as_it_is() throws Exception {
    assertEquals(
        new SpriteExit(0, "ok\n", ""), limited("open-files", Integer.MAX_VALUE, "echo ok"));
  }

  @Test
  void an_output_gets_no_longer_than_a_file_may() throws Exception {
    var write = "head -c %d /dev/zero | tr '\\0' x";
    assertEquals(0, limited("file-mib", 1, write.formatted(1_048_576)).status());
    var exit = limited("file-mib", 1, write.formatted(1_048_577));
    assertNotEquals(0, exit.status());
    assertEquals("x".repeat(OutputTail.MAX_BYTES), exit.output());
  }
}
