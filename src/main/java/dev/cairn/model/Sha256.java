package dev.cairn.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The one hash of the service. */
public final class Sha256 {
  private Sha256() {}

  /** The 32 bytes of the hash of {@code bytes}. */
  public static byte[] of(byte[] bytes) {
    return digest().digest(bytes);
  }

  /** The 32 bytes of the hash of a text's UTF-8. */
  public static byte[] of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A digest to feed piece by piece. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every JDK", e);
    }
  }
}
