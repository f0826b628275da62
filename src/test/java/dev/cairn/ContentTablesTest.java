package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The package {@code content} owns the SQL on the tables of repository content: other packages
 * compose their statements of its parts, or call its readers. Files of other packages that name
 * these tables all the same are listed here with the reason.
 */
class ContentTablesTest {
  private static final Path SOURCES = Path.of("src/main/java/dev/cairn");

  private static final Pattern COMMENT_LINE = Pattern.compile("(?m)^\\s*(\\*|/\\*|//).*$");

  private static final Pattern TABLE_IN_SQL =
      Pattern.compile(
          "\\b(from|join|into|update)\\s+"
              + "(entity|entity_version|entity_count|reference|commit_log|repository_head|entity_rename)\\b");

  /**
   * The files outside of {@code content} that may name these tables: two of {@code access}, which
   * {@code content} calls, so that they cannot call {@code content}. They only know the head.
   */
  private static final Map<String, String> ALLOWED =
      Map.of(
          "access/NewestSeq.java",
          "a statement that verifies remembered access also reads the newest sequence number",
          "access/limit/StoredBytes.java",
          "the bytes that commits store are a column of the head");

  @Test
  void only_content_and_listed_files_name_the_tables_of_content() throws IOException {
    try (var files = Files.walk(SOURCES)) {
      var naming =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.startsWith(SOURCES.resolve("content")))
              .filter(file -> TABLE_IN_SQL.matcher(withoutComments(file)).find())
              .map(file -> SOURCES.relativize(file).toString())
              .collect(Collectors.toCollection(TreeSet::new));
      assertEquals(
          new TreeSet<>(ALLOWED.keySet()),
          naming,
          "Move new SQL on these tables to content; remove a file that no longer names them.");
    }
  }

  private static String withoutComments(Path file) {
    return COMMENT_LINE.matcher(TextFile.read(file)).replaceAll("");
  }
}
