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
 * The package {@code content} owns the SQL on the tables of repository content. Files of other
 * packages that name these tables are listed here with the reason; the list should only shrink.
 */
class ContentTablesTest {
  private static final Path SOURCES = Path.of("src/main/java/dev/cairn");

  private static final Pattern COMMENT_LINE = Pattern.compile("(?m)^\\s*(\\*|/\\*|//).*$");

  private static final Pattern TABLE_IN_SQL =
      Pattern.compile(
          "\\b(from|join|into|update)\\s+"
              + "(entity|entity_version|entity_count|reference|commit_log|repository_head|entity_rename)\\b");

  /** The files outside of {@code content} that may name these tables, and why. */
  private static final Map<String, String> ALLOWED =
      Map.ofEntries(
          Map.entry("access/NewestSeq.java", "access may not call content"),
          Map.entry("access/limit/StoredBytes.java", "access may not call content"),
          Map.entry("query/AboutTargets.java", "only it finds the targets of assertions"),
          Map.entry("query/AssertionTree.java", "only it reads assertions about assertions"),
          Map.entry("query/ContentReads.java", "only it reads texts and descriptions of shapes"),
          Map.entry("query/DescribeReads.java", "only it reads shapes with samples"),
          Map.entry("query/DiffReads.java", "only it compares two moments"),
          Map.entry(
              "query/EntityCounts.java", "only it counts for narrowed tokens by shape and kind"),
          Map.entry("query/HistoryReads.java", "only it lists versions"),
          Map.entry("query/RefReads.java", "only it lists references"),
          Map.entry("query/ThingReads.java", "only it reads versions by name"));

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
