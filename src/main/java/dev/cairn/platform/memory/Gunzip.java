package dev.cairn.platform.memory;

import dev.cairn.model.Problem;
import dev.cairn.platform.http.RequestBody;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses a body by RFC 1952, piece by piece: no call into the inflater reads or writes more
 * than a piece, so that it can be given up in between, and each block of the content is counted
 * before it is allocated.
 *
 * <p>A body is one member, or several, whose contents follow each other. After the last one there
 * is nothing; the stream of the JDK would overlook what is there.
 */
final class Gunzip {
  private static final int MAX_INPUT = 8 * 1024;
  private static final int MAX_BLOCK = 64 * 1024;

  private static final int MAGIC = 0x8b1f;
  private static final int DEFLATE = 8;
  private static final int FIXED_HEADER = 10;
  private static final int TRAILER = 8;
  private static final int HAS_CHECKSUM = 2;
  private static final int HAS_EXTRA = 4;
  private static final int HAS_NAME = 8;
  private static final int HAS_COMMENT = 16;
  private static final int RESERVED = 0xe0;

  private final byte[] sent;
  private final int maxBytes;
  private final IntConsumer room;
  private final Runnable mayGoOn;
  private final Inflater inflater = new Inflater(true);

  /** All full except the last one. */
  private final List<byte[]> blocks = new ArrayList<>();

  /** How many of the sent bytes were read, or passed to the inflater. */
  private int at;

  private int length;
  private int capacity;

  private Gunzip(byte[] sent, int maxBytes, IntConsumer room, Runnable mayGoOn) {
    this.sent = sent;
    this.maxBytes = maxBytes;
    this.room = room;
    this.mayGoOn = mayGoOn;
  }

  /**
   * The content of a compressed body.
   *
   * @param maxBytes how many it may have
   * @param room takes room for a number of bytes before they are allocated; throws if there is none
   * @param mayGoOn called before each piece; throws if no more is to be done
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if it has more, {@code VALIDATION_ERROR} if the body
   *     is not valid
   */
  static byte[] content(byte[] sent, int maxBytes, IntConsumer room, Runnable mayGoOn) {
    var gunzip = new Gunzip(sent, maxBytes, room, mayGoOn);
    try {
      do {
        gunzip.readMember();
      } while (gunzip.at < sent.length);
    } catch (DataFormatException _) {
      throw invalid("its compressed data is damaged");
    } finally {
      gunzip.inflater.end();
    }
    return ArrivingBody.joined(gunzip.blocks, gunzip.length);
  }

  private void readMember() throws DataFormatException {
    readHeader();
    inflater.reset();
    int from = length;
    var checksum = inflate();
    requireLeft(TRAILER);
    if (int32(at) != (int) checksum.getValue()) {
      throw invalid("the checksum (CRC-32) at its end is not that of its content");
    }
    if (int32(at + 4) != length - from) {
      throw invalid("the length (ISIZE) at its end is not that of its content");
    }
    at += TRAILER;
  }

  /** Appends the content of a member. */
  private CRC32 inflate() throws DataFormatException {
    var checksum = new CRC32();
    while (!inflater.finished()) {
      mayGoOn.run();
      if (inflater.needsInput()) {
        feed();
      }
      var block = block();
      int from = block.length - (capacity - length);
      int count = inflater.inflate(block, from, block.length - from);
      checksum.update(block, from, count);
      length += count;
      if (length > maxBytes) {
        throw RequestBody.tooLong(maxBytes).hint("This holds for the decompressed body too.");
      }
    }
    at -= inflater.getRemaining();
    return checksum;
  }

  private void feed() {
    requireLeft(1);
    int count = Math.min(MAX_INPUT, sent.length - at);
    inflater.setInput(sent, at, count);
    at += count;
  }

  /** The last block, or a new one if it is full: as long as all blocks before it together. */
  private byte[] block() {
    if (length == capacity) {
      int size = Math.min(Math.max(length, ArrivingBody.BLOCK_BYTES), MAX_BLOCK);
      // One byte more than the maximum shows that there are more.
      int count = Math.min(size, maxBytes + 1 - length);
      room.accept(count);
      blocks.add(new byte[count]);
      capacity += count;
    }
    return blocks.getLast();
  }

  private void readHeader() {
    int from = at;
    int left = sent.length - at;
    if ((left >= 2 && int16(at) != MAGIC) || (left < 2 && at > 0)) {
      throw invalid(
          at == 0
              ? "it does not begin with the bytes 1f 8b"
              : "after the end of a member, only another member may follow");
    }
    requireLeft(FIXED_HEADER);
    int flags = sent[at + 3];
    if (sent[at + 2] != DEFLATE) {
      throw invalid("its compression method must be 8 (deflate)");
    }
    if ((flags & RESERVED) != 0) {
      throw invalid("the reserved flags in its header must be 0");
    }
    skip(FIXED_HEADER);
    if ((flags & HAS_EXTRA) != 0) {
      requireLeft(2);
      skip(2 + int16(at));
    }
    if ((flags & HAS_NAME) != 0) {
      skipText();
    }
    if ((flags & HAS_COMMENT) != 0) {
      skipText();
    }
    if ((flags & HAS_CHECKSUM) != 0) {
      requireLeft(2);
      var checksum = new CRC32();
      checksum.update(sent, from, at - from);
      if (int16(at) != (checksum.getValue() & 0xffff)) {
        throw invalid("the checksum (CRC16) of its header is wrong");
      }
      skip(2);
    }
  }

  private void skip(int count) {
    requireLeft(count);
    at += count;
  }

  private void skipText() {
    while (at < sent.length && sent[at] != 0) {
      at++;
    }
    skip(1);
  }

  private void requireLeft(int count) {
    if (sent.length - at < count) {
      throw invalid("it ends too early");
    }
  }

  private int int16(int from) {
    return (sent[from] & 0xff) | (sent[from + 1] & 0xff) << 8;
  }

  private int int32(int from) {
    return int16(from) | int16(from + 2) << 16;
  }

  static Problem invalid(String reason) {
    return Problem.invalid("", "The body is not valid gzip (RFC 1952): " + reason + ".")
        .hint("Send `Content-Encoding: gzip` only with a body that was compressed with gzip.");
  }
}
