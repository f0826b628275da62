package dev.cairn.openapi;

import static java.util.stream.Collectors.joining;

import dev.cairn.docs.DocsPage;
import dev.cairn.docs.GeneratedPart;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RoutesPageTest {
  /** A page and, if one is named, a section of it. */
  private static final Pattern PAGE =
      Pattern.compile("`docs/(([a-z-]+)\\.md)`(?:, ([A-Z`][^.;:)]*))?");

  @Test
  void the_page_of_the_api_lists_the_routes_as_the_document_has_them() {
    var rows = OpenApi.get().operations().stream().map(RoutesPageTest::row).collect(joining("\n"));
    new GeneratedPart(Path.of("docs/api.md"), RoutesPageTest.class)
        .check("| Method | Path | What it does | Page |\n|---|---|---|---|\n" + rows);
  }

  private static String row(OpenApi.Operation operation) {
    return "| %s | `%s` | %s | %s |"
        .formatted(
            operation.verb(),
            operation.path().replaceAll("\\{(\\w+)}", ":$1"),
            operation.node().get("summary").asText(),
            link(operation.node().get("description").asText().replaceAll("\\s+", " ")));
  }

  private static String link(String description) {
    var page = PAGE.matcher(description);
    if (!page.find()) {
      throw new IllegalStateException("no page in " + description);
    }
    var section =
        page.group(3) == null
            ? ""
            : new DocsPage(Path.of("docs", page.group(1)))
                .anchorOf(page.group(3))
                .map(anchor -> "#" + anchor)
                .orElse("");
    return "[%s](%s%s)".formatted(page.group(2), page.group(1), section);
  }
}
