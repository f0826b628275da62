package dev.cairn.platform;

import dev.cairn.model.Sha256;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals secrets for the database with AES-256-GCM under {@code cairn.secret-key}. A sealed value
 * begins with the key's id, so that values sealed under an earlier key are told apart, and is bound
 * to a purpose: it cannot be moved to another column or row and opened there.
 */
@ApplicationScoped
public class SecretBox {
  private static final int KEY_ID = 4;
  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;

  private final SecretKeySpec key;
  private final byte[] keyId;
  private final SecureRandom random = new SecureRandom();

  SecretBox(CairnConfig config) {
    var bytes =
        config
            .secretKey()
            .map(text -> Base64.getDecoder().decode(text.trim()))
            .orElseThrow(() -> new IllegalStateException("cairn.secret-key is not set"));
    this.key = new SecretKeySpec(bytes, "AES");
    this.keyId = Arrays.copyOf(Sha256.of(bytes), KEY_ID);
  }

  /** Seals {@code secret} for {@code purpose}, which must be given again to open it. */
  public byte[] seal(byte[] secret, String purpose) {
    var nonce = new byte[NONCE];
    random.nextBytes(nonce);
    try {
      var sealed = cipher(Cipher.ENCRYPT_MODE, nonce, purpose).doFinal(secret);
      return ByteBuffer.allocate(KEY_ID + NONCE + sealed.length)
          .put(keyId)
          .put(nonce)
          .put(sealed)
          .array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM is part of every JDK", e);
    }
  }

  /**
   * Opens what {@link #seal} made.
   *
   * @throws IllegalStateException when it was sealed under another key, for another purpose, or was
   *     altered
   */
  public byte[] open(byte[] sealed, String purpose) {
    if (sealed.length < KEY_ID + NONCE || !Arrays.equals(keyId, 0, KEY_ID, sealed, 0, KEY_ID)) {
      throw new IllegalStateException(
          "a stored secret was sealed under another cairn.secret-key than the present one");
    }
    var nonce = Arrays.copyOfRange(sealed, KEY_ID, KEY_ID + NONCE);
    try {
      int from = KEY_ID + NONCE;
      return cipher(Cipher.DECRYPT_MODE, nonce, purpose)
          .doFinal(sealed, from, sealed.length - from);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a stored secret was altered", e);
    }
  }

  /**
   * A signature of {@code text} for {@code purpose}: HMAC-SHA-256 under a key that is derived for
   * this purpose alone, so that it is no signature of anything else, and tells nothing of the key.
   */
  public byte[] sign(String text, String purpose) {
    var derived = hmac(key.getEncoded(), "cairn signature " + purpose);
    return hmac(derived, text);
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("HMAC-SHA-256 is part of every JDK", e);
    }
  }

  private Cipher cipher(int mode, byte[] nonce, String purpose) throws GeneralSecurityException {
    var cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }
}
