package dev.cairn.sprite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sprites, failures: what an attempt's message shows of the output. */
class SpriteOutputTest {
  private static String told(String output, String... secrets) {
    return SpriteOutput.withOutput("It failed.", output, false, List.of(secrets));
  }

  /** What is told of a long output that ends with {@code end}. */
  private static String tail(String end, boolean isTail, String secret) {
    return SpriteOutput.withOutput(
        "It failed.", "A".repeat(OutputTail.MAX_BYTES) + end, isTail, List.of(secret));
  }

  @ParameterizedTest
  @ValueSource(strings = {"#h", "#hunter", "#hunter2", "#x", "#hunter~~~~"})
  void what_a_long_output_ends_with_says_nothing_of_a_secret_that_it_begins_like(String end) {
    var tail = tail(end, true, "hunter22");
    assertTrue(tail.endsWith("A" + end), tail);
    var part = tail(end, false, "hunter22");
    assertTrue(part.matches("It failed\\.\n…A+…"), part);
  }

  @Test
  void a_whole_secret_at_the_end_of_a_long_output_is_masked() {
    assertTrue(tail("#hunter22 is it", true, "hunter22").endsWith("A#… is it"));
  }

  @Test
  void the_output_stands_under_the_sentence() {
    assertEquals("It failed.\nboom", told("  boom\n\n"));
    assertEquals("It failed.", told(" \n"));
  }

  @Test
  void secrets_are_masked_longer_ones_first_and_line_by_line() {
    assertEquals(
        "It failed.\na … b …",
        told("a hunter22 b hunter22-and-more", "hunter22", "hunter22-and-more"));
    assertEquals("It failed.\n…\nx\n…", told("line-one\nx\nline-two", "line-one\nline-two\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "p\\\"a\\\\s/ä€😀<x>",
        "p\\\"a\\\\s\\/\\u00e4\\u20ac\\ud83d\\ude00<x>",
        "p\\u0022a\\u005Cs/\\u00E4\\u20AC\\uD83D\\uDE00\\u003cx\\u003e"
      })
  void secrets_are_masked_as_json_escapes_them(String escaped) {
    assertEquals(
        "It failed.\ngot {\"A\": \"…\", \"b\\n\": \"…\\n…\", \"c\": \"\\q\\u12\\\"\"}",
        told(
            "got {\"A\": \"%1$s\", \"b\\n\": \"%1$s\\nline-two\", \"c\": \"\\q\\u12\\\"\"}"
                .formatted(escaped),
            "p\"a\\s/ä€😀<x>",
            "p\"a\\s/ä€😀<x>\nline-two"));
  }

  @Test
  void what_follows_the_last_escape_is_shown() {
    assertEquals("It failed.\nsee … and more", told("see hunter\\\" and more", "hunter\""));
  }

  @Test
  void secrets_that_overlap_are_masked_together() {
    assertEquals("It failed.\n\\\"…\\\"", told("\\\"x\\/yyyyz\\/\\\"", "x/yyyy", "yyyyz/"));
  }

  /** An output that is long enough to have been cut, and short when its secrets are masked. */
  private static void assertAllMasked(String start, String end, String... secrets) {
    var filler = "0123456789".repeat(50);
    var fillers = (" " + filler).repeat(OutputTail.MAX_BYTES / filler.length());
    var told =
        told(
            start + fillers + " " + end,
            Stream.concat(Stream.of(filler), Stream.of(secrets)).toArray(String[]::new));
    assertTrue(told.matches("It failed\\.\n[… ]+"), told);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 14})
  void what_a_cut_has_left_of_a_secret_is_masked(int length) {
    var secret = "hunter22-&-more";
    assertAllMasked(secret.substring(secret.length() - length), "", secret);
    assertAllMasked("", secret.substring(0, length), secret);
  }

  @Test
  void what_a_cut_has_left_is_masked_as_json_escapes_it_and_if_a_character_was_cut() {
    var secret = "hunter\"ä😀\\end";
    var escaped = "\\\"\\u00e4\\ud83d\\ude00\\\\end";
    for (int from = 0; from < escaped.length(); from++) {
      assertAllMasked(escaped.substring(from), "", secret);
    }
    assertAllMasked("\uFFFD\uFFFD\uFFFD\\end", "", secret);
    assertAllMasked("", "hunter\\\"\\u00e", secret);
    assertAllMasked("", "hunter\"\uFFFD", secret);
  }

  @Test
  void what_a_cut_has_left_may_overlap_or_contain_another_secret() {
    assertAllMasked("xyzzyB-rest", "", "a-xyzzy", "zzyB-rest");
    assertAllMasked("c-hunter22-tail", "", "ab-c-hunter22-tail", "hunter22");
  }

