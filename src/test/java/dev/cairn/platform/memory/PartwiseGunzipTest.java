package dev.cairn.platform.memory;

import static dev.cairn.platform.memory.GunzipTest.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.Problem;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/streams.md: gzip that is decompressed while it arrives. */
class PartwiseGunzipTest {
  private static final byte[] TEXT = "text".getBytes(UTF_8);
  private static final int HAS_NAME = 8;
  private static final int FIXED_HEADER = 10;

  /** Bytes that come over and over again, without an end. */
  private static PartwiseInput endless(byte[] bytes) {
    var at = new int[1];
    return (into, offset, count, _) -> {
      for (int i = 0; i < count; i++) {
        into[offset + i] = bytes[at[0]];
        at[0] = (at[0] + 1) % bytes.length;
      }
      return count;
    };
  }

  /** A member whose header has so many bytes, because of a name. */
  private static byte[] withHeader(int bytes) {
    var plain = gzip(TEXT);
    plain[3] = HAS_NAME;
    var out = new ByteArrayOutputStream();
    out.write(plain, 0, FIXED_HEADER);
    var name = new byte[bytes - FIXED_HEADER];
    Arrays.fill(name, 0, name.length - 1, (byte) 'n');
    out.writeBytes(name);
    out.write(plain, FIXED_HEADER, plain.length - FIXED_HEADER);
    return out.toByteArray();
  }

  private static int read(PartwiseInput sent, Duration wait) {
    return new PartwiseGunzip(sent).read(new byte[TEXT.length], 0, TEXT.length, wait);
  }

  @Test
  void a_header_may_have_so_many_bytes_and_no_more() {
    var wait = Duration.ofSeconds(10);
    var most = withHeader(PartwiseGunzip.MAX_HEADER_BYTES);
    assertEquals(TEXT.length, read(endless(most), wait));
    var more = withHeader(PartwiseGunzip.MAX_HEADER_BYTES + 1);
    var refused = assertThrows(Problem.class, () -> read(endless(more), wait));
    var detail = refused.errors().getFirst().detail();
    assertTrue(detail.contains("at most 65,536 bytes"), detail);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20})
  void it_returns_in_time_however_fast_members_without_content_come(int millis) {
    var empty = endless(gzip(new byte[0]));
    assertTimeoutPreemptively(
        Duration.ofSeconds(10), () -> assertEquals(0, read(empty, Duration.ofMillis(millis))));
  }
}
