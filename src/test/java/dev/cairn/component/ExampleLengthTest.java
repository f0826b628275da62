package dev.cairn.component;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The examples of components are short enough to be read as a whole. */
class ExampleLengthTest {
  private static final Path EXAMPLES = Path.of("examples/components");
  private static final int MAX_LINES = 149;

  @Test
  void each_example_is_a_server_of_under_150_lines_and_two_manifests() throws IOException {
    try (var examples = Files.list(EXAMPLES)) {
      for (var example : examples.toList()) {
        try (var files = Files.list(example)) {
          assertEquals(
              Set.of("Server.java", "manifest.json", "manifest-1.1.0.json"),
              files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()));
        }
        int lines = Files.readAllLines(example.resolve("Server.java")).size();
        assertTrue(lines <= MAX_LINES, example + " has " + lines + " lines");
      }
    }
  }
}
