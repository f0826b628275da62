package dev.cairn.cli.output;

/**
 * Makes characters visible that a terminal would obey rather than show: whoever writes into a
 * repository must not be able to move a reader's cursor, set the title, or reorder the text.
 */
public final class Escapes {
  private Escapes() {}

  /** The text in one line, with such characters as {@code \n}, {@code \t}, <code>\u001b</code>. */
  public static String line(String text) {
    int first = 0;
    while (first < text.length() && !isDangerous(text.charAt(first))) {
      first++;
    }
    if (first == text.length()) {
      return text;
    }
    var result = new StringBuilder(text.length() + 16).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      append(result, text.charAt(i));
    }
    return result.toString();
  }

  private static void append(StringBuilder result, char c) {
    switch (c) {
      case '\n' -> result.append("\\n");
      case '\r' -> result.append("\\r");
      case '\t' -> result.append("\\t");
      default -> {
        if (isDangerous(c)) {
          result.append(unicode(c));
        } else {
          result.append(c);
        }
      }
    }
  }

  /** The character as an escape of JSON and of Java. */
  static String unicode(char c) {
    return "\\u" + Integer.toHexString(0x10000 | c).substring(1);
  }

  /** Whether a terminal, or the layout of a text, would obey the character. */
  static boolean isDangerous(char c) {
    return c < 0x20
        || (c >= 0x7f && c < 0xa0)
        || c == 0x061c
        || (c >= 0x200e && c <= 0x200f)
        || (c >= 0x2028 && c <= 0x202e)
        || (c >= 0x2066 && c <= 0x2069)
        || c == 0xfeff;
  }
}
