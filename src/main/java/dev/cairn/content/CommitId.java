package dev.cairn.content;

import dev.cairn.model.Problem;
import java.util.regex.Pattern;

/** The ids of commits in requests. */
public final class CommitId {
  private static final Pattern SYNTAX = Pattern.compile("[0-9a-f]{16}");

  private CommitId() {}

  /** Whether a text has the form of one. */
  public static boolean matches(String text) {
    return SYNTAX.matcher(text).matches();
  }

  /**
   * Refuses a path parameter {@code commitId} that is not a commit id.
   *
   * @throws Problem {@code VALIDATION_ERROR}
   */
  public static void require(String text) {
    if (!matches(text)) {
      throw Problem.invalid("?commitId", "A commit id must have 16 lower-case hexadecimal digits.");
    }
  }
}
