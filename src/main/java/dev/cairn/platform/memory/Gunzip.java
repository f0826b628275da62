package dev.cairn.platform.memory;

import dev.cairn.model.Problem;
import dev.cairn.platform.http.RequestBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses gzip (RFC 1952) while it is read: at most a piece of it is in memory, whatever its
 * ratio, and no call into the inflater reads or writes more than a piece.
 *
 * <p>The content is one member, or several, whose contents follow each other. After the last one
 * there is nothing; the stream of the JDK would overlook what is there.
 */
final class Gunzip implements PartwiseInput {
  /**
   * Maximum bytes of the header of a member of a body that arrives, whose extra field and texts may
   * have any length. Of a body that has come whole, its length is the limit.
   */
  static final int MAX_HEADER_BYTES = 64 * 1024;

  private static final int INPUT_BYTES = 8 * 1024;
  private static final int MAX_BLOCK = 64 * 1024;
  private static final int[] MAGIC = {0x1f, 0x8b, 8};
  private static final int HAS_CHECKSUM = 2;
  private static final int HAS_EXTRA = 4;
  private static final int HAS_NAME = 8;
  private static final int HAS_COMMENT = 16;
  private static final int RESERVED = 0xe0;

  /** Modification time, flags of the compression, and the system. */
  private static final int UNUSED_IN_HEADER = 6;

  private static final int TRAILER = 8;

  private final PartwiseInput sent;
  private final int maxHeaderBytes;
  private final byte[] input = new byte[INPUT_BYTES];
  private int at;
  private int length;

  private final Inflater inflater = new Inflater(true);

  /** Of the header, and then of the content. */
  private final CRC32 checksum = new CRC32();

  private State state = State.MAGIC;

  /** How many bytes of the state have been read, or are left to skip. */
  private int count;

  private int headerBytes;
  private int flags;
  private long trailer;
  private boolean isFirst = true;

  /** What comes next, in the order in which it comes. */
  private enum State {
    MAGIC,
    FLAGS,
    UNUSED,
    EXTRA_LENGTH,
    EXTRA,
    NAME,
    COMMENT,
    HEADER_CHECKSUM,
    CONTENT,
    TRAILER
  }

  /** The content of a body that arrives. */
  Gunzip(PartwiseInput sent) {
    this(sent, MAX_HEADER_BYTES);
  }

  private Gunzip(PartwiseInput sent, int maxHeaderBytes) {
    this.sent = sent;
    this.maxHeaderBytes = maxHeaderBytes;
  }

  /**
   * The content of a compressed body that has come whole. It can be given up between any two
   * pieces, and each block of the content is counted before it is allocated.
   *
   * @param maxBytes how many it may have
   * @param room takes room for a number of bytes before they are allocated; throws if there is none
   * @param mayGoOn called before each piece; throws if no more is to be done
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if it has more, {@code VALIDATION_ERROR} if the body
   *     is not valid
   */
  static byte[] content(byte[] sent, int maxBytes, IntConsumer room, Runnable mayGoOn) {
    // All full except the last one.
    var blocks = new ArrayList<byte[]>();
    int length = 0;
    int left = 0;
    try (var gunzip = new Gunzip(whole(sent), sent.length)) {
      for (int count = 0; count >= 0; ) {
        mayGoOn.run();
        if (left == 0) {
          left = addBlock(blocks, length, maxBytes, room);
        }
        var block = blocks.getLast();
        count = gunzip.read(block, block.length - left, left, Duration.ZERO);
        left -= Math.max(0, count);
        length += Math.max(0, count);
        if (length > maxBytes) {
          throw RequestBody.tooLong(maxBytes).hint("This holds for the decompressed body too.");
        }
      }
    }
    return ArrivingBody.joined(blocks, length);
  }

  /** Adds a block that is as long as all blocks before it together, and returns its length. */
  private static int addBlock(List<byte[]> blocks, int length, int maxBytes, IntConsumer room) {
    int size = Math.min(Math.max(length, ArrivingBody.BLOCK_BYTES), MAX_BLOCK);
    // One byte more than the maximum shows that there are more.
    int count = Math.min(size, maxBytes + 1 - length);
    room.accept(count);
    blocks.add(new byte[count]);
    return count;
  }

  private static PartwiseInput whole(byte[] sent) {
    return new PartwiseInput() {
      private int from;

      @Override
      public int read(byte[] into, int offset, int count, Duration wait) {
        int taken = Math.min(count, sent.length - from);
        System.arraycopy(sent, from, into, offset, taken);
        from += taken;
        return taken == 0 ? -1 : taken;
      }
    };
  }

  @Override
  public int read(byte[] into, int offset, int count, Duration wait) {
    long end = System.nanoTime() + wait.toNanos();
    long left = wait.toNanos();
    while (true) {
      if (state == State.CONTENT) {
        int inflated = inflate(into, offset, count);
        if (inflated > 0) {
          return inflated;
        }
      }
      if (at == length && !(state == State.CONTENT && !inflater.needsInput())) {
        // What comes may be no content: headers, empty blocks and empty members.
        if (left < 0) {
          return 0;
        }
        int more = sent.read(input, 0, input.length, Duration.ofNanos(left));
        left = end - System.nanoTime();
        if (more <= 0) {
          return more < 0 ? end() : 0;
        }
        at = 0;
        length = more;
      }
      while (at < length && state != State.CONTENT) {
        frame(input[at++] & 0xff);
      }
    }
  }

