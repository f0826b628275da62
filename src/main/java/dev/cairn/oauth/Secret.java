package dev.cairn.oauth;

import dev.cairn.model.Sha256;
import dev.cairn.platform.Base64Url;
import java.security.SecureRandom;
import java.util.regex.Pattern;

/**
 * Random values that nobody guesses; stored as their hash. What one is for stands in front of it,
 * so that whatever shows texts of others, and scanners of leaked secrets, recognize one by itself.
 */
enum Secret {
  /** What a client gets at its redirect URI. */
  CODE("cairn_code_"),
  /** What a device polls with while it waits. */
  DEVICE_CODE("cairn_device_"),
  /** What the cookies of the pages hold. */
  COOKIE("cairn_cookie_");

  private static final int BYTES = 32;

  private final String prefix;
  private final Pattern form;

  Secret(String prefix) {
    this.prefix = prefix;
    this.form = Pattern.compile(prefix + "[A-Za-z0-9_-]{43}");
  }

  /** A new one: the prefix, and 32 random bytes in base64url. */
  String next() {
    var bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return prefix + Base64Url.encode(bytes);
  }

  /** Whether a text has the form of one of these. */
  boolean matches(String text) {
    return form.matcher(text).matches();
  }

  /** What is stored of one. */
  static byte[] hash(String secret) {
    return Sha256.of(secret);
  }
}
