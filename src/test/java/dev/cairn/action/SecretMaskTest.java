package dev.cairn.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Actions, Masking: what is found of secrets, and how much work that is. */
class SecretMaskTest {
  private static String masked(String text, String... secrets) {
    return new SecretMask(List.of(secrets), SecretMask.Cut.NONE).masked(text);
  }

  private static String random(Random random, int length, int letters) {
    return IntStream.range(0, length)
        .mapToObj(_ -> Character.toString('a' + random.nextInt(letters)))
        .collect(Collectors.joining());
  }

  /** Tries each secret at each position. */
  private static String maskedByTrying(String text, List<String> secrets) {
    var hidden = new BitSet();
    for (var secret : secrets) {
      for (int at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
        hidden.set(at, at + secret.length());
      }
    }
    var masked = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      if (!hidden.get(i)) {
        masked.append(text.charAt(i));
      } else if (i == 0 || !hidden.get(i - 1)) {
        masked.append('…');
      }
    }
    return masked.toString();
  }

  @Test
  void every_secret_is_masked_wherever_it_is_whatever_secrets_have_in_common() {
    var random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      int letters = 1 + random.nextInt(3);
      var text = random(random, random.nextInt(40), letters);
      var secrets =
          IntStream.range(0, 1 + random.nextInt(6))
              .mapToObj(_ -> random(random, 4 + random.nextInt(8), letters))
              .toList();
      var expected = maskedByTrying(text, secrets);
      assertEquals(expected, masked(text, secrets.toArray(String[]::new)));
      assertEquals(expected, masked(text, String.join(" \r\n", secrets)), "as lines of one");
    }
  }

  @Test
  void a_secret_that_overlaps_itself_is_masked_to_its_end() {
    assertEquals("b…b", masked("baaaaab", "aaaa"));
  }

  @Test
  void secrets_are_found_as_written_and_as_json_means_it_in_one_text() {
    assertEquals("… and \\n…", masked("ab\\\\cd and \\na\\u0062\\\\cd", "ab\\cd", "ab\\\\cd"));
  }

  @Test
  void texts_that_go_together_are_masked_each_by_itself_and_the_secrets_are_read_once() {
    var read = new int[1];
    var mask =
        new SecretMask(
            secret -> {
              read[0]++;
              secret.accept("hunter22");
              secret.accept("first\nsecond");
            },
            SecretMask.Cut.NONE);
    assertEquals(
        Arrays.asList("… \\", null, "", "n…", "hunter"),
        mask.masked(Arrays.asList("hunter22 \\", null, "", "nsecond", "hunter")));
    assertEquals(1, read[0]);
  }

  @Test
  void nothing_is_shown_of_a_text_that_may_hold_pieces_of_secrets_anywhere() {
    assertEquals(
        Arrays.asList("…", null, "…", ""),
        SecretMask.OF_EVERYTHING.masked(Arrays.asList("some text", null, "a\nb", "")));
  }

  /** Values of 8,192 characters, as many as 20 sets have, of which one is in memory at a time. */
  @Test
  void the_memory_of_masking_a_callback_does_not_depend_on_what_the_secrets_are() {
    var value = "aaba\n".repeat(1_638);
    var mask =
        new SecretMask(
            secret -> {
              for (int i = 0; i < 1_000; i++) {
                secret.accept(value.replace('b', (char) ('b' + i)));
              }
            },
            SecretMask.Cut.NONE);
    var text = "a".repeat(1_990) + "\\u0062a";
    assertEquals("a".repeat(1_988) + "…", mask.masked(text));
  }

  /** One long line, or many short ones, which take ten seconds and more to look for one by one. */
  @ParameterizedTest
  @ValueSource(ints = {8_191, 3})
  void the_time_of_masking_is_that_of_reading_text_and_secrets_once(int lineLength) {
    var lines = ("a".repeat(lineLength) + "c\n").repeat(8_192 / (lineLength + 1));
    var mask = new SecretMask(Collections.nCopies(50, lines), SecretMask.Cut.NONE);
    var text = "a".repeat(100_000) + "b";
    assertEquals(text, assertTimeoutPreemptively(Duration.ofSeconds(5), () -> mask.masked(text)));
  }
}
