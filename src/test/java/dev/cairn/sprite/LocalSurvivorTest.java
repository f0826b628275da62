package dev.cairn.sprite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.platform.Configs;
import dev.cairn.platform.LocalCommands;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that try to outlive their end; only root gives each a user of its own. */
@Timeout(300)
class LocalSurvivorTest {
  private static final int PROCESSES = 64;
  private static final int CHAINS = 8;
  private static final String LIMIT = "ulimit -p %1$d || ulimit -u %1$d; ".formatted(PROCESSES);

  /**
   * A chain of processes: each kills all others of its user, begins the next one and ends. It
   * writes to a file as long as it lives.
   */
  private static final String CHAIN_IN_C =
      """
      #include <fcntl.h>
      #include <signal.h>
      #include <time.h>
      #include <unistd.h>
      extern char **environ;
      int main(int count, char **words) {
        if (fork() > 0) return 0;
        setsid(); close(0); close(1); close(2); environ = 0;
        long wrote = 0;
        while (1) {
          struct timespec now;
          clock_gettime(CLOCK_MONOTONIC, &now);
          long beat = now.tv_sec * 20 + now.tv_nsec / 50000000;
          if (beat != wrote) {
            wrote = beat;
            int file = open(words[1], O_WRONLY | O_APPEND);
            if (file < 0 || write(file, ".", 1) < 0) _exit(1);
            close(file);
          }
          for (int i = 0; i < 10; i++) kill(-1, SIGKILL);
          if (fork() > 0) _exit(0);
        }
      }
      """;

  /** Stops all other processes of its user, again and again. */
  private static final String STOPPER_IN_C =
      """
      #include <signal.h>
      int main() { while (1) kill(-1, SIGSTOP); }
      """;

  /** Its first thread ends, and another one goes on. */
  private static final String HEADLESS_IN_C =
      """
      #include <pthread.h>
      #include <sys/syscall.h>
      #include <unistd.h>
      void *rest(void *nothing) { sleep(60); return nothing; }
      int main() {
        pthread_t thread;
        pthread_create(&thread, 0, rest, 0);
        syscall(SYS_exit, 0);
      }
      """;

  /** Ends with 1 if it may trace the process that it is told. */
  private static final String TRACER_IN_C =
      """
      #include <stdlib.h>
      #include <sys/ptrace.h>
      int main(int count, char **words) {
        return ptrace(PTRACE_SEIZE, atoi(words[1]), 0, 0) == 0;
      }
      """;

  private static final String CHAIN_IN_SHELL =
      """
      echo >>"$1" || exit
      f() {
        i=0; while [ $i -lt 8 ]; do kill -9 -1; i=$((i + 1)); done
        n=$((n + 1)); [ $n -lt 300 ] || exec sh "$0" "$1"
        until command eval 'f "$1" &'; do
          kill -9 -1; k=$((k + 1)); [ $((k % 999)) -gt 0 ] || echo >>"$1" || exit
        done
      }
      f "$1" </dev/null >/dev/null 2>&1
      """;

  @TempDir Path files;
  private Path beats;

  @BeforeEach
  void makeFile() throws Exception {
    assumeTrue(LocalCommands.isRoot(), "only root becomes other users");
    assumeTrue(LocalCommands.obstacle().isEmpty(), () -> LocalCommands.obstacle().orElseThrow());
    Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rwxr-xr-x"));
    beats = Files.createFile(files.resolve("beats"));
    Files.setPosixFilePermissions(beats, PosixFilePermissions.fromString("rw-rw-rw-"));
  }

  private static LocalBackend backend() {
    return new LocalBackend(
        Configs.of(Map.of("cairn.sprite.local.processes", Integer.toString(PROCESSES))));
  }

  private String chainInC() throws Exception {
    return compiled(CHAIN_IN_C) + " " + beats;
  }

