package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.Eventually;
import dev.cairn.platform.Body;
import dev.cairn.platform.LocalCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sprites, the local backend: {@code docs/sprites.md}. */
class LocalBackendTest {
  private static final LocalBackend BACKEND = LocalRuns.backend(Map.of());

  @BeforeAll
  static void commandsCanRun() {
    LocalRuns.assumePossible();
  }

  private static SpriteExit run(String command) throws Exception {
    return BACKEND.begin(Runs.of(command));
  }

  @Test
  void the_status_and_both_outputs_come_back() throws Exception {
    var exit = run("echo out; echo err >&2; exit 3");
    assertEquals(new SpriteExit(3, "out\n", "err\n"), exit);
  }

  @Test
  void stdin_has_the_input() throws Exception {
    assertEquals(Runs.INPUT, run("cat").output());
  }

  @Test
  void a_command_may_leave_its_input_unread() throws Exception {
    var run = Runs.with(new byte[4 * 1024 * 1024], Runs.of("echo done"));
    assertEquals("done\n", BACKEND.begin(run).output());
  }

  @Test
  void a_json_file_is_in_the_working_directory_under_its_path() throws Exception {
    var run = Runs.of("cat \"$CAIRN_INPUT_PATH\"; cat deep/er/in.json; test ! -s /dev/stdin");
    var exit = BACKEND.begin(Runs.with(InputMode.JSON_FILE, "deep/er/in.json", run));
    assertEquals(Runs.INPUT + Runs.INPUT, exit.output());
    assertEquals(0, exit.status());
  }

  @Test
  void env_has_the_input() throws Exception {
    var run = Runs.with(InputMode.ENV, "", Runs.of("printf %s \"$CAIRN_INPUT\""));
    assertEquals(Runs.INPUT, BACKEND.begin(run).output());
  }

  @Test
  void the_longest_input_fits_into_the_environment() throws Exception {
    var input = "x".repeat(SpriteExecutor.MAX_VARIABLE).getBytes(UTF_8);
    var run = Runs.with(input, Runs.with(InputMode.ENV, "", Runs.of("echo ${#CAIRN_INPUT}")));
    assertEquals(SpriteExecutor.MAX_VARIABLE + "\n", BACKEND.begin(run).output());
  }

  @Test
  void the_environment_has_nothing_of_the_services_own() throws Exception {
    var run = Runs.with(Map.of("API_KEY", "k"), null, Runs.of("env"));
    var names =
        BACKEND
            .begin(run)
            .output()
            .lines()
            .map(line -> line.substring(0, line.indexOf('=')))
            .filter(name -> !List.of("_", "SHLVL", "OLDPWD").contains(name))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(
        new TreeSet<>(
            List.of(
                "API_KEY",
                "CAIRN_ATTEMPT",
                "CAIRN_REPO",
                "CAIRN_RUN_ID",
                "HOME",
                "LANG",
                "PATH",
                "PWD",
                "TMPDIR")),
        names);
  }

  @Test
  void the_working_directory_is_new_and_goes_with_the_run() throws Exception {
    var first = run("pwd; ls -A; mkdir -p a/b; touch a/b/c; ln -s / root; chmod 0 a/b");
    assertEquals(1, first.output().lines().count(), first::output);
    var directory = Path.of(first.output().strip());
    assertFalse(Files.exists(directory.getParent()), "the files of the run are still there");
    assertTrue(Files.exists(Path.of("/bin/sh")), "links were followed");
    assertNotEquals(directory, Path.of(run("pwd").output().strip()));
  }

  @Test
  void what_takes_too_long_is_stopped_with_all_that_came_of_it() throws Exception {
    var seconds = LocalRuns.someSeconds();
    var run =
        Runs.of(
            "echo begun; sleep %s & (setsid sleep %s >/dev/null 2>&1 &); sleep %s"
                .replace("%s", seconds));
    var stopped =
        assertThrows(
            SpriteException.class, () -> BACKEND.begin(Runs.with(Duration.ofSeconds(2), run)));
    assertEquals(SpriteError.SPRITE_EXECUTION_FAILED, stopped.error());
    assertTrue(stopped.isRetryable());
    assertEquals("begun\n", stopped.output());
    assertFalse(LocalRuns.sleeps(seconds), "a process is left");
  }

  @Test
  void what_a_command_leaves_running_is_stopped() throws Exception {
    var seconds = LocalRuns.someSeconds();
    var exit =
        run("sleep %s & (setsid sleep %s >/dev/null 2>&1 &) ; echo ok".replace("%s", seconds));
    assertEquals("ok\n", exit.output());
    assertFalse(LocalRuns.sleeps(seconds), "a process is left");
  }

