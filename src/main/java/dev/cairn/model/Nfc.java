package dev.cairn.model;

import java.text.Normalizer;

/**
 * Unicode normalization form NFC in linear time. The library sorts the combining marks of one
 * character in quadratic time, so their number is limited. See {@code docs/model.md}, Names.
 */
public final class Nfc {
  /**
   * Maximum combining marks in a row: the limit of the Stream-Safe Text Format (Unicode annex 15),
   * which is more than any language needs.
   */
  public static final int MAX_MARKS = 30;

  /** Maximum characters of a text, far above every limit on a text that is normalized. */
  public static final int MAX_LENGTH = 8_192;

  private Nfc() {}

  /**
   * The normal form.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR} for more than {@link #MAX_LENGTH}
   *     characters, or {@link #MAX_MARKS} combining marks in a row
   */
  public static String of(String text) {
    if (text.length() > MAX_LENGTH) {
      throw Problem.of(
          ErrorCode.VALIDATION_ERROR,
          "The text has more than %,d characters.".formatted(MAX_LENGTH));
    }
    int marks = 0;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      marks = isMark(text.codePointAt(i)) ? marks + 1 : 0;
      if (marks > MAX_MARKS) {
        throw Problem.of(
            ErrorCode.VALIDATION_ERROR,
            "The text has more than %d combining marks in a row.".formatted(MAX_MARKS));
      }
    }
    return Normalizer.normalize(text, Normalizer.Form.NFC);
  }

  private static boolean isMark(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK ->
          true;
      default -> false;
    };
  }
}
