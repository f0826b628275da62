package dev.cairn.oauth;

import dev.cairn.model.Sha256;
import java.security.SecureRandom;
import java.util.Base64;

/** Random values that nobody guesses; stored as their hash. */
final class Secret {
  private static final int BYTES = 32;

  private Secret() {}

  /** 32 random bytes in base64url. */
  static String next() {
    var bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** What is stored of one. */
  static byte[] hash(String secret) {
    return Sha256.of(secret);
  }
}
