package dev.cairn.stream;

import dev.cairn.commit.SubmittedLines.Line;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.memory.KeptBytes;
import dev.cairn.platform.memory.PartwiseInput;
import java.time.Duration;
import java.util.Arrays;

/**
 * Splits a body into lines while it arrives; empty lines are counted and skipped. What has come of
 * an unfinished line takes room in memory, and so does each line that is returned, until it is
 * {@linkplain #drop dropped}.
 */
final class LineReader {
  /** Maximum bytes of a line: the data of one entity, with what is around it. */
  static final int MAX_LINE_BYTES = 5 * 1024 * 1024;

  /** Maximum empty lines of a body. */
  static final int MAX_EMPTY_LINES = 1_000_000;

  private static final int BUFFER_BYTES = 16 * 1024;

  /** The length of a buffer for lines that takes no room. */
  private static final int SHORT_LINE_BYTES = 1024;

  /** What a line takes besides its bytes. */
  private static final int LINE_OVERHEAD = 64;

  private final PartwiseInput body;
  private final KeptBytes room;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int length;
  private int number;
  private int emptyLines;
  private boolean isAtEnd;

  /** What has come of the current line, unless it is too long. */
  private byte[] begun = new byte[SHORT_LINE_BYTES];

  private int begunLength;
  private boolean isTooLong;

  /** How many lines were returned and not dropped. */
  private int kept;

  private boolean lacksRoom;

  LineReader(PartwiseInput body, KeptBytes room) {
    this.body = body;
    this.room = room;
  }

  /** Whether the body has come to its end, and all lines were returned. */
  boolean isAtEnd() {
    return isAtEnd;
  }

  /**
   * Whether the last call has found no room to go on that others would not lose, and may do so when
   * lines are dropped.
   */
  boolean lacksRoom() {
    return lacksRoom;
  }

  /**
   * The next line.
   *
   * @param wait how long to wait for it, however many bytes come meanwhile; what is there already
   *     is looked at in any case, up to the length of a buffer
   * @return null if it did not come in time, or there is none, or it {@linkplain #lacksRoom lacks
   *     room}
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if there are too many empty lines; {@code
   *     UNAVAILABLE} if there is no room for what has come of the line
   */
  Line next(Duration wait) {
    long end = System.nanoTime() + wait.toNanos();
    for (long left = wait.toNanos(); !isAtEnd; left = end - System.nanoTime()) {
      while (at < length) {
        var line = scan();
        if (line != null || lacksRoom) {
          return line;
        }
      }
      if (left < 0) {
        return null;
      }
      int read = body.read(buffer, 0, buffer.length, Duration.ofNanos(left));
      if (read == 0) {
        return null;
      }
      at = 0;
      length = Math.max(0, read);
      if (read < 0) {
        isAtEnd = true;
        return begunLength == 0 && !isTooLong ? null : line();
      }
    }
    return null;
  }

  /** Takes bytes up to the end of the line or of the buffer; null if there is no whole line. */
  private Line scan() {
    int end = at;
    while (end < length && buffer[end] != '\n') {
      end++;
    }
    lacksRoom = kept > 0 && !room.fits(growth(end - at));
    if (lacksRoom) {
      return null;
    }
    keep(at, end - at);
    boolean isWhole = end < length;
    at = isWhole ? end + 1 : end;
    return isWhole ? line() : null;
  }

  /** By how much the buffer has to grow for so many bytes; 0 too if the line is too long. */
  private int growth(int count) {
    int needed = begunLength + count;
    return isTooLong || needed > MAX_LINE_BYTES || needed <= begun.length
        ? 0
        : Math.min(MAX_LINE_BYTES, Math.max(needed, 2 * begun.length)) - begun.length;
  }

  private void keep(int from, int count) {
    if (begunLength + count > MAX_LINE_BYTES) {
      isTooLong = true;
      dropBegun();
    }
    if (!isTooLong) {
      int more = growth(count);
      if (more > 0) {
        room.keep(more);
        begun = Arrays.copyOf(begun, begun.length + more);
      }
      System.arraycopy(buffer, from, begun, begunLength, count);
      begunLength += count;
    }
  }

  private void dropBegun() {
    if (begun.length > SHORT_LINE_BYTES) {
      room.drop(begun.length - SHORT_LINE_BYTES);
      begun = new byte[SHORT_LINE_BYTES];
    }
    begunLength = 0;
  }

  /** The line that ends here; null if it is empty. */
  private Line line() {
    number++;
    if (isTooLong) {
      isTooLong = false;
      return kept(
          Line.refused(
              number,
              Problem.of(
                  ErrorCode.PAYLOAD_TOO_LARGE,
                  "A line may have at most %,d bytes.".formatted(MAX_LINE_BYTES))));
    }
    if (isBlank()) {
      dropBegun();
      requireFewEmptyLines();
      return null;
    }
    return kept(Line.of(number, Arrays.copyOf(begun, begunLength)));
  }

  /** Keeps a line in place of what has come of it. */
  private Line kept(Line line) {
    kept++;
    int more = roomOf(line) - (begun.length - SHORT_LINE_BYTES);
    if (begun.length > SHORT_LINE_BYTES) {
      begun = new byte[SHORT_LINE_BYTES];
    }
    begunLength = 0;
    if (more > 0) {
      room.keep(more);
    } else {
      room.drop(-more);
    }
    return line;
  }

  /** Gives back the room of a line that is not kept any longer. */
  void drop(Line line) {
    room.drop(roomOf(line));
    kept--;
  }

  /** Drops what has come of a line that is not read to its end. */
  void dropUnfinished() {
    dropBegun();
  }

  private static int roomOf(Line line) {
    return LINE_OVERHEAD + line.json().length;
  }

  private void requireFewEmptyLines() {
    if (++emptyLines > MAX_EMPTY_LINES) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "A submission may have at most %,d empty lines.".formatted(MAX_EMPTY_LINES))
          .hint("Send the operations without empty lines between them.");
    }
  }

  private boolean isBlank() {
    for (int i = 0; i < begunLength; i++) {
      if (begun[i] != ' ' && begun[i] != '\t' && begun[i] != '\r') {
        return false;
      }
    }
    return true;
  }
}
