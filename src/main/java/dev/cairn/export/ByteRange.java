package dev.cairn.export;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A range of bytes, both ends included; RFC 9110, section 14. A header that is not a single range
 * of bytes is ignored, as the RFC requires.
 */
record ByteRange(long first, long last) {
  private static final Pattern SINGLE_RANGE =
      Pattern.compile("(?i)bytes=[ \t]*([0-9]{0,18})-([0-9]{0,18})[ \t]*");

  /**
   * The range that the header requests; empty for the whole content.
   *
   * @param header the header {@code Range}; null if there is none
   * @throws Problem {@link ErrorCode#RANGE_NOT_SATISFIABLE} if it contains no byte of the content
   */
  static Optional<ByteRange> parse(String header, long size) {
    var matcher = SINGLE_RANGE.matcher(header == null ? "" : header);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    var first = matcher.group(1);
    var last = matcher.group(2);
    if (first.isEmpty()) {
      return last.isEmpty() ? Optional.empty() : suffix(Long.parseLong(last), size);
    }
    long from = Long.parseLong(first);
    long to = last.isEmpty() ? Long.MAX_VALUE : Long.parseLong(last);
    if (to < from) {
      return Optional.empty();
    }
    if (from >= size) {
      throw unsatisfiable(size);
    }
    return Optional.of(new ByteRange(from, Math.min(to, size - 1)));
  }

  private static Optional<ByteRange> suffix(long length, long size) {
    if (length == 0 || size == 0) {
      throw unsatisfiable(size);
    }
    return Optional.of(new ByteRange(Math.max(0, size - length), size - 1));
  }

  private static Problem unsatisfiable(long size) {
    return Problem.of(ErrorCode.RANGE_NOT_SATISFIABLE, "The content has %d bytes.".formatted(size))
        .with("size", size);
  }
}
