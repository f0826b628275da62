package dev.cairn.commit;

import dev.cairn.model.Problem;
import dev.cairn.platform.http.QueryParameters;
import java.util.Optional;

/**
 * What a commit says of itself; {@code docs/commits.md}, The request.
 *
 * @param message null if there is none
 * @param author null if the caller is the author
 */
public record CommitText(String message, String author) {
  private static final String MESSAGE = "message";
  private static final String AUTHOR = "author";

  /**
   * The texts that the query of a request gives, by the same rules as those in the body of a
   * commit.
   *
   * @throws Problem {@code VALIDATION_ERROR} that names the parameter
   */
  public static CommitText of(QueryParameters parameters) {
    return new CommitText(
        emptyToNull(text(parameters, MESSAGE, CommitRequest.MAX_MESSAGE_LENGTH).orElse("")),
        text(parameters, AUTHOR, CommitRequest.MAX_AUTHOR_LENGTH)
            .map(author -> author(QueryParameters.pointer(AUTHOR), author))
            .orElse(null));
  }

  private static Optional<String> text(QueryParameters parameters, String name, int max) {
    return parameters.text(name).map(text -> limited(QueryParameters.pointer(name), text, max));
  }

  /**
   * A text that is not too long.
   *
   * @param at its pointer: one character and its name
   * @param max the maximum of characters (code points)
   */
  static String limited(String at, String text, int max) {
    if (text.codePointCount(0, text.length()) > max) {
      throw Problem.invalid(
          at, "`%s` may have at most %,d characters.".formatted(at.substring(1), max));
    }
    return text;
  }

  static String author(String at, String text) {
    if (text.isBlank()) {
      throw Problem.invalid(
          at, "`author` must not be empty; leave it out to be the author yourself.");
    }
    return text;
  }

  static String emptyToNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
