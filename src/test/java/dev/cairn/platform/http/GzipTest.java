package dev.cairn.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/api.md, Compression: what is sent. */
class GzipTest {
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

  private static GZIPInputStream read(byte[] bytes) throws IOException {
    return new GZIPInputStream(new ByteArrayInputStream(bytes));
  }

  private static byte[] random(int length) {
    var bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  @Test
  void each_piece_can_be_read_at_once_and_the_whole_only_with_its_end() throws IOException {
    var gzip = new Gzip(sent);
    for (int i = 1; i <= 3; i++) {
      gzip.write("a piece,".getBytes(UTF_8));
      assertEquals(
          "a piece,".repeat(i), new String(read(sent.toByteArray()).readNBytes(8 * i), UTF_8));
    }
    var unfinished = sent.toByteArray();
    assertThrows(EOFException.class, () -> read(unfinished).readAllBytes());
    gzip.finish();
    gzip.release();
    assertEquals("a piece,".repeat(3), new String(read(sent.toByteArray()).readAllBytes(), UTF_8));
  }

  @Test
  void nothing_is_written_before_the_first_piece() throws IOException {
    var gzip = new Gzip(sent);
    assertEquals(0, sent.size());
    gzip.finish();
    assertEquals(0, read(sent.toByteArray()).readAllBytes().length);
    gzip.release();
  }

  @Test
  void what_is_given_up_has_no_end() throws IOException {
    var gzip = new Gzip(sent);
    gzip.write("a piece".getBytes(UTF_8));
    gzip.release();
    assertThrows(EOFException.class, () -> read(sent.toByteArray()).readAllBytes());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1025, 100_000, 3_000_000})
  void a_body_comes_back_as_it_was(int length) throws IOException {
    var text =
        "{\"name\":\"Sensor\"},".repeat(length / 18 + 1).substring(0, length).getBytes(UTF_8);
    var compressed = Gzip.compress(text);
    assertTrue(compressed.length < length / 4 + 30, "only " + compressed.length);
    assertArrayEquals(text, read(compressed).readAllBytes());
    assertArrayEquals(random(length), read(Gzip.compress(random(length))).readAllBytes());
  }

  @Test
  void the_same_body_is_the_same_bytes_as_a_strong_tag_says() {
    assertArrayEquals(Gzip.compress(random(50_000)), Gzip.compress(random(50_000)));
    assertEquals("\"a-gzip\"", Gzip.tag("\"a\""));
  }
}