  private String compiled(String text) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no C compiler");
    var source = Files.writeString(files.resolve("source.c"), text);
    var program = files.resolve("program").toString();
    var line = List.of("gcc", "-O2", "-pthread", "-o", program, source.toString());
    assertEquals(0, new ProcessBuilder(line).inheritIO().start().waitFor());
    return program;
  }

  /** Whether the chain still writes: however it is looked for, it is not in each list. */
  private boolean isAlive() throws Exception {
    long before = Files.size(beats);
    Thread.sleep(1_000);
    return Files.size(beats) > before;
  }

  private void assertCaught(String chain) throws Exception {
    // The chain kills the shell, too, which ends the command. One chain may lose by chance.
    for (int run = 0; run < CHAINS; run++) {
      backend().begin(Runs.of(chain + "; sleep 60"));
    }
    assertTrue(Files.size(beats) > 0, "the chain never ran");
    assertFalse(isAlive(), "the chain outlived its command");
  }

  @Test
  void under_root_a_chain_of_processes_that_fork_and_end_is_caught() throws Exception {
    // Each begins the next one and ends, faster than anybody lists the processes.
    var command = "id -u; echo 'setsid sh \"$0\" >/dev/null 2>&1 &' > c; sh c";
    int uid = Integer.parseInt(backend().begin(Runs.of(command)).output().strip());
    for (int look = 0; look < 20; look++) {
      assertEquals(List.of(), ofUser(uid));
      Thread.sleep(5);
    }
  }

  @Test
  void under_root_a_chain_that_kills_whatever_would_kill_it_is_caught() throws Exception {
    assertCaught(chainInC());
  }

  @Test
  void under_root_a_chain_of_shells_that_kill_whatever_would_kill_them_is_caught()
      throws Exception {
    assertCaught(
        "sh %s %s".formatted(Files.writeString(files.resolve("c"), CHAIN_IN_SHELL), beats));
  }

  @Test
  void under_root_the_id_of_a_user_is_given_to_no_other_run_while_a_process_has_it()
      throws Exception {
    var user = LocalUser.take();
    int uid = user.uid().orElseThrow();
    user.close();
    assertTrue(LocalUser.reserve(uid));
    user.close();
    var sleep = LocalUser.silent(user.as(List.of("sleep", "600"))).start();
    try {
      while (ofUser(uid).isEmpty()) {
        Thread.sleep(5);
      }
      assertFalse(LocalUser.reserve(uid), "a process still has this id");
    } finally {
      sleep.destroyForcibly().waitFor();
    }
    assertTrue(LocalUser.reserve(uid));
    user.close();
  }

  @Test
  void under_root_the_id_of_a_user_stays_reserved_if_its_processes_cannot_be_killed()
      throws Exception {
    var chain = chainInC();
    boolean survived = false;
    for (int attempt = 0; attempt < 5 && !survived; attempt++) {
      survived = survives(chain, LocalUser.take());
    }
    assumeTrue(survived, "no chain survived");
  }

  /** Whether a chain survived {@code killAll}; it may as well have lost. It is ended either way. */
  private boolean survives(String chain, LocalUser user) throws Exception {
    Files.writeString(beats, "");
    var line = List.of("/bin/sh", "-c", LIMIT + "exec " + chain);
    var root = new ProcessBuilder(user.as(line)).redirectError(Redirect.DISCARD).start();
    try {
      while (Files.size(beats) == 0) {
        Thread.sleep(5);
      }
      boolean killed = user.killAll();
      assertFalse(killed && isAlive(), "killAll said that it had killed");
      user.close();
      boolean alive = isAlive();
      for (int look = 0; alive && look < 50; look++) {
        assertFalse(
            LocalUser.reserve(user.uid().orElseThrow()), "the id of a living process is free");
      }
      return alive;
    } finally {
      new ProcessTree(root, List.of("none"), user, PROCESSES).kill();
      assertFalse(isAlive());
      user.close();
      assertTrue(LocalUser.reserve(user.uid().orElseThrow()), "nobody has this id any more");
      user.close();
    }
  }

  @Test
  void under_root_a_process_whose_first_thread_has_ended_is_killed_and_has_its_id_until_then()
      throws Exception {
    var program = compiled(HEADLESS_IN_C);
    var user = LocalUser.take();
    int uid = user.uid().orElseThrow();
    var process = LocalUser.silent(user.as(List.of(program))).start();
    while (ofUser(uid).stream().noneMatch(LocalSurvivorTest::looksDead)) {
      Thread.sleep(5);
    }
    user.close();
    assertTrue(process.waitFor(10, TimeUnit.SECONDS), "it was not killed");

    process = LocalUser.silent(user.as(List.of(program))).start();
    while (ofUser(uid).stream().noneMatch(LocalSurvivorTest::looksDead)) {
      Thread.sleep(5);
    }
    assertFalse(LocalUser.reserve(uid), "a process still has this id");
    new ProcessTree(process, List.of("none"), new LocalUser(OptionalInt.empty()), PROCESSES).kill();
    assertTrue(process.waitFor(10, TimeUnit.SECONDS), "it was not killed one by one");
  }

  @Test
  void under_root_the_environment_of_processes_of_others_does_not_matter() throws Exception {
    var user = LocalUser.take();
    var other = LocalUser.take();
    var marks = List.of("CAIRN_RUN_ID=1");
    var line = other.as(List.of("/bin/sh", "-c", "CAIRN_RUN_ID=1 exec sleep 600"));
    var process = LocalUser.silent(line).start();
    awaitSleep(process);
    new ProcessTree(new ProcessBuilder("true").start(), marks, user, PROCESSES).kill();
    assertTrue(process.isAlive(), "it is of another user, whatever its environment says");
    process.destroyForcibly().waitFor();
    other.close();
    user.close();
  }

  private static boolean looksDead(Path process) {
    try {
      return Files.readString(process.resolve("status")).contains("State:\tZ");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void under_root_a_command_cannot_trace_what_kills_it() throws Exception {
    var tracer = compiled(TRACER_IN_C);
    var user = LocalUser.take();
    var own = LocalUser.silent(user.as(List.of("sleep", "600"))).start();
    var killer = LocalUser.silent(user.asKiller(List.of("sleep", "600"))).start();
    try {
      awaitSleep(own);
      awaitSleep(killer);
      assumeTrue(traces(user, tracer, own), "this machine lets nobody trace anything");
      assertFalse(traces(user, tracer, killer));
    } finally {
      own.destroyForcibly().waitFor();
      killer.destroyForcibly().waitFor();
      user.close();
    }
  }

  private static void awaitSleep(Process process) throws Exception {
    while (!Files.readString(Path.of("/proc/" + process.pid() + "/comm")).strip().equals("sleep")) {
      Thread.sleep(5);
    }
  }

  private static boolean traces(LocalUser user, String tracer, Process process) throws Exception {
    var line = List.of(tracer, Long.toString(process.pid()));
    return LocalUser.silent(user.as(line)).start().waitFor() == 1;
  }

  @Test
  void under_root_a_barrier_keeps_the_user_from_forking_until_it_is_closed() throws Exception {
    var user = LocalUser.take();
    var fork = List.of("/bin/sh", "-c", LIMIT + "sleep 0 & wait $!");
    assertEquals(0, LocalUser.silent(user.as(fork)).start().waitFor());
    try (var _ = ForkBarrier.against(user, PROCESSES)) {
      while (zombiesOf(user.uid().orElseThrow()) <= PROCESSES) {
        Thread.sleep(5);
      }
      assertNotEquals(0, LocalUser.silent(user.as(fork)).start().waitFor());
    }
    while (zombiesOf(user.uid().orElseThrow()) > 0) {
      Thread.sleep(5);
    }
    assertEquals(0, LocalUser.silent(user.as(fork)).start().waitFor());
    user.close();
  }

  @Test
  void under_root_what_a_command_started_is_killed_when_the_service_dies() throws Exception {
    assertKilledByGuardian(List.of("sleep", "600"));
  }

  @Test
  void under_root_what_stops_the_killer_is_killed_when_the_service_dies() throws Exception {
    assertKilledByGuardian(List.of(compiled(STOPPER_IN_C)));
  }

  private static void assertKilledByGuardian(List<String> command) throws Exception {
    var user = LocalUser.take();
    int uid = user.uid().orElseThrow();
    try (var guardian = Guardian.of(user)) {
      LocalUser.silent(user.as(command)).start();
      while (ofUser(uid).isEmpty()) {
        Thread.sleep(5);
      }
      Thread.sleep(200);
      assertFalse(ofUser(uid).isEmpty(), "it was killed too early");
      // The system closes it when the service ends, by whatever.
      var process = guardian.process().orElseThrow();
      process.getOutputStream().close();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS), "the guardian still waits");
      assertEquals(List.of(), ofUser(uid));
    }
    user.close();
  }

  @Test
  void under_root_a_command_has_no_terminal_of_the_service() throws Exception {
    var user = LocalUser.take();
    var line = List.of("/bin/sh", "-c", "read -r all </proc/self/stat; echo \"$all\"");
    var process = LocalUser.silent(user.as(line)).redirectOutput(Redirect.PIPE).start();
    // pid (name) state ppid pgrp session: it leads a session of its own.
    var fields = process.inputReader().readLine().split(" ", -1);
    assertEquals(Long.toString(process.pid()), fields[5]);
    user.close();
  }

  private static long zombiesOf(int uid) {
    return ProcessHandle.allProcesses()
        .map(process -> Path.of("/proc", Long.toString(process.pid())))
        .filter(process -> isOf(uid, process, true))
        .count();
  }

  private static List<Path> ofUser(int uid) throws Exception {
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      return processes
          .filter(process -> process.getFileName().toString().matches("[0-9]+"))
          .filter(process -> isOf(uid, process, false))
          .toList();
    }
  }

  private static boolean isOf(int uid, Path process, boolean zombie) {
    try {
      return uid == (int) Files.getAttribute(process, "unix:uid")
          && ProcessTree.isZombie(process) == zombie;
    } catch (IOException e) {
      return false;
    }
  }
}
