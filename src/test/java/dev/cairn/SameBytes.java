package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Base64;
import java.util.List;

/** Other texts of base64 for URLs that decode to the same bytes, as a lenient reader takes them. */
public final class SameBytes {
  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private SameBytes() {}

  /**
   * With another last character, whose last bits mean nothing, and with padding.
   *
   * @param text without padding, of a number of bytes that 3 does not divide
   */
  public static List<String> of(String text) {
    int last = text.length() - 1;
    int value = ALPHABET.indexOf(text.charAt(last));
    var others =
        List.of(
            text.substring(0, last) + ALPHABET.charAt(value ^ 1),
            text + "=".repeat((4 - text.length() % 4) % 4));
    for (var other : others) {
      assertArrayEquals(
          Base64.getUrlDecoder().decode(text), Base64.getUrlDecoder().decode(other), other);
    }
    return others;
  }
}