  @Test
  void the_end_of_the_service_stops_the_command() throws Exception {
    var seconds = LocalRuns.someSeconds();
    var failure = new CompletableFuture<Exception>();
    var begun = new CountDownLatch(1);
    var thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  begun.countDown();
                  try {
                    run("sleep " + seconds);
                    failure.complete(null);
                  } catch (Exception e) {
                    failure.complete(e);
                  }
                });
    begun.await();
    Eventually.await("the command runs", () -> LocalRuns.sleeps(seconds));
    thread.interrupt();
    assertEquals(InterruptedException.class, failure.get(30, TimeUnit.SECONDS).getClass());
    assertFalse(LocalRuns.sleeps(seconds), "a process is left");
  }

  @Test
  void under_root_a_command_is_somebody_else_and_nobody_twice(@TempDir Path files)
      throws Exception {
    assumeTrue(LocalCommands.isRoot(), "only root becomes other users");
    var secret = Files.writeString(files.resolve("secret"), "s");
    Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rwx------"));
    var command = "id -u; id -G; cat " + secret + "; grep NoNewPrivs /proc/self/status";
    var exit = run(command);
    var lines = exit.output().lines().toList();
    int uid = Integer.parseInt(lines.getFirst());
    assertTrue(uid >= 61_184 && uid <= 65_519, exit::output);
    assertEquals(Integer.toString(uid), lines.get(1));
    assertEquals("NoNewPrivs:\t1", lines.get(2));
    assertTrue(exit.errors().contains("ermission denied"), exit::errors);
    try (var taken = LocalUser.take()) {
      assertNotEquals(Integer.toString(taken.uid().orElseThrow()), run("id -u").output().strip());
    }
  }

  @Test
  void under_root_variables_are_set_after_the_change_of_user(@TempDir Path files) throws Exception {
    assumeTrue(LocalCommands.isRoot(), "only root becomes other users");
    // Of root alone: what the loader writes there, it wrote as root.
    Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rwx------"));
    var library = files.resolve("library.so");
    var secrets =
        Map.of(
            "LD_DEBUG",
            "libs",
            "LD_DEBUG_OUTPUT",
            files.resolve("trace").toString(),
            "LD_PRELOAD",
            library.toString(),
            "API_KEY",
            "k'\"$(id)`id`\\\n x ");
    var run = Runs.with(secrets, null, Runs.of("printf %s \"$API_KEY|$LD_PRELOAD\""));
    // Before it come the words of the loader, which may not write where the variable says.
    var output = BACKEND.begin(run).output();
    assertTrue(output.endsWith(secrets.get("API_KEY") + "|" + library), output);
    try (var found = Files.list(files)) {
      assertEquals(List.of(), found.toList());
    }
  }

  @Test
  void secrets_are_in_no_list_of_arguments() throws Exception {
    var secret = "a-secret-" + LocalRuns.someSeconds();
    var command = "cat /proc/$$/cmdline /proc/$PPID/cmdline | tr '\\0' ' '; echo; echo $API_KEY";
    var output =
        BACKEND
            .begin(Runs.with(Map.of("API_KEY", secret), null, Runs.of(command)))
            .output()
            .lines()
            .toList();
    assertEquals(secret, output.getLast());
    assertFalse(output.getFirst().contains(secret), output::getFirst);
  }

  @Test
  void a_command_is_in_no_list_of_arguments() throws Exception {
    var secret = "the-command-" + System.nanoTime();
    // The pattern does not match itself.
    var command =
        ": %s; cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -ac 'the-[c]ommand-';"
            + " echo \"${CAIRN_COMMAND-unset}\"; (exit 3)";
    var exit = BACKEND.begin(Runs.of(command.formatted(secret)));
    assertEquals(new SpriteExit(3, "0\nunset\n", ""), exit);
  }

  @Test
  void under_root_a_command_puts_nothing_in_the_places_of_its_directories() throws Exception {
    assumeTrue(LocalCommands.isRoot(), "only root becomes other users");
    var exit =
        run(
            "d=$PWD; cd /; mv $d ${d%/*}/x; ln -s /etc ${d%/*}/y; rmdir $d; mv ${d%/*} /tmp/taken;"
                + " echo $d");
    var directory = Path.of(exit.output().strip());
    assertEquals(4, exit.errors().lines().count(), exit::errors);
    assertFalse(Files.exists(directory.getParent()), "the files of the run are still there");
  }

  @Test
  void a_path_through_a_link_of_the_checkout_is_refused(@TempDir Path outside) throws Exception {
    try (var directory = LocalDirectory.make(LocalUser.take(), LocalRuns.REMAINS)) {
      Files.createSymbolicLink(directory.work().resolve("link"), outside);
      var refused =
          assertThrows(
              SpriteException.class,
              () -> directory.input("link/in.json", Body.of(new byte[] {1})));
      assertFalse(refused.isRetryable());
      // A link in the file's own place is replaced, and what it leads to stays as it is.
      var target = Files.writeString(outside.resolve("target"), "before");
      Files.createSymbolicLink(directory.work().resolve("in.json"), target);
      var file = directory.input("in.json", Body.of(new byte[] {'1'}));
      assertFalse(Files.isSymbolicLink(file));
      assertEquals("before", Files.readString(target));
      try (var found = Files.list(outside)) {
        assertEquals(List.of(target), found.toList());
      }
    }
  }

  @Test
  void a_command_can_be_interrupted() throws Exception {
    assumeTrue(
        Files.exists(Path.of("/proc")), "only GNU env can restore the default signal handling");
    var command = "trap 'echo caught; exit 4' %1$s; kill -%1$s $$; exit 5";
    assertEquals(new SpriteExit(4, "caught\n", ""), run(command.formatted("INT")));
    assertEquals(new SpriteExit(4, "caught\n", ""), run(command.formatted("QUIT")));
  }
}
