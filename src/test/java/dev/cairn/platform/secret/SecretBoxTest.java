package dev.cairn.platform.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.platform.Configs;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SecretBoxTest {
  private static final SecretBox BOX = box((byte) 1);
  private static final byte[] SECRET = "a secret".getBytes(UTF_8);

  @Property(tries = 300)
  void what_is_sealed_opens_for_its_purpose(
      @ForAll @Size(max = 200) byte[] secret, @ForAll String purpose) {
    assertArrayEquals(secret, BOX.open(BOX.seal(secret, purpose), purpose));
  }

  @Property(tries = 300)
  void what_is_sealed_does_not_open_for_another_purpose(
      @ForAll String purpose, @ForAll String other) {
    Assume.that(!Arrays.equals(purpose.getBytes(UTF_8), other.getBytes(UTF_8)));
    var sealed = BOX.seal(SECRET, purpose);
    assertThrows(IllegalStateException.class, () -> BOX.open(sealed, other));
  }

  @Property(tries = 300)
  void what_is_sealed_deterministically_is_equal_for_equal_secrets_and_purposes_alone(
      @ForAll @Size(max = 200) byte[] secret, @ForAll String purpose) {
    var sealed = BOX.sealDeterministically(secret, purpose);
    assertArrayEquals(secret, BOX.openDeterministic(sealed, purpose));
    assertThrows(IllegalStateException.class, () -> BOX.open(sealed, purpose));
    assertArrayEquals(sealed, BOX.sealDeterministically(secret, purpose));
    assertNotEquals(nonce(sealed), nonce(BOX.sealDeterministically(secret, purpose + "2")));
    var longer = Arrays.copyOf(secret, secret.length + 1);
    assertNotEquals(nonce(sealed), nonce(BOX.sealDeterministically(longer, purpose)));
    assertThrows(IllegalStateException.class, () -> BOX.openDeterministic(sealed, purpose + "2"));
  }

  /** It follows the id of the key. */
  private static ByteBuffer nonce(byte[] sealed) {
    return ByteBuffer.wrap(sealed, 4, 12);
  }

  @Test
  void a_signature_is_of_its_text_its_purpose_and_its_key() {
    var signature = BOX.sign("text", "purpose");
    assertArrayEquals(signature, box((byte) 1).sign("text", "purpose"));
    assertFalse(Arrays.equals(signature, BOX.sign("text2", "purpose")));
    assertFalse(Arrays.equals(signature, BOX.sign("text", "purpose2")));
    assertFalse(Arrays.equals(signature, box((byte) 2).sign("text", "purpose")));
  }

  @Property(tries = 500)
  void one_changed_bit_is_noticed(
      @ForAll @Size(max = 50) byte[] secret,
      @ForAll @IntRange(max = 10_000) int place,
      @ForAll @IntRange(max = 7) int bit) {
    var sealed = BOX.seal(secret, "test");
    sealed[place % sealed.length] ^= (byte) (1 << bit);
    assertThrows(IllegalStateException.class, () -> BOX.open(sealed, "test"));
  }

  @Property(tries = 100)
  void what_was_cut_off_is_noticed(@ForAll @IntRange(max = 39) int length) {
    var cut = Arrays.copyOf(BOX.seal(SECRET, "test"), length);
    assertThrows(IllegalStateException.class, () -> BOX.open(cut, "test"));
  }

  @Test
  void the_same_secret_is_never_sealed_alike() {
    assertFalse(Arrays.equals(BOX.seal(SECRET, "test"), BOX.seal(SECRET, "test")));
  }

  @Test
  void a_secret_of_another_key_is_told_by_the_name_of_the_setting() {
    var sealed = box((byte) 2).seal(SECRET, "test");
    var refusal = assertThrows(IllegalStateException.class, () -> BOX.open(sealed, "test"));
    assertTrue(refusal.getMessage().contains("cairn.secret-key"), refusal::getMessage);
  }

  @Test
  void the_previous_key_opens_and_verifies_but_seals_and_signs_nothing() {
    var both = box((byte) 2, (byte) 1);
    assertArrayEquals(SECRET, both.open(BOX.seal(SECRET, "test"), "test"));
    assertArrayEquals(
        SECRET, both.openDeterministic(BOX.sealDeterministically(SECRET, "test"), "test"));
    assertTrue(both.isSignature(BOX.sign("text", "purpose"), "text", "purpose"));
    assertFalse(both.isSignature(BOX.sign("text", "purpose"), "text2", "purpose"));
    assertArrayEquals(SECRET, box((byte) 2).open(both.seal(SECRET, "test"), "test"));
    assertArrayEquals(box((byte) 2).sign("text", "purpose"), both.sign("text", "purpose"));
    assertFalse(box((byte) 2).isSignature(BOX.sign("text", "purpose"), "text", "purpose"));
  }

  private static SecretBox box(byte filling) {
    return new SecretBox(Configs.of(Map.of("cairn.secret-key", key(filling))));
  }

  private static SecretBox box(byte present, byte previous) {
    return new SecretBox(
        Configs.of(
            Map.of("cairn.secret-key", key(present), "cairn.secret-key-previous", key(previous))));
  }

  private static String key(byte filling) {
    var key = new byte[32];
    Arrays.fill(key, filling);
    return Base64.getEncoder().encodeToString(key);
  }
}
