package dev.cairn.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FieldPathTest {
  private static void assertPointer(String pointer, FieldPath path) {
    assertEquals(pointer, path.toString());
    assertEquals(pointer.length(), path.length());
  }

  @Test
  void a_path_is_written_out_as_a_pointer_of_that_length() {
    assertPointer("", FieldPath.ROOT);
    assertPointer("/a", FieldPath.ROOT.member("a"));
    assertPointer("/a/0/b/100", FieldPath.ROOT.member("a").item(0).member("b").item(100));
  }

  @Test
  void names_are_escaped() {
    assertPointer("/a~1b~0c/", FieldPath.ROOT.member("a/b~c").member(""));
  }
}
