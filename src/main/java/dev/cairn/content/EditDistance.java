package dev.cairn.content;

import java.util.Locale;

/**
 * The number of characters that must be added, removed or replaced to get one text from another.
 */
final class EditDistance {
  private static final int MAX_REMAINDER = 64;

  private EditDistance() {}

  /**
   * The edit distance, in which case does not count. What both begin and end with costs no time; if
   * more than 64 characters remain, the distance is their number.
   */
  static int of(String one, String other) {
    var a = one.toLowerCase(Locale.ROOT);
    var b = other.toLowerCase(Locale.ROOT);
    int begin = 0;
    int shorter = Math.min(a.length(), b.length());
    while (begin < shorter && a.charAt(begin) == b.charAt(begin)) {
      begin++;
    }
    int end = 0;
    while (end < shorter - begin
        && a.charAt(a.length() - 1 - end) == b.charAt(b.length() - 1 - end)) {
      end++;
    }
    var restOfA = a.substring(begin, a.length() - end);
    var restOfB = b.substring(begin, b.length() - end);
    int longer = Math.max(restOfA.length(), restOfB.length());
    return longer > MAX_REMAINDER ? longer : distance(restOfA, restOfB);
  }

  private static int distance(String a, String b) {
    int[] before = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      before[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = before[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(before[j], row[j - 1]));
      }
      before = row;
    }
    return before[b.length()];
  }
}
