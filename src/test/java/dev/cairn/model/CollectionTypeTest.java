package dev.cairn.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CollectionTypeTest {
  @ParameterizedTest
  @CsvSource({
    "PAIR,1,false",
    "PAIR,2,true",
    "PAIR,3,false",
    "TRIPLE,2,false",
    "TRIPLE,3,true",
    "TRIPLE,4,false",
    "SET,0,false",
    "SET,1,true",
    "SET,1000,true",
    "LIST,0,false",
    "LIST,1,true"
  })
  void each_type_takes_its_number_of_members(CollectionType type, int count, boolean allows) {
    assertEquals(allows, type.allows(count));
  }

  @Test
  void sets_and_lists_are_open() {
    assertTrue(CollectionType.SET.isOpen());
    assertTrue(CollectionType.LIST.isOpen());
    assertFalse(CollectionType.PAIR.isOpen());
    assertFalse(CollectionType.TRIPLE.isOpen());
  }

  @Test
  void other_words_and_shapes_are_no_collection() {
    assertEquals(Optional.empty(), CollectionType.of("Pair"));
    assertEquals(Optional.empty(), CollectionType.of(null));
    assertEquals(Optional.empty(), CollectionType.ofShape("pair"));
    assertEquals(Optional.empty(), CollectionType.ofShape("Content"));
  }
}
