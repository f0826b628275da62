package dev.cairn.model;

import java.util.regex.Pattern;

/**
 * Rejects patterns that RE2/J cannot compile in reasonable time with the flag {@code i}, which
 * ignores case: it folds each character of a range, and never ends with nine characters. It may
 * reject too much: the flag counts for the whole expression, and a hyphen after a bracket for a
 * range.
 */
final class CaseInsensitivePatterns {
  private static final Pattern FLAG = Pattern.compile("\\(\\?[imsU-]*i");

  /**
   * Cyrillic letters that RE2/J 1.8 never comes back to: it knows an older Unicode than the JDK.
   */
  private static final Pattern ENDLESS =
      Pattern.compile("[\\x{1c80}-\\x{1c88}]|\\\\x\\{0*1[cC]8[0-8]\\}");

  /** A range that reaches beyond ASCII ends there, with a character as it is or escaped. */
  private static final Pattern RANGE =
      Pattern.compile(
          "-(?:\\\\?[^\\x00-\\x7f]|\\\\x[89a-fA-F][0-9a-fA-F]"
              + "|\\\\x\\{0*(?:[89a-fA-F][0-9a-fA-F]|[0-9a-fA-F]{3,})\\})");

  private CaseInsensitivePatterns() {}

  /** Why an expression is rejected; null if it may be compiled. */
  static String rejection(String expression) {
    if (!FLAG.matcher(expression).find()) {
      return null;
    }
    int bracket = expression.indexOf('[');
    if (bracket >= 0 && RANGE.matcher(expression).find(bracket)) {
      return "'pattern' ignores case (flag `i`) and has a range that ends beyond ASCII, which is not supported: remove the flag, or name a class such as \\p{Greek}";
    }
    return ENDLESS.matcher(expression).find()
        ? "'pattern' ignores case (flag `i`) and contains one of U+1C80 to U+1C88, which is not supported: remove the flag or the character"
        : null;
  }
}
