import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/**
 * Real content: a compressed file of operations, one JSON object a line: shapes, {@code Package}s,
 * and {@code Dependency} assertions about them.
 */
final class Operations {
  /** As many as a commit may have. */
  private static final int BATCH = 10_000;

  private Operations() {}

  static List<String> read(Path file) throws IOException {
    try (var lines =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(Files.newInputStream(file))))) {
      return lines.lines().toList();
    }
  }

  /** The name that an operation gives. */
  static String name(String operation) {
    return operation.replaceFirst(".*?\"name\":\"([^\"]*)\".*", "$1");
  }

  static boolean isPackage(String operation) {
    return name(operation).startsWith("Package/");
  }

  /** Commits them in order, as many at once as may be. */
  static void commit(Service service, String repository, List<String> operations) throws Exception {
    for (int i = 0; i < operations.size(); i += BATCH) {
      service.post(
          repository + "/commits",
          operations.subList(i, Math.min(i + BATCH, operations.size())).stream()
              .collect(Collectors.joining(",", "{\"operations\":[", "]}")));
    }
  }
}
