package dev.cairn.docs;

import dev.cairn.model.ErrorCode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ErrorsPageTest {
  @Test
  void the_page_of_errors_lists_the_codes_as_they_are() {
    var rows =
        Arrays.stream(ErrorCode.values())
            .sorted(Comparator.comparingInt(ErrorCode::status))
            .map(ErrorsPageTest::row)
            .collect(Collectors.joining("\n"));
    new GeneratedPart(Path.of("docs/errors.md"), ErrorsPageTest.class)
        .check("| Status | Code | Title | Meaning |\n|---|---|---|---|\n" + rows);
  }

  private static String row(ErrorCode code) {
    return "| %d | `%s` | %s | %s |"
        .formatted(code.status(), code.name(), code.title(), code.meaning());
  }
}
