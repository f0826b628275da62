import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** A directory for the data and logs of a measurement, which is deleted after it. */
record TemporaryDirectory(Path path) implements AutoCloseable {
  TemporaryDirectory(String prefix) throws IOException {
    this(Files.createTempDirectory(prefix));
  }

  @Override
  public void close() throws IOException {
    try (var files = Files.walk(path)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(f -> f.delete());
    }
  }
}
