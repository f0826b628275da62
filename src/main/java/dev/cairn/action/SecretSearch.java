package dev.cairn.action;

import java.util.BitSet;
import java.util.List;

/**
 * Finds secrets in a text: whole ones and, if the text was cut, the end of one at its beginning and
 * the beginning of one at its end.
 */
record SecretSearch(List<String> secrets, boolean wasCut) {
  /** What a cut can leave of a character: up to three bytes, or all but the first of an escape. */
  private static final int MAX_BROKEN = 5;

  /** The positions of the characters that belong to secrets. */
  BitSet in(String text) {
    var found = new BitSet(text.length());
    for (var secret : secrets) {
      for (int at = text.indexOf(secret);
          at >= 0;
          at = text.indexOf(secret, at + secret.length())) {
        found.set(at, at + secret.length());
      }
      if (wasCut) {
        found.set(0, endAtBeginning(text, secret));
        found.set(text.length() - beginningAtEnd(text, secret), text.length());
      }
    }
    return found;
  }

  /** How many characters the end of a secret takes at the beginning of a text. */
  private static int endAtBeginning(String text, String secret) {
    int longest = 0;
    for (int broken = 0; broken <= Math.min(MAX_BROKEN, text.length()); broken++) {
      int to = Math.min(text.length(), broken + secret.length());
      int overlap = overlap(secret, text.substring(broken, to));
      if (overlap > 0) {
        longest = Math.max(longest, broken + overlap);
      }
    }
    return longest;
  }

  /** How many characters the beginning of a secret takes at the end of a text. */
  private static int beginningAtEnd(String text, String secret) {
    int longest = 0;
    for (int broken = 0; broken <= Math.min(MAX_BROKEN, text.length()); broken++) {
      int to = text.length() - broken;
      int overlap = overlap(text.substring(Math.max(0, to - secret.length()), to), secret);
      if (overlap > 0) {
        longest = Math.max(longest, broken + overlap);
      }
    }
    return longest;
  }

  /**
   * The length of the longest end of one text with which another one begins, in linear time: by the
   * failure function of Knuth, Morris and Pratt, since users choose both texts.
   */
  private static int overlap(String left, String right) {
    int[] failure = new int[right.length()];
    for (int i = 1; i < right.length(); i++) {
      failure[i] = next(right, failure, failure[i - 1], right.charAt(i));
    }
    int matched = 0;
    for (int i = 0; i < left.length() && !right.isEmpty(); i++) {
      matched = next(right, failure, matched, left.charAt(i));
    }
    return matched;
  }

  /** How much of a pattern is matched with one more character. */
  private static int next(String pattern, int[] failure, int matched, char character) {
    int length = matched;
    while (length > 0 && (length == pattern.length() || pattern.charAt(length) != character)) {
      length = failure[length - 1];
    }
    return pattern.charAt(length) == character ? length + 1 : 0;
  }
}
