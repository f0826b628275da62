package dev.cairn.oauth;

import dev.cairn.model.Sha256;
import dev.cairn.platform.Base64Url;
import java.security.SecureRandom;
import java.util.regex.Pattern;

/**
 * Random secrets, which are stored as their hash. Each begins with a prefix for its purpose, by
 * which secret masking and scanners for leaked secrets recognize it.
 */
enum Secret {
  /** The authorization code, which a client gets at its redirect URI. */
  CODE("cairn_code_"),
  /** The device code, with which a device polls. */
  DEVICE_CODE("cairn_device_"),
  /** The value of a cookie. */
  COOKIE("cairn_cookie_");

  private static final int RANDOM_BYTES = 32;

  private final String prefix;
  private final Pattern form;

  Secret(String prefix) {
    this.prefix = prefix;
    this.form = Pattern.compile(prefix + "[A-Za-z0-9_-]{43}");
  }

  /** A new secret: the prefix, and 32 random bytes in base64url. */
  String next() {
    var bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return prefix + Base64Url.encode(bytes);
  }

  /** Whether a text has this format. */
  boolean matches(String text) {
    return form.matcher(text).matches();
  }

  /** The stored hash of a secret. */
  static byte[] hash(String secret) {
    return Sha256.of(secret);
  }
}
