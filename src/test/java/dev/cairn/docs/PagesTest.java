package dev.cairn.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whoever follows a link between pages, or from the code to a page, arrives. */
class PagesTest {
  private static final Path DOCS = Path.of("docs");

  /** Pages beside the code that readers open first. */
  private static final List<Path> AT_THE_TOP =
      Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
          .map(Path::of)
          .toList();

  private static final List<Path> CODE =
      List.of(
          Path.of("src/main/java"),
          Path.of("src/test/java"),
          Path.of("src/main/openapi"),
          Path.of("src/main/resources/application.properties"));

  /** A line break in a comment, with what begins the next line. */
  private static final Pattern COMMENT_BREAK = Pattern.compile("\\s*\\n\\s*(?:\\*|//|#)?\\s*");

  /** A page, and the section that follows it: {@code docs/api.md}, Limits. */
  private static final Pattern REFERENCE =
      Pattern.compile("docs/([a-z-]+\\.md)(?:[`}]*, ([A-Z][^.;:)`]*))?");

  private static List<Path> pages() throws IOException {
    try (var files = Files.walk(DOCS)) {
      return Stream.concat(
              AT_THE_TOP.stream(), files.filter(file -> file.toString().endsWith(".md")))
          .toList();
    }
  }

  private static List<Path> code() throws IOException {
    var files = new ArrayList<Path>();
    for (var root : CODE) {
      try (var found = Files.walk(root)) {
        found
            .filter(file -> file.toString().matches(".*\\.(java|yaml|properties)"))
            .forEach(files::add);
      }
    }
    return files;
  }

  @Test
  void every_link_leads_to_a_file_and_a_section() throws IOException {
    assertTrue(pages().size() > 30, "the pages are somewhere else");
    var broken =
        pages().stream()
            .flatMap(page -> new DocsPage(page).brokenLinks(TextFile.read(page)).map(l -> page + l))
            .toList();
    assertEquals(List.of(), broken);
  }

  @Test
  void the_index_has_every_page() throws IOException {
    var index = TextFile.read(DOCS.resolve("README.md"));
    try (var files = Files.list(DOCS)) {
      var missing =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
              .filter(name -> !index.contains("](" + name + ")"))
              .sorted()
              .toList();
      assertEquals(List.of(), missing);
    }
  }

  @Test
  void the_code_refers_to_pages_and_sections_that_exist() throws IOException {
    var references =
        code().stream()
            .flatMap(
                file ->
                    REFERENCE
                        .matcher(COMMENT_BREAK.matcher(TextFile.read(file)).replaceAll(" "))
                        .results()
                        .filter(r -> !isThere(DOCS.resolve(r.group(1)), r.group(2)))
                        .map(r -> file + ": " + r.group()))
            .toList();
    assertEquals(List.of(), references);
  }

  /** Whether a page is there and, if a section is named, begins a heading as the name does. */
  private static boolean isThere(Path page, String section) {
    if (!Files.exists(page)) {
      return false;
    }
    return section == null || new DocsPage(page).anchorOf(section).isPresent();
  }
}
