package dev.cairn.content;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;

/**
 * How much is stored of one entity at most, so that a page always has room for one: its data with
 * the names in it, which a rename makes longer.
 */
public final class PayloadSize {
  /** The function {@code rename_in} of the database has the same number. */
  public static final int MAX_BYTES = 4 * 1024 * 1024;

  private PayloadSize() {}

  /** The problem of a text with too many long names. */
  public static Problem tooLong() {
    return Problem.of(
        ErrorCode.PAYLOAD_TOO_LARGE,
        "With the names that it refers to, the data of one entity has at most %,d bytes."
            .formatted(MAX_BYTES));
  }
}