  private int inflate(byte[] into, int offset, int count) {
    try {
      if (inflater.needsInput() && at < length) {
        inflater.setInput(input, at, length - at);
        at = length;
      }
      int inflated = inflater.inflate(into, offset, count);
      checksum.update(into, offset, inflated);
      if (inflater.finished()) {
        at = length - inflater.getRemaining();
        begin(State.TRAILER);
        trailer = 0;
      }
      return inflated;
    } catch (DataFormatException _) {
      throw invalid("its compressed data is damaged");
    }
  }

  private int end() {
    // Bytes of the magic number may not be all there either.
    if (state == State.MAGIC && count == 0 && !isFirst) {
      return -1;
    }
    throw invalid("it ends too early");
  }

  private void begin(State next) {
    state = next;
    count = 0;
  }

  /** Takes a byte of a header or trailer. */
  private void frame(int next) {
    if (state != State.HEADER_CHECKSUM && state != State.TRAILER) {
      checksum.update(next);
    }
    if (state != State.TRAILER && ++headerBytes > maxHeaderBytes) {
      throw invalid("a header may have at most %,d bytes".formatted(maxHeaderBytes));
    }
    switch (state) {
      case MAGIC -> magic(next);
      case FLAGS -> {
        flags = next;
        if ((flags & RESERVED) != 0) {
          throw invalid("the reserved flags in its header must be 0");
        }
        begin(State.UNUSED);
      }
      case UNUSED -> {
        if (++count == UNUSED_IN_HEADER) {
          beginPart(HAS_EXTRA);
        }
      }
      case EXTRA_LENGTH -> {
        trailer |= (long) next << (8 * count++);
        if (count == 2) {
          begin(State.EXTRA);
          count = (int) trailer;
          if (count == 0) {
            beginPart(HAS_NAME);
          }
        }
      }
      case EXTRA -> {
        if (--count == 0) {
          beginPart(HAS_NAME);
        }
      }
      case NAME -> {
        if (next == 0) {
          beginPart(HAS_COMMENT);
        }
      }
      case COMMENT -> {
        if (next == 0) {
          beginPart(HAS_CHECKSUM);
        }
      }
      case HEADER_CHECKSUM -> {
        trailer |= (long) next << (8 * count++);
        if (count == 2) {
          if (trailer != (checksum.getValue() & 0xffff)) {
            throw invalid("the checksum (CRC16) of its header is wrong");
          }
          beginContent();
        }
      }
      case TRAILER -> trailer(next);
      case CONTENT -> throw new IllegalStateException("content is no part of the frame");
    }
  }

  private void magic(int next) {
    if (next != MAGIC[count]) {
      throw invalid(
          count == 2
              ? "its compression method must be 8 (deflate)"
              : isFirst
                  ? "it does not begin with the bytes 1f 8b"
                  : "after the end of a member, only another member may follow");
    }
    if (++count == MAGIC.length) {
      begin(State.FLAGS);
    }
  }

  /** Begins the next optional part of the header that the flags announce, from this one on. */
  private void beginPart(int from) {
    trailer = 0;
    if (from == HAS_EXTRA && (flags & HAS_EXTRA) != 0) {
      begin(State.EXTRA_LENGTH);
    } else if ((from == HAS_EXTRA || from == HAS_NAME) && (flags & HAS_NAME) != 0) {
      begin(State.NAME);
    } else if (from != HAS_CHECKSUM && (flags & HAS_COMMENT) != 0) {
      begin(State.COMMENT);
    } else if ((flags & HAS_CHECKSUM) != 0) {
      begin(State.HEADER_CHECKSUM);
    } else {
      beginContent();
    }
  }

  private void beginContent() {
    begin(State.CONTENT);
    headerBytes = 0;
    inflater.reset();
    checksum.reset();
  }

  private void trailer(int next) {
    trailer |= (long) next << (8 * count++);
    if (count == TRAILER) {
      if ((trailer & 0xffffffffL) != checksum.getValue()) {
        throw invalid("the checksum (CRC-32) at its end is not that of its content");
      }
      if (trailer >>> 32 != (inflater.getBytesWritten() & 0xffffffffL)) {
        throw invalid("the length (ISIZE) at its end is not that of its content");
      }
      isFirst = false;
      checksum.reset();
      begin(State.MAGIC);
    }
  }

  /** Frees the memory of the inflater, which is outside of the heap. */
  @Override
  public void close() {
    inflater.end();
    sent.close();
  }

  private static Problem invalid(String reason) {
    return Problem.invalid("", "The body is not valid gzip (RFC 1952): " + reason + ".")
        .hint("Send `Content-Encoding: gzip` only with a body that was compressed with gzip.");
  }
}
