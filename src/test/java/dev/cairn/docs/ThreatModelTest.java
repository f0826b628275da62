package dev.cairn.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The claims of the threat model name tests that exist, or say why they are assumed. */
class ThreatModelTest {
  private static final DocsPage PAGE = new DocsPage(Path.of("docs/security-claims.md"));

  private static List<String> claims() throws IOException {
    var rows = PAGE.rowsFrom("## Claims");
    assertTrue(rows.size() > 40, "the claims are somewhere else");
    return rows;
  }

  @Test
  void every_test_that_the_claims_name_exists() throws IOException {
    assertEquals(List.of(), claims().stream().flatMap(DocsPage::missingTests).toList());
  }

  @Test
  void every_claim_is_proven_or_assumed_with_a_reason() throws IOException {
    var bare =
        claims().stream()
            .filter(row -> !DocsPage.namesTest(row) && !row.contains("assumed: "))
            .toList();
    assertEquals(List.of(), bare);
  }
}
