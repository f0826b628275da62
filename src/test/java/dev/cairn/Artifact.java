package dev.cairn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

  /** What starts the service, with 256 MiB for its heap. */
  static List<String> service() {
    return service(HEAP);
  }

  /** The same with another maximum of its heap, such as {@code 512m}. */
  static List<String> service(String heap) {
    return isNative() ? executable(heap) : jar(file(), heap, withCache(file()));
  }

  /** What starts the service of another build, a jar, with 256 MiB for its heap. */
  static List<String> service(Path jar) {
    return jar(jar, HEAP, List.of());
  }

  /** What starts the CLI: with a cache of its own, since a large one takes longer than it saves. */
  static List<String> cli() {
    return isNative()
        ? executable(HEAP)
        : jar(
            file(),
            HEAP,
            List.of("-XX:AOTCache=" + file().resolveSibling("cli.aot"), "-Xlog:disable"));
  }

  private static Path file() {
    return TARGET.resolve(description().getProperty("path"));
  }

  private static List<String> executable(String heap) {
    return List.of(file().toString(), "-Xmx" + heap);
  }

  /**
   * The AOT cache beside a jar, and the option that it was made with. One that is older than the
   * jar is not used, and nothing in the output says so.
   */
  private static List<String> withCache(Path jar) {
    return List.of(
        "-XX:AOTCache=" + jar.resolveSibling("cairn.aot"),
        "-XX:+UseCompactObjectHeaders",
        "-Xlog:disable");
  }

  /**
   * Most of a test is its starts, and a third of a start is the work of the compiler that
   * optimizes, for code that is soon gone.
   */
  private static List<String> jar(Path jar, String heap, List<String> options) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of(
            "-Xmx" + heap,
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-jar",
            jar.toAbsolutePath().toString()));
    return command;
  }
}
