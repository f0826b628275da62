package dev.cairn.content.write;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;

/**
 * The maximum stored size of one entity's data, so that a page always has room for one entity. It
 * includes the names in the data, which a rename may make longer.
 */
public final class PayloadSize {
  /** The function {@code rename_in} of the database has the same limit. */
  public static final int MAX_BYTES = 4 * 1024 * 1024;

  private PayloadSize() {}

  /** The problem of a text that its names make too long. */
  public static Problem tooLong() {
    return Problem.of(
        ErrorCode.PAYLOAD_TOO_LARGE,
        "With the names that it refers to, the data of one entity may have at most %,d bytes."
            .formatted(MAX_BYTES));
  }
}
