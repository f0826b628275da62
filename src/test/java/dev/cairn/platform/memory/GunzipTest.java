package dev.cairn.platform.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/commits.md, The request: compressed bodies. */
class GunzipTest {
  private static final int MAX = 1_000_000;
  private static final byte[] TEXT = "{\"operations\":[]}".repeat(100).getBytes(UTF_8);

  private static byte[] gzip(byte[] bytes) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] random(int length) {
    var bytes = new byte[length];
    new Random(7).nextBytes(bytes);
    return bytes;
  }

  private static byte[] joined(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (var part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] read(byte[] sent) {
    return Gunzip.content(sent, Gunzip.size(sent, MAX));
  }

  private static byte[] readOr(byte[] other, byte[] sent) {
    try {
      return read(sent);
    } catch (Problem _) {
      return other;
    }
  }

  private static String refused(byte[] sent) {
    var problem = assertThrows(Problem.class, () -> Gunzip.size(sent, MAX));
    assertEquals(ErrorCode.VALIDATION_ERROR, problem.code());
    return problem.errors().getFirst().detail();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8191, 8192, 8193, 65_536, 100_000, MAX})
  void the_content_is_what_was_compressed(int length) throws IOException {
    assertArrayEquals(random(length), read(gzip(random(length))));
    assertArrayEquals(new byte[length], read(gzip(new byte[length])));
  }

  @Test
  void the_contents_of_several_members_follow_each_other() throws IOException {
    var empty = gzip(new byte[0]);
    assertArrayEquals(
        joined(TEXT, TEXT), read(joined(empty, gzip(TEXT), empty, gzip(TEXT), empty)));
  }

  @Test
  void a_header_may_have_all_that_the_standard_knows() throws IOException {
    var plain = gzip(TEXT);
    var header = Arrays.copyOf(plain, 10);
    header[3] = 1 + 2 + 4 + 8 + 16;
    var options =
        joined(new byte[] {3, 0, 'x', 'y', 'z'}, "name\0comment\0".getBytes(UTF_8), new byte[2]);
    var full = joined(header, options, Arrays.copyOfRange(plain, 10, plain.length));
    assertArrayEquals(TEXT, read(full));
    for (int i = 0; i < full.length; i++) {
      refused(Arrays.copyOf(full, i));
    }
  }

  @Test
  void what_ends_too_early_is_refused_wherever_it_does() throws IOException {
    var whole = gzip(TEXT);
    for (int i = 0; i < whole.length; i++) {
      var detail = refused(Arrays.copyOf(whole, i));
      assertTrue(detail.contains("ends too early"), detail);
    }
  }

  @Test
  void what_follows_the_end_is_refused() throws IOException {
    for (var rest : new String[] {"xx", "{\"operations\":[]}", "\0\0\0\0\0\0\0\0\0\0\0\0"}) {
      var detail = refused(joined(gzip(TEXT), rest.getBytes(UTF_8)));
      assertTrue(detail.contains("something follows its end"), detail);
    }
    refused(joined(gzip(TEXT), new byte[] {0x1f}));
  }

  @Test
  void what_is_damaged_never_becomes_another_content() throws IOException {
    for (var content : List.of(TEXT, random(500))) {
      var whole = gzip(content);
      for (int bit = 0; bit < 8 * whole.length; bit++) {
        int at = bit / 8;
        var damaged = whole.clone();
        damaged[at] ^= (byte) (1 << bit % 8);
        if (at < 3 || at >= whole.length - 8) {
          assertThrows(Problem.class, () -> read(damaged), "byte " + at);
        } else {
          // Some bits say nothing about the content, such as those of the time.
          assertArrayEquals(content, readOr(content, damaged), "byte " + at);
        }
      }
    }
    assertTrue(refused(TEXT).contains("does not begin as gzip does"));
  }

  @Test
  void a_content_that_is_too_long_is_refused() throws IOException {
    for (var longer : new byte[][] {new byte[MAX + 1], random(MAX + 1), new byte[50 * MAX]}) {
      var sent = gzip(longer);
      var problem = assertThrows(Problem.class, () -> Gunzip.size(sent, MAX));
      assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, problem.code());
    }
    var half = gzip(new byte[MAX / 2 + 1]);
    var sum = joined(half, half);
    assertThrows(Problem.class, () -> Gunzip.size(sum, MAX));
  }

  @Test
  void many_members_without_content_take_no_time() throws IOException {
    var empty = gzip(new byte[0]);
    var many = new byte[empty.length * 800_000];
    for (int i = 0; i < many.length; i++) {
      many[i] = empty[i % empty.length];
    }
    assertTimeoutPreemptively(Duration.ofSeconds(10), () -> assertEquals(0, read(many).length));
  }
}
