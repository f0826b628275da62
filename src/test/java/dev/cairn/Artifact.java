package dev.cairn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/** What the build has packaged last: a jar, or a native executable. */
final class Artifact {
  private static final String HEAP = "256m";
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  private Artifact() {}

  private static Properties description() {
    var description = new Properties();
    try (var in = Files.newBufferedReader(TARGET.resolve("quarkus-artifact.properties"))) {
      description.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return description;
  }

  /** Whether it is an executable, which has no embedded database. */
  static boolean isNative() {
    return description().getProperty("type").equals("native");
  }

  /** What starts it, with 256 MiB for its heap. */
  static List<String> command() {
    return command(HEAP);
  }

  /** The same with another maximum of its heap, such as {@code 512m}. */
  static List<String> command(String heap) {
    var file = TARGET.resolve(description().getProperty("path"));
    return isNative() ? List.of(file.toString(), "-Xmx" + heap) : command(file, heap);
  }

  /** What starts a jar, with 256 MiB for its heap. */
  static List<String> command(Path jar) {
    return command(jar, HEAP);
  }

  /**
   * Most of a test is its starts, and a third of a start is the work of the compiler that
   * optimizes, for code that is soon gone.
   */
  private static List<String> command(Path jar, String heap) {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return List.of(
        java,
        "-Xmx" + heap,
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-jar",
        jar.toAbsolutePath().toString());
  }
}
