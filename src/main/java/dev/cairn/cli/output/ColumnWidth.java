package dev.cairn.cli.output;

import org.jline.utils.WCWidth;

/** How many columns of a terminal a text takes: characters of East Asia and emoji take two. */
final class ColumnWidth {
  private static final String ELLIPSIS = "…";

  private ColumnWidth() {}

  /** The width of a text without control characters. */
  static int of(String text) {
    int width = 0;
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      width += of(point);
      i += Character.charCount(point);
    }
    return width;
  }

  private static int of(int point) {
    return point >= 0x20 && point < 0x7f ? 1 : Math.max(0, WCWidth.wcwidth(point));
  }

  /** The text, or what of it fits before an ellipsis. */
  static String truncate(String text, int width) {
    if (of(text) <= width) {
      return text;
    }
    int taken = 0;
    int end = 0;
    while (end < text.length()) {
      int point = text.codePointAt(end);
      if (taken + of(point) > width - 1) {
        break;
      }
      taken += of(point);
      end += Character.charCount(point);
    }
    return text.substring(0, end) + ELLIPSIS;
  }
}
