package dev.cairn.platform.secret;

import dev.cairn.model.Sha256;
import dev.cairn.platform.CairnConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals secrets for the database, and texts that callers keep for the service, with AES-256-GCM
 * under {@code cairn.secret-key}. A sealed value begins with the key's id, so that values sealed
 * under another key are recognized, and is bound to a purpose: it cannot be moved to another column
 * or row and opened there. Values that were sealed or signed with {@code cairn.secret-key-previous}
 * are valid too, see {@code docs/credentials.md}, Changing the secret key.
 */
@ApplicationScoped
public class SecretBox {
  private static final String AES = "AES";
  private static final int KEY_ID = 4;
  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;

  private final Key present;
  private final List<Key> keys;
  private final SecureRandom random = new SecureRandom();

  /**
   * A key.
   *
   * @param deterministic derived for what is sealed deterministically: that is sealed as often as
   *     callers like, which must not wear out the key of the secrets
   */
  private record Key(SecretKeySpec secret, SecretKeySpec deterministic, byte[] id) {
    static Key of(String text) {
      var bytes = Base64.getDecoder().decode(text.trim());
      return new Key(
          new SecretKeySpec(bytes, AES),
          new SecretKeySpec(Hmac.of(bytes, bytes("cairn deterministic")), AES),
          Arrays.copyOf(Sha256.of(bytes), KEY_ID));
    }

    boolean hasSealed(byte[] value) {
      return value.length >= KEY_ID + NONCE && Arrays.equals(id, 0, KEY_ID, value, 0, KEY_ID);
    }
  }

  /** Seals and opens with the keys of this configuration. */
  public SecretBox(CairnConfig config) {
    this.present =
        config
            .secretKey()
            .map(Key::of)
            .orElseThrow(() -> new IllegalStateException("cairn.secret-key is not set"));
    this.keys =
        Stream.concat(Stream.of(present), config.secretKeyPrevious().map(Key::of).stream())
            .toList();
  }

  /** Seals {@code secret} for {@code purpose}, which must be given again to open it. */
  public byte[] seal(byte[] secret, String purpose) {
    var nonce = new byte[NONCE];
    random.nextBytes(nonce);
    return seal(secret, present.secret(), purpose, nonce);
  }

  /**
   * Seals {@code secret} like {@link #seal}, but the same secret for the same purpose always gives
   * the same value, which reveals whether two secrets are equal. The nonce is synthetic: the
   * beginning of an HMAC of the secret, under a key that is derived for this purpose. It is opened
   * by {@link #openDeterministic}.
   */
  public byte[] sealDeterministically(byte[] secret, String purpose) {
    var nonce = Arrays.copyOf(sign(present, secret, "nonce " + purpose), NONCE);
    return seal(secret, present.deterministic(), purpose, nonce);
  }

  private byte[] seal(byte[] secret, SecretKeySpec key, String purpose, byte[] nonce) {
    try {
      var sealed = cipher(Cipher.ENCRYPT_MODE, key, nonce, purpose).doFinal(secret);
      return ByteBuffer.allocate(KEY_ID + NONCE + sealed.length)
          .put(present.id())
          .put(nonce)
          .put(sealed)
          .array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM is part of every JDK", e);
    }
  }

  /**
   * Opens a value that {@link #seal} returned.
   *
   * @throws IllegalStateException if it was sealed with another key, for another purpose, or was
   *     altered
   */
  public byte[] open(byte[] sealed, String purpose) {
    return open(sealed, Key::secret, purpose);
  }

  /** The same for {@link #sealDeterministically}. */
  public byte[] openDeterministic(byte[] sealed, String purpose) {
    return open(sealed, Key::deterministic, purpose);
  }

  private byte[] open(byte[] sealed, Function<Key, SecretKeySpec> which, String purpose) {
    var key =
        keys.stream()
            .filter(one -> one.hasSealed(sealed))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "a stored secret was sealed under another cairn.secret-key than the present"
                            + " one"));
    var nonce = Arrays.copyOfRange(sealed, KEY_ID, KEY_ID + NONCE);
    try {
      int from = KEY_ID + NONCE;
      return cipher(Cipher.DECRYPT_MODE, which.apply(key), nonce, purpose)
          .doFinal(sealed, from, sealed.length - from);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a stored secret was altered", e);
    }
  }

  /**
   * A signature of {@code text} for {@code purpose}: HMAC-SHA-256 with a key that is derived for
   * this purpose only, so that it is not valid for any other purpose, and reveals nothing of the
   * secret key.
   */
  public byte[] sign(String text, String purpose) {
    return sign(present, bytes(text), purpose);
  }

  /** Whether {@link #sign} made this signature of {@code text} for {@code purpose}. */
  public boolean isSignature(byte[] signature, String text, String purpose) {
    return keys.stream()
        .anyMatch(key -> MessageDigest.isEqual(sign(key, bytes(text), purpose), signature));
  }

  /** The key id with which values sealed with the present key begin. */
  public byte[] presentKeyId() {
    return present.id().clone();
  }

  private static byte[] sign(Key key, byte[] text, String purpose) {
    var derived = Hmac.of(key.secret().getEncoded(), bytes("cairn signature " + purpose));
    return Hmac.of(derived, text);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Cipher cipher(int mode, SecretKeySpec key, byte[] nonce, String purpose)
      throws GeneralSecurityException {
    var cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(bytes(purpose));
    return cipher;
  }
}
