package dev.cairn.model;

/** Excerpts of untrusted text for use in a sentence: short, printable, and always valid Unicode. */
public final class Excerpt {
  /** The characters of an excerpt, besides the one that stands for the rest. */
  static final int MAX_CHARACTERS = 80;

  private Excerpt() {}

  /** At most 80 characters of {@code text}; unprintable characters are escaped. */
  public static String of(String text) {
    var out = new StringBuilder();
    int at = 0;
    while (at < text.length() && out.length() < MAX_CHARACTERS) {
      int c = text.codePointAt(at);
      append(out, c);
      at += Character.charCount(c);
    }
    return at < text.length() ? out.append('…').toString() : out.toString();
  }

  /** The first {@code max} characters of {@code text}, unescaped; {@code …} replaces the rest. */
  static String cut(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
    return text.substring(0, end) + '…';
  }

  /** {@link #of} between single quotes; the word {@code nothing} for null. */
  public static String quoted(String text) {
    return text == null ? "nothing" : "'" + of(text) + "'";
  }

  private static void append(StringBuilder out, int c) {
    switch (Character.getType(c)) {
      case Character.CONTROL, Character.SURROGATE, Character.UNASSIGNED, Character.FORMAT ->
          out.append("\\u").append("%04x".formatted(c));
      default -> out.appendCodePoint(c);
    }
  }
}
