package dev.cairn.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

class ThreatModelTest {
  private static final Path PAGE = Path.of("docs/threat-model.md");
  private static final Pattern NAMED = Pattern.compile("`([a-zA-Z.]+)#(\\w+)`");

  /** The rows of the tables of claims, without their heads. */
  private static List<String> claims() throws IOException {
    var page = Files.readString(PAGE);
    var rows =
        page.substring(page.indexOf("## Claims"))
            .lines()
            .filter(line -> line.startsWith("| ") && !line.equals("| Claim | Proof |"))
            .toList();
    assertTrue(rows.size() > 40, "the claims are somewhere else");
    return rows;
  }

  private static Stream<MatchResult> named(String row) {
    return NAMED.matcher(row).results();
  }

  private static boolean isTest(String type, String method) {
    try {
      var tests = Class.forName("dev.cairn." + type, false, ThreatModelTest.class.getClassLoader());
      return Arrays.stream(tests.getDeclaredMethods())
          .anyMatch(
              m -> m.getName().equals(method) && AnnotationSupport.isAnnotated(m, Testable.class));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Test
  void every_test_that_the_threat_model_names_exists() throws IOException {
    var missing =
        claims().stream()
            .flatMap(row -> named(row).filter(m -> !isTest(m.group(1), m.group(2))))
            .map(MatchResult::group)
            .toList();
    assertEquals(List.of(), missing);
  }

  @Test
  void every_claim_is_proven_or_assumed_with_a_reason() throws IOException {
    var bare =
        claims().stream()
            .filter(row -> named(row).findAny().isEmpty() && !row.contains("assumed: "))
            .toList();
    assertEquals(List.of(), bare);
  }
}
