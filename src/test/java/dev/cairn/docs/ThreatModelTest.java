package dev.cairn.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreatModelTest {
  private static final SecurityPage PAGE = new SecurityPage(Path.of("docs/threat-model.md"));

  private static List<String> claims() throws IOException {
    var rows = PAGE.rowsFrom("## Claims");
    assertTrue(rows.size() > 40, "the claims are somewhere else");
    return rows;
  }

  @Test
  void every_test_that_the_threat_model_names_exists() throws IOException {
    assertEquals(List.of(), claims().stream().flatMap(SecurityPage::missingTests).toList());
  }

  @Test
  void every_claim_is_proven_or_assumed_with_a_reason() throws IOException {
    var bare =
        claims().stream()
            .filter(row -> !SecurityPage.namesTest(row) && !row.contains("assumed: "))
            .toList();
    assertEquals(List.of(), bare);
  }
}
