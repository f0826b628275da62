package dev.cairn.model;

import static dev.cairn.model.Samples.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkTest {
  @Test
  void a_dollar_and_a_number_is_the_result_of_an_operation() {
    assertEquals(new Link.Result(0), Link.parse("$0"));
    assertEquals(new Link.Result(12), Link.parse("$12"));
    assertEquals(new Link.Result(9_999_999), Link.parse("$9999999"));
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(
      strings = {"$", "$00", "$01", "$-1", "$+1", "$1.0", "$a", "$10000000", "$٣", "0", "$0/a"})
  void another_form_is_no_result(String text) {
    assertFalse(Link.isResult(text));
    refused(() -> Link.parse(text));
  }

  @Test
  void a_write_points_at_the_newest_or_at_one_version() {
    for (var text : new String[] {"S/a", "S/a@HEAD", "S/a@v3", "cairn:o/r/S/a@v3"}) {
      assertEquals(new Link.To(Wref.parse(text)), Link.parse(text));
    }
  }

  @Test
  void a_write_cannot_point_at_all_versions() {
    assertTrue(refused(() -> Link.parse("S/a@ALL")).detail().contains("@ALL"));
  }
}
