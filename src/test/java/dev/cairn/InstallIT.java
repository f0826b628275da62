package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./install} of what the build has packaged: {@code docs/cli.md}, Install. */
class InstallIT {
  private static final String FLAGS = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 ";

  @TempDir Path home;

  private static Cli.Result run(Cli user, String... command) throws Exception {
    return user.start("", List.of(command)).await();
  }

  @Test
  void it_installs_a_command_that_runs_and_says_if_the_java_is_too_old() throws Exception {
    var user =
        new Cli(home, "http://localhost:1")
            .with("XDG_DATA_HOME", home.resolve("data").toString())
            .with("JAVA_HOME", System.getProperty("java.home"));
    var bin = home.resolve("bin");
    var cairn = bin.resolve("cairn");
    var installed = run(user, "./install", bin.toString());
    assertEquals(0, installed.code(), installed.err());
    assertTrue(installed.out().startsWith(cairn + " is cairn "), installed.out());
    assertEquals("Add " + bin + " to your PATH.\n", installed.err());
    if (!Artifact.isNative()) {
      assertLauncher(user, cairn.toString());
    }
  }

  private void assertLauncher(Cli user, String cairn) throws Exception {
    for (var old : List.of("1.8.0_402", "21.0.2")) {
      var result = run(user.with("JAVA_HOME", jdk(old)), cairn, "--version");
      assertEquals(1, result.code());
      assertEquals("", result.out());
      assertEquals(
          """
          cairn: It needs Java 25, but %s/bin/java is Java %s.
          Try: export JAVA_HOME=<the directory of a JDK 25>
          """
              .formatted(jdk(old), old.split("\\.", 2)[0]),
          result.err());
    }
    var missing = run(user.with("JAVA_HOME", "/none"), cairn, "serve");
    assertEquals(1, missing.code());
    assertTrue(
        missing.err().startsWith("cairn: It needs Java 25, but there is no /none/bin/java.\n"),
        missing.err());
    var jar = "-jar " + home.resolve("data/cairn/quarkus-run.jar");
    var newer = user.with("JAVA_HOME", jdk("26"));
    assertEquals(
        FLAGS + jar + " thing get City/a b\n", run(newer, cairn, "thing", "get", "City/a b").out());
    assertEquals(jar + "\n", run(newer, cairn).out());
  }

  /** A JDK whose {@code java} writes its arguments. */
  private String jdk(String version) throws IOException {
    var jdk = home.resolve("jdk " + version);
    var java = Files.createDirectories(jdk.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho \"$@\"\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
    return jdk.toString();
  }
}
