package dev.cairn.stream;

import dev.cairn.commit.SubmittedLines.Line;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.memory.PartwiseInput;
import java.io.ByteArrayOutputStream;
import java.time.Duration;

/** Splits a body into lines while it arrives; empty lines are counted and skipped. */
final class LineReader {
  /** Maximum bytes of a line: the data of one entity, with what is around it. */
  static final int MAX_LINE_BYTES = 5 * 1024 * 1024;

  /** Maximum empty lines of a body. */
  static final int MAX_EMPTY_LINES = 1_000_000;

  private static final int BUFFER_BYTES = 16 * 1024;

  private final PartwiseInput body;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int length;
  private int number;
  private int emptyLines;
  private boolean isAtEnd;

  /** What has come of the current line, unless it is too long. */
  private ByteArrayOutputStream begun = new ByteArrayOutputStream();

  private boolean isTooLong;

  LineReader(PartwiseInput body) {
    this.body = body;
  }

  /** Whether the body has come to its end, and all lines were returned. */
  boolean isAtEnd() {
    return isAtEnd;
  }

  /**
   * The next line.
   *
   * @param wait how long to wait for it, however many bytes come meanwhile; what is there already
   *     is looked at in any case, up to the length of a buffer
   * @return null if it did not come in time, or there is none
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if there are too many empty lines
   */
  Line next(Duration wait) {
    long end = System.nanoTime() + wait.toNanos();
    for (long left = wait.toNanos(); !isAtEnd; left = end - System.nanoTime()) {
      while (at < length) {
        var line = scan();
        if (line != null) {
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
        return begun.size() == 0 && !isTooLong ? null : line();
      }
    }
    return null;
  }

  /** Takes bytes up to the end of the line or of the buffer; null if there is no whole line. */
  private Line scan() {
    int from = at;
    while (at < length && buffer[at] != '\n') {
      at++;
    }
    keep(from, at - from);
    if (at == length) {
      return null;
    }
    at++;
    return line();
  }

  private void keep(int from, int count) {
    if (begun.size() + count > MAX_LINE_BYTES) {
      isTooLong = true;
      begun = new ByteArrayOutputStream();
    }
    if (!isTooLong) {
      begun.write(buffer, from, count);
    }
  }

  /** The line that ends here; null if it is empty. */
  private Line line() {
    number++;
    if (isTooLong) {
      isTooLong = false;
      return Line.refused(
          number,
          Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "A line may have at most %,d bytes.".formatted(MAX_LINE_BYTES)));
    }
    var json = begun.toByteArray();
    if (json.length > BUFFER_BYTES) {
      // A buffer as long as the longest line so far would stay.
      begun = new ByteArrayOutputStream();
    } else {
      begun.reset();
    }
    if (!isBlank(json)) {
      return Line.of(number, json);
    }
    requireFewEmptyLines();
    return null;
  }

  private void requireFewEmptyLines() {
    if (++emptyLines > MAX_EMPTY_LINES) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "A submission may have at most %,d empty lines.".formatted(MAX_EMPTY_LINES))
          .hint("Send the operations without empty lines between them.");
    }
  }

  private static boolean isBlank(byte[] json) {
    for (byte one : json) {
      if (one != ' ' && one != '\t' && one != '\r') {
        return false;
      }
    }
    return true;
  }
}
