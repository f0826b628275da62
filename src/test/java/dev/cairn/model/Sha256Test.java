package dev.cairn.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class Sha256Test {
  @Test
  void the_hash_of_a_text_is_that_of_its_utf_8() {
    assertEquals(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        HexFormat.of().formatHex(Sha256.of("abc")));
  }
}
