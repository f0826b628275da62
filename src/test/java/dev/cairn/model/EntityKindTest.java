package dev.cairn.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EntityKindTest {
  @ParameterizedTest
  @EnumSource
  void a_kind_is_found_by_its_word(EntityKind kind) {
    assertEquals(Optional.of(kind), EntityKind.of(kind.wire()));
  }

  @Test
  void words_are_lower_case_and_a_collection_is_no_kind() {
    assertEquals("assertion", EntityKind.ASSERTION.wire());
    assertEquals(Optional.empty(), EntityKind.of("Thing"));
    assertEquals(Optional.empty(), EntityKind.of("collection"));
    assertEquals(Optional.empty(), EntityKind.of(null));
  }
}
