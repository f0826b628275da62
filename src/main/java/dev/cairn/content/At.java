package dev.cairn.content;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.util.regex.Pattern;

/**
 * The name of a {@link Moment} in a request, such as in {@code at}; see {@code docs/reads.md}, Time
 * travel.
 */
public sealed interface At {
  /** The moment when a commit was the newest one. */
  record Commit(String commitId) implements At {}

  /** The same moment by its sequence number; 0 is the empty repository before the first commit. */
  record Seq(long number) implements At {
    private static final Pattern SYNTAX = Pattern.compile("0|[1-9][0-9]*");
    private static final int MAX_DIGITS = 18;
  }

  /**
   * Reads 16 lower-case hexadecimal digits as a commit id, and anything else as a sequence number.
   *
   * @param parameter how a problem names the parameter
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR} if it is neither
   */
  public static At parse(String parameter, String text) {
    if (CommitId.matches(text)) {
      return new Commit(text);
    }
    if (!Seq.SYNTAX.matcher(text).matches()) {
      throw Problem.invalid(
          parameter,
          "A moment must be a commit id of 16 lower-case hexadecimal digits, or the sequence number of a"
              + " commit: an integer of at least 0.");
    }
    return new Seq(text.length() > Seq.MAX_DIGITS ? Long.MAX_VALUE : Long.parseLong(text));
  }
}
