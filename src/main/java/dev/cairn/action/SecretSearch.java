package dev.cairn.action;

import java.util.BitSet;

/**
 * Finds secrets in a text, which are given one after another and not kept. Where the text was cut,
 * it may hold a piece of one: as much is taken for secret there as the longest one may have left,
 * whatever it is. If pieces were looked for, whoever writes the text and sees what is masked could
 * guess a secret character by character.
 */
final class SecretSearch {
  /** What a cut can leave of a character: up to three bytes, or all but the first of an escape. */
  private static final int MAX_BROKEN = 5;

  /** Lengths up to this one are not told apart. */
  private static final int MIN_REACH = 256;

  private final String text;

  /** For each character, the length of the longest secret that ends with it; 0 for none. */
  private final int[] lengths;

  /** The length of the longest secret, found or not. */
  private int longest;

  SecretSearch(String text) {
    this.text = text;
    this.lengths = new int[text.length()];
  }

  /** In which secrets are found. */
  String text() {
    return text;
  }

  /** Looks for each of these. */
  void look(SecretLines lines) {
    lines.in(text, lengths);
    longest = Math.max(longest, lines.longest());
  }

  /**
   * The positions of the characters that belong to secrets.
   *
   * @param cut where the text may hold a piece of one
   */
  BitSet found(SecretMask.Cut cut) {
    var found = new BitSet(text.length());
    int start = text.length();
    for (int i = text.length() - 1; i >= 0; i--) {
      start = Math.min(start, i + 1 - lengths[i]);
      found.set(i, start <= i);
    }
    int reach = Math.min(text.length(), reach());
    switch (cut) {
      case NONE -> {}
      case BEGINNING -> found.set(0, reach);
      case BOTH -> {
        found.set(0, reach);
        found.set(text.length() - reach, text.length());
      }
      case EVERYWHERE -> found.set(0, text.length());
    }
    return found;
  }

  /** How many characters a piece of a secret may have: a power of two. */
  private int reach() {
    return Math.max(MIN_REACH, Integer.highestOneBit(longest + MAX_BROKEN) * 2);
  }
}
