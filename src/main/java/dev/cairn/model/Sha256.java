package dev.cairn.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, the only hash function that the service uses for content. */
public final class Sha256 {
  private Sha256() {}

  /** The hash (32 bytes) of {@code bytes}. */
  public static byte[] of(byte[] bytes) {
    return digest().digest(bytes);
  }

  /** The hash (32 bytes) of the text in UTF-8. */
  public static byte[] of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A digest that is updated piece by piece. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every JDK", e);
    }
  }
}
