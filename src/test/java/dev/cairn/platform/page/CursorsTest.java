package dev.cairn.platform.page;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.Configs;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
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

class CursorsTest {
  private static final String LIST = "head 0197f5c2 Sensor";
  private static final String NEXT =
      Base64.getEncoder().encodeToString("next".repeat(8).getBytes(UTF_8));
  private static final Cursors CURSORS = cursors(Map.of("cairn.secret-key", Configs.SECRET_KEY));

  private static Cursors cursors(Map<String, String> settings) {
    return new Cursors(Configs.secretBox(settings));
  }

  @Property(tries = 500)
  void a_cursor_gives_its_keys_back(
      @ForAll("keys") List<String> keys, @ForAll("text") String list) {
    assertEquals(keys, CURSORS.read(list, CURSORS.of(list, keys.toArray()), read -> read));
  }

  @Property(tries = 300)
  void equal_keys_give_equal_cursors_and_others_give_others(
      @ForAll("keys") List<String> keys, @ForAll("keys") List<String> others) {
    var cursor = CURSORS.of(LIST, keys.toArray());
    assertEquals(cursor, CURSORS.of(LIST, keys.toArray()));
    assertEquals(keys.equals(others), cursor.equals(CURSORS.of(LIST, others.toArray())));
  }

  @Test
  void a_cursor_shows_none_of_its_keys() {
    var bytes = Base64.getUrlDecoder().decode(CURSORS.of(LIST, 4_815_162_342L, "greenhouse", 7));
    var text = new String(bytes, ISO_8859_1);
    assertFalse(text.contains("4815162342"), text);
    assertFalse(text.contains("greenhouse"), text);
    // After the id of the secret key, the two cursors have nothing in common.
    var next = Base64.getUrlDecoder().decode(CURSORS.of(LIST, 4_815_162_343L, "greenhouse", 7));
    int same = 0;
    for (int i = 4; i < bytes.length; i++) {
      same += bytes[i] == next[i] ? 1 : 0;
    }
    assertTrue(same < 8, "two cursors are alike");
  }

  @Test
  void its_length_does_not_show_how_long_a_number_is() {
    var ids = LongStream.iterate(1, id -> id < Long.MAX_VALUE / 10, id -> id * 10);
    assertEquals(
        Set.of(CURSORS.of(LIST, 1, 0, 1).length()),
        ids.mapToObj(id -> CURSORS.of(LIST, id, 9_999, id).length()).collect(Collectors.toSet()));
  }

  @Test
  void a_cursor_outlives_a_change_of_the_secret_key_while_the_former_one_is_known() {
    var cursor = CURSORS.of(LIST, "a", 1);
    var both = Map.of("cairn.secret-key", NEXT, "cairn.secret-key-previous", Configs.SECRET_KEY);
    assertEquals(List.of("a", "1"), cursors(both).read(LIST, cursor, keys -> keys));
    refused(cursors(Map.of("cairn.secret-key", NEXT)), LIST, cursor);
  }

  @Property(tries = 500)
  void a_cursor_of_another_list_is_refused(
      @ForAll("keys") List<String> keys,
      @ForAll("text") String list,
      @ForAll("text") String other) {
    Assume.that(!list.equals(other));
    refused(other, CURSORS.of(list, keys.toArray()));
  }

  @Property(tries = 1000)
  void a_cursor_with_one_changed_bit_is_refused(
      @ForAll("keys") List<String> keys,
      @ForAll @IntRange(max = 10_000) int place,
      @ForAll @IntRange(max = 7) int bit) {
    var bytes = Base64.getUrlDecoder().decode(CURSORS.of(LIST, keys.toArray()));
    bytes[place % bytes.length] ^= (byte) (1 << bit);
    refused(LIST, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  @Property(tries = 300)
  void a_cursor_that_was_cut_off_is_refused(
      @ForAll("keys") List<String> keys, @ForAll @IntRange(min = 1, max = 10_000) int less) {
    var bytes = Base64.getUrlDecoder().decode(CURSORS.of(LIST, keys.toArray()));
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
    // 160 bytes, so that the last character has two bits to spare, and padding one place.
    var cursor = CURSORS.of(LIST, "a".repeat(100));
    var last = cursor.length() - 1;
    refused(LIST, cursor + "=");
    refused(LIST, cursor.substring(0, last) + (char) (cursor.charAt(last) + 1));
  }

  @Test
  void a_cursor_needs_no_escaping_in_a_url() {
    var cursor = CURSORS.of(LIST, "Sensor", "\u00ff\u00fe\u3fff?&=");
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
    refused(CURSORS, list, cursor);
  }

  private static void refused(Cursors cursors, String list, String cursor) {
    var problem = assertThrows(Problem.class, () -> cursors.read(list, cursor, keys -> keys));
    assertEquals(ErrorCode.VALIDATION_ERROR, problem.code());
    assertEquals("?cursor", problem.errors().getFirst().pointer());
  }

  @Test
  void keys_of_another_version_are_damaged_too() {
    for (var read :
        List.<Function<List<String>, Object>>of(
            keys -> UUID.fromString(keys.getFirst()),
            keys -> Long.parseLong(keys.getFirst()),
            keys -> keys.get(1))) {
      var problem =
          assertThrows(Problem.class, () -> CURSORS.read("list", CURSORS.of("list", "x"), read));
      assertEquals("?cursor", problem.errors().getFirst().pointer());
    }
  }
}
