package dev.cairn.platform.memory;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses a body by RFC 1952, in two passes: {@link #size} finds out how long the content is
 * and whether it is valid, and keeps none of it; {@link #content} makes it. So its memory can be
 * counted before it is taken.
 *
 * <p>A body is one member, or several, whose contents follow each other. After the last one there
 * is nothing; the stream of the JDK would overlook what is there.
 */
final class Gunzip {
  private static final int FIXED_HEADER = 10;
  private static final int TRAILER = 8;
  private static final int MAGIC = 0x8b1f;
  private static final int DEFLATE = 8;
  private static final int HAS_CRC = 2;
  private static final int HAS_EXTRA = 4;
  private static final int HAS_NAME = 8;
  private static final int HAS_COMMENT = 16;
  private static final int RESERVED = 0xe0;

  private final byte[] sent;
  private int at;

  /** Where the content goes: into a piece that is used again and again, or a whole. */
  private final byte[] into;

  private final boolean isWhole;
  private final int maxBytes;
  private final Inflater inflater = new Inflater(true);
  private int length;

  private Gunzip(byte[] sent, byte[] into, boolean isWhole, int maxBytes) {
    this.sent = sent;
    this.into = into;
    this.isWhole = isWhole;
    this.maxBytes = maxBytes;
  }

  /**
   * The length of the content, in bytes.
   *
   * @param maxBytes how many it may have
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if it has more, {@code VALIDATION_ERROR} if the body
   *     is not valid
   */
  static int size(byte[] sent, int maxBytes) {
    var pass = new Gunzip(sent, new byte[ArrivingBody.BLOCK], false, maxBytes);
    pass.readAll();
    return pass.length;
  }

  /**
   * The content.
   *
   * @param size what {@link #size} has found
   */
  static byte[] content(byte[] sent, int size) {
    var pass = new Gunzip(sent, new byte[size], true, size);
    pass.readAll();
    return pass.into;
  }

  private void readAll() {
    try {
      do {
        readMember();
      } while (at < sent.length);
    } catch (DataFormatException _) {
      throw invalid("its data is damaged");
    } finally {
      inflater.end();
    }
  }

  private void readMember() throws DataFormatException {
    readHeader();
    inflater.reset();
    inflater.setInput(sent, at, sent.length - at);
    var crc = inflate();
    at = sent.length - inflater.getRemaining();
    requireLeft(TRAILER);
    if (int32(at) != (int) crc.getValue() || int32(at + 4) != (int) inflater.getBytesWritten()) {
      throw invalid("its checksum or its length is not that of its content");
    }
    at += TRAILER;
  }

  private CRC32 inflate() throws DataFormatException {
    var crc = new CRC32();
    while (!inflater.finished()) {
      int from = isWhole ? length : 0;
      boolean isFull = from == into.length;
      // In a whole that is full there is no place for what is known not to come, but for the end.
      int count =
          isFull ? inflater.inflate(new byte[1]) : inflater.inflate(into, from, into.length - from);
      if ((isFull && count > 0) || (count == 0 && !inflater.finished())) {
        throw truncated();
      }
      crc.update(into, from, count);
      length += count;
      if (length > maxBytes) {
        throw Problem.of(
            ErrorCode.PAYLOAD_TOO_LARGE,
            "A body may have at most " + maxBytes + " bytes here, decompressed too.");
      }
    }
    return crc;
  }

  private void readHeader() {
    if (sent.length - at >= 2 && int16(at) != MAGIC) {
      throw invalid(at == 0 ? "it does not begin as gzip does" : "something follows its end");
    }
    requireLeft(FIXED_HEADER);
    int flags = sent[at + 3];
    if (sent[at + 2] != DEFLATE || (flags & RESERVED) != 0) {
      throw invalid("its header is not that of RFC 1952");
    }
    at += FIXED_HEADER;
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
    if ((flags & HAS_CRC) != 0) {
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
      throw truncated();
    }
  }

  private int int16(int from) {
    return (sent[from] & 0xff) | (sent[from + 1] & 0xff) << 8;
  }

  private int int32(int from) {
    return int16(from) | int16(from + 2) << 16;
  }

  private static Problem truncated() {
    return invalid("it ends too early");
  }

  private static Problem invalid(String reason) {
    return Problem.invalid("", "The body is not valid gzip: " + reason + ".")
        .hint("Send `Content-Encoding: gzip` only with a body that was compressed with gzip.");
  }
}