  @Test
  void an_output_that_was_not_cut_keeps_what_looks_like_a_piece_of_a_secret() {
    assertEquals("It failed.\n22 are hu", told("22 are hu", "hunter22"));
  }

  @Test
  void tokens_of_the_service_are_masked_whosever_they_are() {
    var random = "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2yZ3aB4";
    assertEquals(
        "It failed.\nx=… y \"…\\n\" cairn_svc_",
        told("x=cairn_pat_%1$sQx0aB1 y \"cairn_refresh_%1$s\\n\" cairn_svc_".formatted(random)));
  }

  @Test
  void what_is_too_short_to_be_a_secret_stays() {
    assertEquals("It failed.\nit is abc", told("it is abc", "abc"));
    assertEquals("It failed.\nit is …", told("it is abcd", "abcd"));
  }

  private static String beginning(String output, boolean isTail, String... secrets) {
    return SpriteOutput.beginning(output, isTail, List.of(secrets));
  }

  @Test
  void of_a_success_the_beginning_is_shown_and_holds_no_half_of_a_secret() {
    var most = "x".repeat(SpriteOutput.MAX_CHARACTERS);
    assertNull(beginning(" \n", false));
    assertEquals(most, beginning("\n" + most + "\n", false));
    assertEquals(most + "…", beginning(most + "y", false));
    assertEquals(
        "x".repeat(SpriteOutput.MAX_CHARACTERS - 1) + "…",
        beginning("x".repeat(SpriteOutput.MAX_CHARACTERS - 1) + "😀y", false));
    var secret = "s".repeat(100);
    assertEquals(
        "x".repeat(SpriteOutput.MAX_CHARACTERS - 50) + "…",
        beginning("x".repeat(SpriteOutput.MAX_CHARACTERS - 50) + secret, false, secret));
  }

  @ParameterizedTest
  @ValueSource(strings = {"22#", "hunter22#", "2#", "x#", "A#"})
  void what_the_end_of_a_long_success_begins_with_says_nothing_of_a_secret(String begin) {
    for (boolean isTail : new boolean[] {true, false}) {
      var shown = beginning(begin + "A".repeat(OutputTail.MAX_BYTES), isTail, "hunter22");
      assertTrue(shown.matches("…A+…"), shown);
    }
  }

  @Test
  void the_end_is_shown_and_holds_no_half_of_a_secret() {
    var most = "x".repeat(SpriteOutput.MAX_CHARACTERS);
    assertEquals("It failed.\n" + most, told(most));
    assertEquals("It failed.\n…" + most, told("y" + most));
    var secret = "s".repeat(100);
    var cut = told(secret + "x".repeat(SpriteOutput.MAX_CHARACTERS - 50), secret);
    assertEquals("It failed.\n…" + "x".repeat(SpriteOutput.MAX_CHARACTERS - 50), cut);
    assertEquals(
        "It failed.\n…" + "x".repeat(SpriteOutput.MAX_CHARACTERS - 1),
        told("😀" + "x".repeat(SpriteOutput.MAX_CHARACTERS - 1)));
  }

  @Test
  void what_cannot_be_stored_or_shown_is_replaced() {
    assertEquals("It failed.\na\uFFFDb\uFFFD[31m\tc\nd", told("a\0b\u001b[31m\tc\nd"));
  }

  /** As many values as a set has, as long as they may be, in which each line is a secret. */
  @Test
  void an_output_as_long_as_an_answer_of_a_backend_is_masked_in_seconds_whatever_the_secrets_are() {
    var secrets =
        IntStream.range(0, 50)
            .mapToObj(i -> "aaba\n".repeat(1_638).replace('b', (char) ('b' + i)))
            .toList();
    var told =
        assertTimeoutPreemptively(
            Duration.ofSeconds(15),
            () ->
                SpriteOutput.withOutput(
                    "It failed.", "a".repeat(1024 * 1024) + "\\u0062a!", true, secrets));
    assertEquals("It failed.\n…" + "a".repeat(SpriteOutput.MAX_CHARACTERS - 2) + "…!", told);
  }

  @Test
  void of_a_long_success_the_beginning_of_its_end_is_shown() {
    var secret = "hunter22 and more";
    for (int before = 0; before <= secret.length(); before++) {
      var end =
          secret.substring(before) + "#" + "A".repeat(OutputTail.MAX_BYTES - 1 - secret.length());
      var shown =
          beginning(
              "x".repeat(4 * OutputTail.MAX_BYTES)
                  + secret.substring(0, before)
                  + end
                  + "B".repeat(before),
              true,
              secret);
      assertTrue(shown.matches("…?#A+…"), shown);
    }
  }
}
