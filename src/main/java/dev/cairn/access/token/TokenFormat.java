package dev.cairn.access.token;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.zip.CRC32;

/**
 * The format of an opaque token: a prefix for its kind, 32 random bytes in base62, and a checksum
 * over both, by which scanners for leaked secrets can verify a match without the service.
 */
enum TokenFormat {
  PERSONAL("cairn_pat_"),
  SERVICE("cairn_svc_"),
  COMPONENT("cairn_cmp_"),
  TICKET("cairn_tkt_");

  private static final String DIGITS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final BigInteger BASE = BigInteger.valueOf(DIGITS.length());
  private static final int RANDOM_BYTES = 32;

  /** 62^43 is the least power of 62 beyond 2^256. */
  private static final int RANDOM_LENGTH = 43;

  private static final int CHECKSUM_LENGTH = 6;

  private final String prefix;

  TokenFormat(String prefix) {
    this.prefix = prefix;
  }

  /** The prefix of all tokens of this kind. */
  String prefix() {
    return prefix;
  }

  /** A new token. */
  String random() {
    var bytes = new byte[RANDOM_BYTES];
    // Created here: a static one would be part of a native image, including its seed.
    new SecureRandom().nextBytes(bytes);
    var body = prefix + base62(new BigInteger(1, bytes), RANDOM_LENGTH);
    return body + checksum(body);
  }

  /** Whether a bearer token has the prefix of this kind. */
  boolean isClaimedBy(String token) {
    return token.startsWith(prefix);
  }

  /** Whether a text is a well-formed token, so that others need no look-up. */
  boolean isWellFormed(String token) {
    int end = prefix.length() + RANDOM_LENGTH;
    return token.length() == end + CHECKSUM_LENGTH
        && isClaimedBy(token)
        && token.substring(end).equals(checksum(token.substring(0, end)));
  }

  private static String checksum(String text) {
    var crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return base62(BigInteger.valueOf(crc.getValue()), CHECKSUM_LENGTH);
  }

  private static String base62(BigInteger value, int length) {
    var out = new StringBuilder();
    var rest = value;
    for (int i = 0; i < length; i++) {
      var parts = rest.divideAndRemainder(BASE);
      out.append(DIGITS.charAt(parts[1].intValue()));
      rest = parts[0];
    }
    return out.reverse().toString();
  }
}
