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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compressed bodies of commits (docs/commits.md) and of streaming submissions (docs/streams.md).
 */
class GunzipTest {
  private static final int MAX = 1_000_000;
  private static final int KIB = 1024;
  private static final byte[] TEXT = "{\"operations\":[]}".repeat(100).getBytes(UTF_8);

  private static final byte[] SHORT = "text".getBytes(UTF_8);
  private static final int FIXED_HEADER = 10;
  private static final int HAS_CHECKSUM = 2;
  private static final int HAS_EXTRA = 4;
  private static final int HAS_NAME = 8;
  private static final int HAS_COMMENT = 16;

  static byte[] gzip(byte[] bytes) {
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
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

  private static byte[] content(byte[] sent) {
    return Gunzip.content(sent, MAX, _ -> {}, () -> {});
  }

  private static byte[] contentOr(byte[] other, byte[] sent) {
    try {
      return content(sent);
    } catch (Problem _) {
      return other;
    }
  }

  private static String refused(byte[] sent) {
    var problem = assertThrows(Problem.class, () -> content(sent));
    assertEquals(ErrorCode.VALIDATION_ERROR, problem.code());
    var detail = problem.errors().getFirst().detail();
    assertTrue(detail.startsWith("The body is not valid gzip (RFC 1952): "), detail);
    return detail;
  }

  private static void assertRefused(String reason, byte[] sent) {
    var detail = refused(sent);
    assertTrue(detail.contains(reason), detail);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8191, 8192, 8193, 65_536, 100_000, MAX})
  void the_content_is_what_was_compressed(int length) {
    assertArrayEquals(random(length), content(gzip(random(length))));
    assertArrayEquals(new byte[length], content(gzip(new byte[length])));
  }

  @Test
  void the_contents_of_several_members_follow_each_other() {
    var empty = gzip(new byte[0]);
    assertArrayEquals(
        joined(TEXT, TEXT), content(joined(empty, gzip(TEXT), empty, gzip(TEXT), empty)));
  }

  /** A member whose header has these fields; without them, those that flags name are missing. */
  private static byte[] member(int flags, byte[] fields) {
    var plain = gzip(TEXT);
    plain[3] = (byte) flags;
    return joined(Arrays.copyOf(plain, 10), fields, Arrays.copyOfRange(plain, 10, plain.length));
  }

  private static byte[] headerChecksum(int flags, byte[] fields) {
    var checksum = new CRC32();
    checksum.update(member(flags, fields), 0, 10 + fields.length);
    return new byte[] {(byte) checksum.getValue(), (byte) (checksum.getValue() >> 8)};
  }

  @Test
  void a_header_may_have_all_that_the_standard_knows() {
    var extra = new byte[] {3, 0, 'x', 'y', 'z'};
    var name = "name\0".getBytes(UTF_8);
    var comment = "comment\0".getBytes(UTF_8);
    assertArrayEquals(TEXT, content(member(1, new byte[0])));
    assertArrayEquals(TEXT, content(member(HAS_EXTRA, extra)));
    assertArrayEquals(TEXT, content(member(HAS_NAME, name)));
    assertArrayEquals(TEXT, content(member(HAS_COMMENT, comment)));
    assertArrayEquals(
        TEXT, content(member(HAS_CHECKSUM, headerChecksum(HAS_CHECKSUM, new byte[0]))));
    int all = 1 + HAS_CHECKSUM + HAS_EXTRA + HAS_NAME + HAS_COMMENT;
    var fields = joined(extra, name, comment);
    var full = member(all, joined(fields, headerChecksum(all, fields)));
    assertArrayEquals(joined(TEXT, TEXT), content(joined(full, full)));
    for (int i = 0; i < full.length; i++) {
      assertRefused("ends too early", Arrays.copyOf(full, i));
    }
  }

  @Test
  void a_header_that_the_standard_does_not_know_is_refused() {
    assertRefused("does not begin with the bytes 1f 8b", TEXT);
    assertRefused("the reserved flags in its header must be 0", member(0x20, new byte[0]));
    assertRefused("checksum (CRC16) of its header", member(HAS_CHECKSUM, new byte[2]));
    var method = gzip(TEXT);
    method[2] = 7;
    assertRefused("compression method must be 8", method);
  }

  @Test
  void what_ends_too_early_is_refused_wherever_it_does() {
    for (var whole : List.of(gzip(TEXT), gzip(random(20 * KIB)))) {
      for (int i = 0; i < whole.length; i++) {
        assertRefused("ends too early", Arrays.copyOf(whole, i));
      }
    }
  }

  @Test
  void a_checksum_or_a_length_of_another_content_is_refused() {
    var whole = gzip(TEXT);
    var checksum = whole.clone();
    checksum[whole.length - 5] ^= 1;
    assertRefused("checksum (CRC-32)", checksum);
    var length = whole.clone();
    length[whole.length - 1] ^= 1;
    assertRefused("length (ISIZE)", length);
  }

  @Test
  void what_follows_the_end_is_refused() {
    for (var rest : new String[] {"x", "\n", "xx", "{\"operations\":[]}", "\0".repeat(12)}) {
      assertRefused("only another member may follow", joined(gzip(TEXT), rest.getBytes(UTF_8)));
    }
    refused(joined(gzip(TEXT), new byte[] {0x1f}));
    refused(joined(gzip(TEXT), new byte[] {0x1f, (byte) 0x8b}));
  }

