package dev.cairn.platform;

import java.util.Base64;
import java.util.Optional;

/**
 * Base64 for URLs, without padding. Several texts decode to the same bytes: only the one that
 * encoding gives is valid here.
 */
public final class Base64Url {
  private Base64Url() {}

  /** The text of some bytes. */
  public static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The bytes of a text; empty unless encoding them gives the same text. */
  public static Optional<byte[]> decode(String text) {
    try {
      return Optional.of(Base64.getUrlDecoder().decode(text))
          .filter(bytes -> encode(bytes).equals(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
