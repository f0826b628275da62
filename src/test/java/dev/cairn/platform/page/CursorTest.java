package dev.cairn.platform.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTest {
  private static final String LIST = "head 0197f5c2 Sensor";

  @Property(tries = 500)
  void a_cursor_gives_its_keys_back(
      @ForAll("keys") List<String> keys, @ForAll("text") String list) {
    assertEquals(keys, Cursor.read(list, Cursor.of(list, keys.toArray()), read -> read));
  }

  @Property(tries = 500)
  void a_cursor_of_another_list_is_refused(
      @ForAll("keys") List<String> keys,
      @ForAll("text") String list,
      @ForAll("text") String other) {
    Assume.that(!list.equals(other));
    refused(other, Cursor.of(list, keys.toArray()));
  }

  @Property(tries = 1000)
  void a_cursor_with_one_changed_bit_is_refused(
      @ForAll("keys") List<String> keys,
      @ForAll @IntRange(max = 10_000) int place,
      @ForAll @IntRange(max = 7) int bit) {
    var bytes = Base64.getUrlDecoder().decode(Cursor.of(LIST, keys.toArray()));
    bytes[place % bytes.length] ^= (byte) (1 << bit);
    refused(LIST, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  @Property(tries = 300)
  void a_cursor_that_was_cut_off_is_refused(
      @ForAll("keys") List<String> keys, @ForAll @IntRange(min = 1, max = 10_000) int less) {
    var bytes = Base64.getUrlDecoder().decode(Cursor.of(LIST, keys.toArray()));
    var cut = Arrays.copyOf(bytes, bytes.length - 1 - less % bytes.length);
    refused(LIST, Base64.getUrlEncoder().withoutPadding().encodeToString(cut));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "AAAA", "not base64!", "====", "äöü"})
  void what_was_never_a_cursor_is_refused(String text) {
    refused(LIST, text);
  }

  @Test
  void another_spelling_of_a_cursor_is_refused() {
    // 11 bytes, so that the last character has two bits to spare, and padding one place.
    var cursor = Cursor.of(LIST, "abc");
    var last = cursor.length() - 1;
    refused(LIST, cursor + "=");
    refused(LIST, cursor.substring(0, last) + (char) (cursor.charAt(last) + 1));
  }

  @Test
  void a_cursor_needs_no_escaping_in_a_url() {
    var cursor = Cursor.of(LIST, "Sensor", "\u00ff\u00fe\u3fff?&=");
    assertEquals(cursor, cursor.replaceAll("[^A-Za-z0-9_-]", ""));
  }

  /** Keys are names, numbers and ids: never empty, and without U+0000. */
  @Provide
  Arbitrary<List<String>> keys() {
    return text().list().ofMinSize(1).ofMaxSize(4);
  }

  @Provide
  Arbitrary<String> text() {
    return Arbitraries.oneOf(
            Arbitraries.integers().between(1, 0xd7ff),
            Arbitraries.integers().between(0xe000, 0x10ffff))
        .map(Character::toString)
        .list()
        .ofMinSize(1)
        .ofMaxSize(20)
        .map(characters -> String.join("", characters));
  }

  private static void refused(String list, String cursor) {
    var problem = assertThrows(Problem.class, () -> Cursor.read(list, cursor, keys -> keys));
    assertEquals(ErrorCode.VALIDATION_ERROR, problem.code());
    assertEquals("?cursor", problem.errors().getFirst().pointer());
  }

  @Test
  void keys_that_somebody_made_up_are_damaged_too() {
    for (var read :
        List.<Function<List<String>, Object>>of(
            keys -> UUID.fromString(keys.getFirst()),
            keys -> Long.parseLong(keys.getFirst()),
            keys -> keys.get(1))) {
      var problem =
          assertThrows(Problem.class, () -> Cursor.read("list", Cursor.of("list", "x"), read));
      assertEquals("?cursor", problem.errors().getFirst().pointer());
    }
  }
}
