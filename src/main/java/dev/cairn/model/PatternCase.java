package dev.cairn.model;

import java.util.regex.Pattern;

/**
 * What a regular expression may not have beside the flag {@code i}, which ignores case: RE2/J folds
 * each character of a range, and nine characters without end. It errs upwards: the flag counts for
 * the whole expression, and escapes count as what they stand for also where they are text.
 */
final class PatternCase {
  private static final Pattern FLAG = Pattern.compile("\\(\\?[imsU-]*i");

  /**
   * Cyrillic letters that RE2/J 1.8 never comes back to: it knows an older Unicode than the JDK.
   */
  private static final Pattern ENDLESS =
      Pattern.compile("[\\x{1c80}-\\x{1c88}]|\\\\x\\{0*1[cC]8[0-8]\\}");

  private static final String BEYOND_ASCII =
      "(?:[^\\x00-\\x7f]|\\\\x[89a-fA-F][0-9a-fA-F]"
          + "|\\\\x\\{0*(?:[89a-fA-F][0-9a-fA-F]|[0-9a-fA-F]{3,})\\})";

  private static final Pattern RANGE =
      Pattern.compile("-" + BEYOND_ASCII + "|" + BEYOND_ASCII + "-");

  private PatternCase() {}

  /** Why an expression is not compiled; null if it is. */
  static String refusal(String expression) {
    if (!FLAG.matcher(expression).find()) {
      return null;
    }
    if (RANGE.matcher(expression).find()) {
      return "'pattern' has no ranges beyond ASCII if it ignores case: leave out the flag `i`, or name a class such as \\p{Greek}";
    }
    return ENDLESS.matcher(expression).find()
        ? "'pattern' has none of U+1C80 to U+1C88 if it ignores case: leave out the flag `i`"
        : null;
  }
}
