package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.platform.Body;
import dev.cairn.platform.Configs;
import dev.cairn.platform.LocalCommands;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sprites, the local backend: {@code docs/sprites.md}. */
class LocalBackendTest {
  private static final AtomicInteger SECONDS = new AtomicInteger(800_000);

  private final LocalBackend backend = limited(Map.of());

  @BeforeAll
  static void commandsCanRun() {
    assumeTrue(LocalCommands.obstacle().isEmpty(), () -> LocalCommands.obstacle().orElseThrow());
  }

  /** With some of {@code cairn.sprite.local}. */
  private static LocalBackend limited(Map<String, String> limits) {
    return new LocalBackend(
        Configs.of(
            limits.entrySet().stream()
                .collect(
                    Collectors.toMap(
                        limit -> "cairn.sprite.local." + limit.getKey(), Map.Entry::getValue))));
  }

  private SpriteExit run(String command) throws Exception {
    return backend.begin(Runs.of(command));
  }

  /** A length of sleep that names one test. */
  private static String someSeconds() {
    return Integer.toString(SECONDS.incrementAndGet());
  }

  private static boolean sleeps(String seconds) {
    return ProcessHandle.allProcesses()
        .flatMap(process -> process.info().arguments().stream())
        .anyMatch(arguments -> List.of(arguments).contains(seconds));
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
    assertEquals("done\n", backend.begin(run).output());
  }

  @Test
  void a_json_file_is_in_the_working_directory_under_its_path() throws Exception {
    var run = Runs.of("cat \"$CAIRN_INPUT_PATH\"; cat deep/er/in.json; test ! -s /dev/stdin");
    var exit = backend.begin(Runs.with(InputMode.JSON_FILE, "deep/er/in.json", run));
    assertEquals(Runs.INPUT + Runs.INPUT, exit.output());
    assertEquals(0, exit.status());
  }

  @Test
  void env_has_the_input() throws Exception {
    var run = Runs.with(InputMode.ENV, "", Runs.of("printf %s \"$CAIRN_INPUT\""));
    assertEquals(Runs.INPUT, backend.begin(run).output());
  }

  @Test
  void the_longest_input_fits_into_the_environment() throws Exception {
    var input = "x".repeat(SpriteExecutor.MAX_VARIABLE).getBytes(UTF_8);
    var run = Runs.with(input, Runs.with(InputMode.ENV, "", Runs.of("echo ${#CAIRN_INPUT}")));
    assertEquals(SpriteExecutor.MAX_VARIABLE + "\n", backend.begin(run).output());
  }

  @Test
  void the_environment_has_nothing_of_the_services_own() throws Exception {
    var run = Runs.with(Map.of("API_KEY", "k"), null, Runs.of("env"));
    var names =
        backend
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
  void of_a_long_output_the_end_is_kept_and_the_rest_is_read() throws Exception {
    var exit = run("head -c 10000000 /dev/zero | tr '\\0' x; echo; echo end");
    assertEquals(64 * 1024, exit.output().length());
    assertTrue(exit.output().endsWith("x\nend\n"));
    assertEquals("", exit.errors());
  }

  @Test
  void what_takes_too_long_is_stopped_with_all_that_came_of_it() throws Exception {
    var seconds = someSeconds();
    var run =
        Runs.of(
            "echo begun; sleep %s & (setsid sleep %s >/dev/null 2>&1 &); sleep %s"
                .replace("%s", seconds));
    var stopped =
        assertThrows(
            SpriteException.class, () -> backend.begin(Runs.with(Duration.ofSeconds(2), run)));
    assertEquals(SpriteError.SPRITE_EXECUTION_FAILED, stopped.error());
    assertTrue(stopped.isRetryable());
    assertEquals("begun\n", stopped.output());
    assertFalse(sleeps(seconds), "a process is left");
  }

  @Test
  void what_a_command_leaves_running_is_stopped() throws Exception {
    var seconds = someSeconds();
    var exit =
        run("sleep %s & (setsid sleep %s >/dev/null 2>&1 &) ; echo ok".replace("%s", seconds));
    assertEquals("ok\n", exit.output());
    assertFalse(sleeps(seconds), "a process is left");
  }

  @Test
  void the_end_of_the_service_stops_the_command() throws Exception {
    var seconds = someSeconds();
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
    while (!sleeps(seconds)) {
      Thread.sleep(10);
    }
    thread.interrupt();
    assertEquals(InterruptedException.class, failure.get(30, TimeUnit.SECONDS).getClass());
    assertFalse(sleeps(seconds), "a process is left");
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
    var output = backend.begin(run).output();
    assertTrue(output.endsWith(secrets.get("API_KEY") + "|" + library), output);
    try (var found = Files.list(files)) {
      assertEquals(List.of(), found.toList());
    }
  }

  @Test
  void secrets_are_in_no_list_of_arguments() throws Exception {
    var secret = "a-secret-" + someSeconds();
    var command = "cat /proc/$$/cmdline /proc/$PPID/cmdline | tr '\\0' ' '; echo; echo $API_KEY";
    var output =
        backend
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
    var exit = backend.begin(Runs.of(command.formatted(secret)));
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

  private static SpriteExit limited(String name, int most, String command) throws Exception {
    return limited(Map.of(name, Integer.toString(most))).begin(Runs.of(command));
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
    var seconds = someSeconds();
    var command = "n=0; while :; do sleep %s & n=$((n + 1)); echo $n; done".formatted(seconds);
    var exit = limited("processes", 32, command);
    assertNotEquals(0, exit.status());
    assertTrue(exit.errors().contains("fork"), exit::errors);
    int begun = Integer.parseInt(exit.output().lines().toList().getLast());
    assertTrue(begun < 32, begun + " processes beside the shell");
    assertFalse(sleeps(seconds), "a process is left");
    var bomb = Runs.with(Duration.ofSeconds(2), Runs.of("f() { f | f & }; f; sleep 60"));
    assertThrows(SpriteException.class, () -> limited(Map.of("processes", "32")).begin(bomb));
    assertEquals("alive\n", run("echo alive").output());
  }

  @Test
  void a_limit_that_the_machine_does_not_give_is_left_as_it_is() throws Exception {
    assertEquals(
        new SpriteExit(0, "ok\n", ""), limited("open-files", Integer.MAX_VALUE, "echo ok"));
  }

  @Test
  void a_path_through_a_link_of_the_checkout_is_refused(@TempDir Path outside) throws Exception {
    try (var user = LocalUser.take();
        var directory = LocalDirectory.make(user)) {
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
  void the_tail_of_an_output_is_exact_at_its_edge() throws Exception {
    for (int length : new int[] {0, 1, OutputTail.KEPT - 1, OutputTail.KEPT, OutputTail.KEPT + 1}) {
      var bytes = new byte[length];
      for (int i = 0; i < length; i++) {
        bytes[i] = (byte) ('a' + i % 26);
      }
      var text = OutputTail.of(new ByteArrayInputStream(bytes)).text(10_000);
      var kept = Arrays.copyOfRange(bytes, Math.max(0, length - OutputTail.KEPT), length);
      assertEquals(new String(kept, UTF_8), text);
    }
  }
}