  @Test
  void what_is_damaged_never_becomes_another_content() {
    for (var content : List.of(TEXT, random(500))) {
      var whole = gzip(content);
      for (int bit = 0; bit < 8 * whole.length; bit++) {
        int at = bit / 8;
        var damaged = whole.clone();
        damaged[at] ^= (byte) (1 << bit % 8);
        if (at < 3 || at >= whole.length - 8) {
          refused(damaged);
        } else {
          // Some bits say nothing about the content, such as those of the time.
          assertArrayEquals(content, contentOr(content, damaged), "byte " + at);
        }
      }
    }
  }

  @Test
  void a_content_that_is_too_long_is_refused() {
    var half = gzip(new byte[MAX / 2 + 1]);
    for (var sent :
        List.of(
            gzip(new byte[MAX + 1]),
            gzip(random(MAX + 1)),
            gzip(new byte[50 * MAX]),
            joined(half, half))) {
      var problem = assertThrows(Problem.class, () -> content(sent));
      assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, problem.code());
    }
  }

  /** The room that is taken, in its order. */
  private static final class Room {
    private int taken;
    private int largest;

    void take(int bytes) {
      taken += bytes;
      largest = Math.max(largest, bytes);
    }
  }

  @Test
  void room_is_taken_for_small_blocks_and_for_no_more_than_a_block_too_much() {
    var room = new Room();
    Gunzip.content(gzip(new byte[MAX]), MAX, room::take, () -> {});
    assertTrue(room.largest <= 64 * KIB, room.largest + " bytes");
    assertEquals(MAX + 1, room.taken);

    var ofSmall = new Room();
    Gunzip.content(gzip(TEXT), MAX, ofSmall::take, () -> {});
    assertEquals(8 * KIB, ofSmall.taken);

    var ofBomb = new Room();
    var bomb = gzip(new byte[50 * MAX]);
    assertThrows(Problem.class, () -> Gunzip.content(bomb, MAX, ofBomb::take, () -> {}));
    assertEquals(MAX + 1, ofBomb.taken);
  }

  /** What ends the work after some pieces. */
  private static final class EndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void nothing_more_is_done_once_there_is_no_room() {
    var room = new AtomicInteger(100 * KIB);
    var pieces = new AtomicInteger();
    assertThrows(
        EndedException.class,
        () ->
            Gunzip.content(
                gzip(new byte[MAX]),
                MAX,
                count -> {
                  if (room.addAndGet(-count) < 0) {
                    throw new EndedException();
                  }
                },
                pieces::incrementAndGet));
    assertTrue(pieces.get() < 10, pieces + " pieces");
  }

  /** Blocks of deflate without any content, of 5 bytes each, and the end. */
  private static byte[] withoutContent(int blocks) {
    var plain = gzip(new byte[0]);
    var out = new ByteArrayOutputStream();
    out.write(plain, 0, 10);
    for (int i = 0; i < blocks; i++) {
      out.writeBytes(new byte[] {0, 0, 0, (byte) 0xff, (byte) 0xff});
    }
    out.write(plain, 10, plain.length - 10);
    return out.toByteArray();
  }

  @Test
  void it_can_be_ended_between_pieces_whether_they_have_content_or_not() {
    for (var sent :
        List.of(
            gzip(new byte[MAX]), gzip(random(MAX)), withoutContent(200_000), manyMembers(50_000))) {
      var pieces = new AtomicInteger();
      content(sent, pieces);
      int all = pieces.get();
      assertTrue(all >= MAX / (64 * KIB), all + " pieces");
      assertTrue(all >= sent.length / (8 * KIB), all + " pieces");
      pieces.set(-all / 2);
      assertThrows(EndedException.class, () -> content(sent, pieces));
      assertEquals(1, pieces.get());
    }
  }

  /** Counts the pieces; ends when there was one more than none. */
  private static void content(byte[] sent, AtomicInteger pieces) {
    boolean ends = pieces.get() < 0;
    Gunzip.content(
        sent,
        MAX,
        _ -> {},
        () -> {
          if (pieces.incrementAndGet() > 0 && ends) {
            throw new EndedException();
          }
        });
  }

  private static byte[] manyMembers(int count) {
    var empty = gzip(new byte[0]);
    var many = new byte[empty.length * count];
    for (int i = 0; i < many.length; i++) {
      many[i] = empty[i % empty.length];
    }
    return many;
  }

  @Test
  void sixteen_mebibytes_without_content_take_no_time() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(10), () -> assertEquals(0, content(manyMembers(800_000)).length));
    assertTimeoutPreemptively(
        Duration.ofSeconds(10), () -> assertEquals(0, content(withoutContent(3_300_000)).length));
  }

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
    var plain = gzip(SHORT);
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
    try (var gunzip = new Gunzip(sent)) {
      return gunzip.read(new byte[SHORT.length], 0, SHORT.length, wait);
    }
  }

  @Test
  void a_header_may_have_so_many_bytes_and_no_more() {
    var wait = Duration.ofSeconds(10);
    var most = withHeader(Gunzip.MAX_HEADER_BYTES);
    assertEquals(SHORT.length, read(endless(most), wait));
    var more = withHeader(Gunzip.MAX_HEADER_BYTES + 1);
    var refused = assertThrows(Problem.class, () -> read(endless(more), wait));
    var detail = refused.errors().getFirst().detail();
    assertTrue(detail.contains("at most 65,536 bytes"), detail);
    // What has come whole is bounded by its length.
    assertArrayEquals(SHORT, content(more));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20})
  void it_returns_in_time_however_fast_members_without_content_come(int millis) {
    var empty = endless(gzip(new byte[0]));
    assertTimeoutPreemptively(
        Duration.ofSeconds(10), () -> assertEquals(0, read(empty, Duration.ofMillis(millis))));
  }
}
