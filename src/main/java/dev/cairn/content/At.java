package dev.cairn.content;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.util.regex.Pattern;

/** How a request names a {@link Moment}, by {@code at}; see {@code docs/reads.md}, Time travel. */
public sealed interface At {
  /** The moment when a commit was the newest one. */
  record Commit(String commitId) implements At {
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{16}");
  }

  /** The same by its sequence number; 0 is the empty repository before the first commit. */
  record Seq(long number) implements At {
    private static final Pattern FORM = Pattern.compile("0|[1-9][0-9]*");
    private static final int DIGITS_OF_LONG = 18;
  }

  /**
   * Reads 16 lower-case hexadecimal digits as a commit id, and anything else as a sequence number.
   *
   * @param parameter the one that says it
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR} for anything else
   */
  public static At parse(String parameter, String text) {
    if (Commit.FORM.matcher(text).matches()) {
      return new Commit(text);
    }
    if (!Seq.FORM.matcher(text).matches()) {
      throw Problem.invalid(
          parameter,
          "A moment is a commit id of 16 lower-case hexadecimal digits, or the sequence number of a"
              + " commit: a whole number from 0.");
    }
    return new Seq(text.length() > Seq.DIGITS_OF_LONG ? Long.MAX_VALUE : Long.parseLong(text));
  }
}
