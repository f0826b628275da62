package dev.cairn.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of OWASP ASVS has each requirement of level 2 once, with an answer that is founded. */
class AsvsPageTest {
  private static final DocsPage HEAD = new DocsPage(Path.of("docs/asvs.md"));
  private static final DocsPage PAGE = new DocsPage(Path.of("docs/asvs-requirements.md"));

  /** The sections of ASVS 5.0.0, each with the number of its requirements of levels 1 and 2. */
  private static final String SECTIONS =
      """
      1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2
      4.1:3 4.2:1 4.3:2 4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4
      7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4
      10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1
      12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7
      16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2
      """;

  private static final Pattern ROW =
      Pattern.compile(
          "\\| ([0-9.]+) \\| [^|]+ \\| (held|documented|not held|not applicable): (.+) \\|");

  private static final Pattern COUNT = Pattern.compile("\\| ([a-z ]+) \\| (\\d+) \\| .+ \\|");

  private static List<String> rows() throws IOException {
    return PAGE.rowsFrom("## V1 ").stream().filter(row -> row.matches("\\| \\d.*")).toList();
  }

  private static Stream<String> numbersOf(String section) {
    var parts = section.split(":", -1);
    return IntStream.rangeClosed(1, Integer.parseInt(parts[1])).mapToObj(i -> parts[0] + "." + i);
  }

  /** Whether a row's answer is one of the four, with what that one needs. */
  private static boolean isFounded(String row) {
    var parts = ROW.matcher(row);
    return parts.matches()
        && switch (parts.group(2)) {
          case "held" -> DocsPage.namesTest(row);
          case "documented" -> DocsPage.hasLink(row);
          default -> !parts.group(3).isBlank();
        };
  }

  @Test
  void each_requirement_of_level_2_stands_there_once() throws IOException {
    assertEquals(
        Stream.of(SECTIONS.strip().split("\\s+", -1)).flatMap(AsvsPageTest::numbersOf).toList(),
        rows().stream().map(row -> row.split(" ", -1)[1]).toList());
  }

  @Test
  void each_answer_names_its_tests_its_page_or_its_reason() throws IOException {
    assertEquals(List.of(), rows().stream().filter(row -> !isFounded(row)).toList());
  }

  @Test
  void the_page_before_it_counts_the_answers() throws IOException {
    var stated =
        HEAD.rowsFrom("# OWASP ASVS").stream()
            .map(COUNT::matcher)
            .filter(Matcher::matches)
            .collect(Collectors.toMap(row -> row.group(1), row -> Long.valueOf(row.group(2))));
    assertEquals(
        rows().stream()
            .map(ROW::matcher)
            .filter(Matcher::matches)
            .collect(Collectors.groupingBy(row -> row.group(2), Collectors.counting())),
        stated);
  }

  @Test
  void every_test_that_it_names_exists() throws IOException {
    assertEquals(List.of(), rows().stream().flatMap(DocsPage::missingTests).toList());
  }
}
