package dev.cairn.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * Runs commands that need programs, machines or minutes that a test has not: in a directory that
 * looks like the project, where stand-ins for these programs write down how they are called. Their
 * arguments are those that the shell makes of the text; files that are read or copied are there.
 */
final class Rehearsal {
  private static final List<String> ON_PATH =
      List.of(
          "java",
          "cairn",
          "docker",
          "kubectl",
          "curl",
          "openssl",
          "pg_dump",
          "createdb",
          "pg_restore",
          "pg_basebackup",
          "psql");

  private static final List<String> IN_PROJECT =
      List.of(
          "run",
          "install",
          "mvnw",
          "src/bench/run",
          "src/bench/start.sh",
          "src/main/docker/aot-cache.sh");

  /** Files of the embedded database, whose content the commands insert. */
  private static final List<String> OF_DATABASE = List.of("postgres.password", "postgres.port");

  private final Path directory;
  private final Path calls;

  /** In an empty directory. */
  Rehearsal(Path directory) throws IOException {
    this.directory = directory;
    this.calls = directory.resolve("calls");
    for (var program : ON_PATH) {
      standIn(directory.resolve("bin").resolve(program), program);
    }
    for (var program : IN_PROJECT) {
      standIn(directory.resolve(program), program);
    }
    Files.createDirectories(directory.resolve("target/quarkus-app"));
    Files.createDirectories(directory.resolve("pgdata"));
    Files.createSymbolicLink(directory.resolve("deploy"), Path.of("deploy").toAbsolutePath());
    for (var file : OF_DATABASE) {
      write(directory.resolve("data").resolve(file), file + "\n");
    }
  }

  private void standIn(Path file, String program) throws IOException {
    write(
        file,
        """
        #!/bin/sh
        echo "%s $*" >> '%s'
        """
            .formatted(program, calls));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** Runs commands, each of which must succeed; returns how programs were called, in order. */
  List<String> run(String commands) throws IOException, InterruptedException {
    Files.writeString(calls, "");
    var builder = new ProcessBuilder("sh", "-eu", "-c", commands);
    builder.directory(directory.toFile()).redirectErrorStream(true);
    var environment = builder.environment();
    environment.put("PATH", directory.resolve("bin") + ":" + environment.get("PATH"));
    environment.put("HOME", directory.toString());
    environment.put("PGDATA", directory.resolve("pgdata").toString());
    var process = builder.start();
    process.getOutputStream().close();
    var printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), printed);
    return Files.readAllLines(calls);
  }
}
