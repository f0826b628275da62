package dev.cairn.model;

import java.util.regex.Pattern;

/**
 * Rejects patterns that RE2/J cannot compile in reasonable time with the flag {@code i} (ignore
 * case): RE2/J folds each character of a range, and loops forever on nine characters. The check may
 * reject too much: it applies the flag to the whole expression, and takes any hyphen after a
 * bracket for a range.
 */
final class CaseInsensitivePatterns {
  private static final Pattern FLAG = Pattern.compile("\\(\\?[imsU-]*i");

  /**
   * Cyrillic letters on which RE2/J 1.8 loops forever, because its Unicode tables are older than
   * the JDK's.
   */
  private static final Pattern ENDLESS_LOOP =
      Pattern.compile("[\\x{1c80}-\\x{1c88}]|\\\\x\\{0*1[cC]8[0-8]\\}");

  /** The end of a range that reaches beyond ASCII: a literal or an escaped character. */
  private static final Pattern RANGE =
      Pattern.compile(
          "-(?:\\\\?[^\\x00-\\x7f]|\\\\x[89a-fA-F][0-9a-fA-F]"
              + "|\\\\x\\{0*(?:[89a-fA-F][0-9a-fA-F]|[0-9a-fA-F]{3,})\\})");

  private CaseInsensitivePatterns() {}

  /** The reason why an expression is rejected; null if it may be compiled. */
  static String rejection(String expression) {
    if (!FLAG.matcher(expression).find()) {
      return null;
    }
    int bracket = expression.indexOf('[');
    if (bracket >= 0 && RANGE.matcher(expression).find(bracket)) {
      return "'pattern' ignores case (flag `i`) and has a range that ends beyond ASCII, which is not supported: remove the flag, or name a class such as \\p{Greek}";
    }
    return ENDLESS_LOOP.matcher(expression).find()
        ? "'pattern' ignores case (flag `i`) and contains one of U+1C80 to U+1C88, which is not supported: remove the flag or the character"
        : null;
  }
}
