package dev.cairn.platform.secret;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA-256. */
public final class Hmac {
  private static final String ALGORITHM = "HmacSHA256";

  private Hmac() {}

  /**
   * The HMAC of bytes.
   *
   * @param key not empty
   * @param parts the bytes, one part after the other
   * @return 32 bytes
   */
  public static byte[] of(byte[] key, byte[]... parts) {
    var mac = begin(key);
    for (var part : parts) {
      mac.update(part);
    }
    return mac.doFinal();
  }

  /**
   * Begins an HMAC that is updated piece by piece.
   *
   * @param key not empty
   */
  public static Mac begin(byte[] key) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("HMAC-SHA-256 is part of every JDK", e);
    }
  }
}
