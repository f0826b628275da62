package dev.cairn.sprite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.Eventually;
import dev.cairn.platform.Configs;
import dev.cairn.platform.LocalCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that try to outlive their end; only root gives each a user of its own. */
@Timeout(300)
class LocalSurvivorTest {
  private static final int CHAINS = 8;

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
      #include <unistd.h>
      int main() {
        if (fork() > 0) return 0;
        setsid();
        while (1) kill(-1, SIGSTOP);
      }
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

  /** Traces the process that started it, and never asks how that ended. */
  private static final String HOLDER_IN_C =
      """
      #include <stdio.h>
      #include <stdlib.h>
      #include <sys/ptrace.h>
      #include <unistd.h>
      int main(int count, char **words) {
        int parent = getppid();
        if (fork() > 0) { sleep(1); return 0; }
        setsid();
        if (ptrace(PTRACE_SEIZE, parent, 0, 0)) return 1;
        while (1) pause();
      }
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

  /** A service that runs one command, and is killed. */
  static final class KilledService {
    private KilledService() {}

    public static void main(String... command) throws Exception {
      backend().begin(Runs.of(command[0]));
    }
  }

  private static LocalBackend backend() {
    return new LocalBackend(
        Configs.of(Map.of("cairn.sprite.local.processes", "64")), LocalRuns.REMAINS);
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
    var chain = compiled(CHAIN_IN_C) + " " + beats;
    // The chain kills the shell, too, which ends the command. One chain may lose by chance.
    for (int run = 0; run < CHAINS; run++) {
      backend().begin(Runs.of(chain + "; sleep 60"));
    }
    assertTrue(Files.size(beats) > 0, "the chain never ran");
    assertFalse(isAlive(), "the chain outlived its command");
  }

  @Test
  void under_root_what_stops_all_others_ends_with_its_time() throws Exception {
    var run = Runs.of("id -u; " + compiled(STOPPER_IN_C) + "; sleep 60");
    var stopped =
        assertThrows(
            SpriteException.class, () -> backend().begin(Runs.with(Duration.ofSeconds(4), run)));
    assertEquals(List.of(), ofUser(Integer.parseInt(stopped.output().strip())));
  }

  @Test
  void under_root_a_process_whose_first_thread_has_ended_ends_with_its_command() throws Exception {
    var exit = backend().begin(Runs.of("id -u; %s & sleep 1".formatted(compiled(HEADLESS_IN_C))));
    assertEquals(List.of(), ofUser(Integer.parseInt(exit.output().strip())));
  }

  @Test
  void under_root_a_command_sees_no_processes_but_its_own_and_traces_none() throws Exception {
    var tracer = compiled(TRACER_IN_C);
    var command =
        "sleep 60 & %1$s $!; echo $?; %1$s 1; echo $?; ls -d /proc/[0-9]* | wc -l; ls -l /proc/1/fd"
            .formatted(tracer);
    var exit = backend().begin(Runs.of(command));
    var lines = exit.output().lines().toList();
    assumeTrue(lines.getFirst().equals("1"), "this machine lets nobody trace anything");
    assertEquals("0", lines.get(1), "the command may trace what ends it");
    assertTrue(Integer.parseInt(lines.get(2)) < 10, exit::output);
    assertTrue(exit.errors().contains("ermission denied"), exit::errors);
  }

  @Test
  void under_root_shared_memory_goes_with_the_command() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/ipcmk")), "there is no ipcmk");
    var segments = Path.of("/proc/sysvipc/shm");
    var exit = backend().begin(Runs.of("ipcmk -M 1234567"));
    assertEquals(0, exit.status(), exit::errors);
    assertTrue(
        Files.readAllLines(segments).stream()
            .noneMatch(line -> line.strip().split("\\s+", -1)[3].equals("1234567")));
  }

  @Test
  void under_root_the_id_of_a_user_is_given_to_no_other_run_while_a_process_has_it()
      throws Exception {
    var user = LocalUser.take();
    int uid = user.uid().orElseThrow();
    assertFalse(LocalUser.reserve(uid), "another run has this id");
    user.close();
    var sleep = new ProcessBuilder(user.as(List.of("sleep", "600"))).start();
    try {
      Eventually.await("the process has begun", () -> !ofUser(uid).isEmpty());
      assertFalse(LocalUser.reserve(uid), "a process still has this id");
    } finally {
      sleep.destroyForcibly().waitFor();
    }
    assertTrue(LocalUser.reserve(uid));
    user.close();
  }

  @Test
  void under_root_what_a_command_started_is_killed_when_the_service_dies() throws Exception {
    assertDiesWithService("setsid sleep 600 & sleep 600", "Name:\tsleep");
  }

  @Test
  void under_root_what_stops_all_others_is_killed_when_the_service_dies() throws Exception {
    assertDiesWithService(compiled(STOPPER_IN_C) + "; sleep 600", "State:\tT");
  }

  @Test
  void under_root_what_traces_its_command_is_killed_when_the_service_dies() throws Exception {
    // Where nobody may trace, the shell goes on with its last command.
    var running = "TracerPid:\t[1-9]|Name:\tsleep";
    assertDiesWithService(compiled(HOLDER_IN_C) + "; exec sleep 600", running);
  }

  @Test
  void under_root_a_command_has_no_file_systems_of_its_own_making() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/fuse")), "this machine has no FUSE");
    assertEquals("1,3\n", backend().begin(Runs.of("stat -c %t,%T /dev/fuse")).output());
  }

  @Test
  void under_root_a_command_is_killed_when_a_service_dies_that_ignores_sigterm() throws Exception {
    assertDiesWithService(
        "sleep 600", "Name:\tsleep", "/bin/sh", "-c", "trap '' TERM; exec \"$@\"", "sh");
  }

  @Test
  void under_root_a_command_may_ignore_the_sigterm_of_a_supervisor() throws Exception {
    var words = "trap '' TERM; echo >> %s; sleep 2; echo done".formatted(beats);
    var ended = new FutureTask<>(() -> backend().begin(Runs.of(words)));
    Thread.ofVirtual().start(ended);
    Eventually.await(
        "the command has begun",
        () -> {
          assertFalse(ended.isDone(), "it ended by itself");
          return Files.size(beats) > 0;
        });
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroy);
    assertEquals(new SpriteExit(0, "done\n", ""), ended.get());
  }

  /**
   * Kills a service while it runs a command.
   *
   * @param running what the status of one of its processes says once it does what it is to do, as a
   *     regular expression
   */
  private void assertDiesWithService(String command, String running, String... wrapper)
      throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var words = "id -u > %s; echo >> %1$s; %s".formatted(beats, command);
    var main =
        Stream.of(
            java,
            "-Djava.io.tmpdir=" + beats.getParent(),
            "-cp",
            System.getProperty("java.class.path"),
            KilledService.class.getName(),
            words);
    var line = Stream.concat(Stream.of(wrapper), main).toList();
    var service = new ProcessBuilder(line).inheritIO().start();
    int id;
    try {
      Eventually.await(
          "the command has begun",
          () -> {
            assertTrue(service.isAlive(), "the service ended by itself");
            return Files.readAllLines(beats).size() >= 2;
          });
      id = Integer.parseInt(Files.readAllLines(beats).getFirst());
      awaitProcess(id, running);
    } finally {
      service.destroyForcibly().waitFor();
    }
    Eventually.await(Duration.ofSeconds(10), "no process is left", () -> ofUser(id).isEmpty());
  }

  @Test
  void under_root_a_command_has_no_terminal_of_the_service() throws Exception {
    var exit = backend().begin(Runs.of("read -r all </proc/self/stat; echo \"$all\""));
    // pid (name) state ppid pgrp session terminal: its session began outside of its namespace.
    var fields = exit.output().strip().split(" ", -1);
    assertEquals("0", fields[5], exit::output);
    assertEquals("0", fields[6], exit::output);
  }

  private static void awaitProcess(int uid, String status) {
    Eventually.await(
        "a process of the command has the status " + status,
        () -> {
          assertFalse(ofUser(uid).isEmpty(), "it was killed too early");
          return ofUser(uid).stream().anyMatch(process -> says(process, status));
        });
  }

  private static boolean says(Path process, String status) {
    try {
      return Pattern.compile(status).matcher(Files.readString(process.resolve("status"))).find();
    } catch (IOException e) {
      return false; // it has ended
    }
  }

  private static List<Path> ofUser(int uid) throws IOException {
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      return processes
          .filter(process -> process.getFileName().toString().matches("[0-9]+"))
          .filter(process -> isOf(uid, process))
          .toList();
    }
  }

  private static boolean isOf(int uid, Path process) {
    try {
      return uid == (int) Files.getAttribute(process, "unix:uid");
    } catch (IOException e) {
      return false;
    }
  }
}
